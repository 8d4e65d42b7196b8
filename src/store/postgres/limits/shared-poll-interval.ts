/**
 * Enforces the poll intervals of devices on all nodes, with the rule `enforcePollInterval` of
 * src/kernel/poll-interval.ts. Polls of one turn of the event loop share a statement.
 */
import type { GrantId } from "../../../kernel/ids.ts"
import { DEVICE_SECONDS } from "../../../kernel/limits.ts"
import { EARLY_MS, intervalAfter } from "../../../kernel/poll-interval.ts"
import type { SharedPollIntervals } from "../../limits.ts"
import { Batch } from "../batching/batch.ts"
import type { Database } from "../driver/database.ts"
import { NOW_MS } from "./windows.ts"

export const PACE = "pace"

const IS_EARLY = `CASE WHEN abs(excluded.started_ms - s.started_ms) < ${EARLY_MS} THEN 1 ELSE 0 END`

/** An update leaves `ends_ms` unchanged. PostgreSQL rewrites a row in place only if no indexed column changes. */
const POLL = `
  INSERT INTO spent AS s (counter, key, started_ms, ends_ms, most, admitted, granted)
  SELECT '${PACE}', key, now_ms, now_ms + ${DEVICE_SECONDS * 1000}, 0, 0, 0
  FROM unnest(?::text[]) AS a (key), (SELECT ${NOW_MS} AS now_ms) AS clock
  ORDER BY key COLLATE "C"
  ON CONFLICT (counter, key) DO UPDATE SET
    started_ms = excluded.started_ms, admitted = s.admitted + ${IS_EARLY}, granted = ${IS_EARLY}
  RETURNING key, admitted, granted`

type Row = { readonly key: GrantId; readonly admitted: number; readonly granted: number }

export class PaceOfNodes implements SharedPollIntervals {
  readonly #polls: Batch<GrantId, number | null>

  constructor(database: Database, nowMs: (() => number) | undefined) {
    this.#polls = new Batch(
      async (grantIds) => {
        const now = nowMs === undefined ? null : Math.floor(nowMs())
        const rows = await database.read.all<Row>(POLL, grantIds, now)
        const byGrant = new Map(rows.map((row) => [row.key, row]))
        return grantIds.map((grantId) => {
          const row = byGrant.get(grantId)
          return row?.granted === 1 ? intervalAfter(row.admitted) : null
        })
      },
      (grantId) => grantId,
    )
  }

  poll(grantId: GrantId): Promise<number | null> {
    return this.#polls.ask(grantId)
  }

  /** Does nothing, because the sweep deletes the row when the grant's ten minutes have passed. */
  forget(): void {}
}
