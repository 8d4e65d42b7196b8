/** If there are too many apps without a consent, deletes the oldest. Several nodes can run this at once. RATE-5. */
import { unusedDeletableUpTo } from "../../../model/self-registration.rules.ts"
import { FIRST_UNUSED_BEYOND, OLDEST_UNUSED, type UnusedApp } from "../../codecs/unused-app.ts"
import type { Database } from "../driver/database.ts"

export async function sweepUnusedApps(
  database: Database,
  now: number,
  keep: number,
  limit: number,
): Promise<number> {
  const last = await database.read.one<UnusedApp>(FIRST_UNUSED_BEYOND, keep)
  if (last === null) return 0
  const { gone_at, client_id } = last
  const upTo = unusedDeletableUpTo(now)
  return database.write(async (writer) => {
    const counts = await writer.run(REMOVE_COUNTS, upTo, gone_at, client_id, limit, limit)
    return counts + (await writer.run(REMOVE, upTo, gone_at, client_id, limit))
  })
}

/** The inner lock makes the planner search the index of counts only once for each app. */
const REMOVE_COUNTS = `
  DELETE FROM tally WHERE (grain, at, client_id, name) IN
    (SELECT t.* FROM (${OLDEST_UNUSED}) app, LATERAL
      (SELECT grain, at, client_id, name FROM tally WHERE tally.client_id = app.client_id AND tally.client_id <> ''
        FOR UPDATE SKIP LOCKED) t
      LIMIT ?)`
const REMOVE = `
  DELETE FROM client WHERE client_id = ANY (ARRAY(${OLDEST_UNUSED} FOR UPDATE SKIP LOCKED))
    AND NOT EXISTS (SELECT 1 FROM tally t WHERE t.client_id = client.client_id AND t.client_id <> '')`
