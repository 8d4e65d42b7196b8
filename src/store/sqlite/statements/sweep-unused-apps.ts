/** If there are too many apps without a consent, deletes the oldest. RATE-5. */
import { unusedDeletableUpTo } from "../../../model/self-registration.rules.ts"
import { FIRST_UNUSED_BEYOND, OLDEST_UNUSED, type UnusedApp } from "../../codecs/unused-app.ts"
import type { Connection } from "../engine/connection.ts"

export function sweepUnusedApps(connection: Connection, now: number, keep: number, limit: number): number {
  const last = connection.one<UnusedApp>(FIRST_UNUSED_BEYOND, keep)
  const upTo = unusedDeletableUpTo(now)
  if (last === null) return 0
  const { gone_at, client_id } = last
  return connection.transaction(() => {
    const counts = connection.run(REMOVE_COUNTS, upTo, gone_at, client_id, limit, limit)
    const apps = connection.run(REMOVE, upTo, gone_at, client_id, limit)
    if (apps > 0) connection.rows.forget()
    return counts + apps
  })
}

const REMOVE_COUNTS = `
  DELETE FROM tally WHERE (grain, client_id, at, name) IN
    (SELECT t.grain, t.client_id, t.at, t.name FROM (${OLDEST_UNUSED}) app
      CROSS JOIN tally t ON t.client_id = app.client_id AND t.client_id <> '' LIMIT ?)`
const REMOVE = `
  DELETE FROM client WHERE client_id IN (${OLDEST_UNUSED})
    AND NOT EXISTS (SELECT 1 FROM tally t WHERE t.client_id = client.client_id AND t.client_id <> '')`
