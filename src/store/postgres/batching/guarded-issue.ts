/**
 * Stores many access tokens of service accounts in one statement and one commit. A token is stored only if its
 * credential has not changed since the read. A locked credential is skipped. Without this, the processes of one app
 * would wait for each other in separate transactions, which have a tenth of the throughput.
 */
import type { ServiceToken } from "../../../model/service-token.rules.ts"
import { SERVICE_TOKENS_KEPT } from "../../../kernel/limits.ts"
import { serviceTokenColumnList, serviceTokenValues } from "../../codecs/service-token-row.ts"
import type { Connection } from "../driver/connection.ts"
import { columnsOf, unnested } from "../driver/unnest.ts"

export type GuardedIssue = {
  readonly token: ServiceToken
  /** The version of the credential that the rule decided on. */
  readonly version: number
}

/** Stores the tokens. Returns the digests of the tokens that were stored. */
export async function issueGuarded(
  connection: Connection,
  issues: readonly GuardedIssue[],
): Promise<ReadonlySet<string>> {
  const rows = issues.map(({ token, version }) => [...serviceTokenValues(token), version])
  const { rows: added } = await connection.query<{ access_hash: string }>(ISSUE, columnsOf(ISSUED, rows))
  return new Set(added.map(({ access_hash }) => access_hash))
}

const COLUMNS = serviceTokenColumnList.join(", ")
const ISSUED = [...serviceTokenColumnList, "version"]

/**
 * Another node may commit tokens of the same credential after this statement began, and take their places. The conflict
 * then leaves out the tokens of this batch, and they are decided again.
 */
const ISSUE = `
  WITH issue AS (
    SELECT *, row_number() OVER (PARTITION BY token_id ORDER BY nth) AS step
    FROM ${unnested(ISSUED)} WITH ORDINALITY AS issue (${ISSUED.join(", ")}, nth)
  ), held AS MATERIALIZED (
    SELECT issue.* FROM issue JOIN credential USING (token_id, version)
    FOR NO KEY UPDATE OF credential SKIP LOCKED
  ), added AS (
    INSERT INTO service_token (${COLUMNS}, place)
    SELECT ${COLUMNS}, step + coalesce(
      (SELECT max(place) FROM service_token AS stored WHERE stored.token_id = held.token_id), 0)
    FROM held ON CONFLICT DO NOTHING RETURNING access_hash
  ), fresh AS (
    SELECT token_id, count(*) AS added, max(issued_at) AS at FROM held GROUP BY token_id
  ), ended AS (
    SELECT token_id, (SELECT older.place FROM service_token AS older
      WHERE older.token_id = fresh.token_id AND older.expires_at >= fresh.at
      ORDER BY older.place DESC LIMIT 1 OFFSET greatest(${SERVICE_TOKENS_KEPT} - fresh.added, 0)) AS place
    FROM fresh
  ), dropped AS (
    DELETE FROM service_token WHERE (token_id, place) IN (
      SELECT older.token_id, older.place FROM ended CROSS JOIN LATERAL (
        SELECT stored.token_id, stored.place FROM service_token AS stored
        WHERE stored.token_id = ended.token_id AND stored.place <= ended.place) AS older)
  )
  SELECT access_hash FROM added`
