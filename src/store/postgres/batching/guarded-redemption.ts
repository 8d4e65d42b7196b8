/**
 * Redeems many device grants in one statement and one commit. The statement never waits. It skips a grant that is not
 * approved, has a locked row, or belongs to a disabled app or account. Separate transactions for each grant had a ninth
 * of the throughput (decision 0019).
 */
import type { GrantId } from "../../../kernel/ids.ts"
import type { Credential } from "../../../model/credential.rules.ts"
import type { Event } from "../../../model/event.rules.ts"
import { credentialColumnList, credentialValues } from "../../codecs/credential-row.ts"
import { KEPT_AFTER_END_SECONDS } from "../../../kernel/limits.ts"
import type { Connection } from "../driver/connection.ts"
import { keyedEvents, recordEvents } from "./keyed-events.ts"
import { columnsOf, unnested } from "../driver/unnest.ts"

export type GuardedRedemption = {
  readonly grantId: GrantId
  readonly redeemedAt: number
  readonly credential: Credential
  /** Events that are stored with the credential. */
  readonly events: readonly Event[]
}

/** Writes the redemptions. Returns the ids of the redeemed grants. */
export async function redeemGuarded(
  connection: Connection,
  redemptions: readonly GuardedRedemption[],
): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<{ grant_id: string }>(REDEEM, [
    ...columnsOf(
      REDEMPTION,
      redemptions.map(({ grantId, redeemedAt, credential }) => [
        ...[grantId, redeemedAt],
        ...credentialValues(credential),
      ]),
    ),
    ...keyedEvents(redemptions.map(({ grantId, events }) => [grantId, events])),
  ])
  return new Set(rows.map(({ grant_id }) => grant_id))
}

const REDEMPTION = ["grant_id", "answered_at", ...credentialColumnList]

/**
 * A change that disables or removes an app or an account locks its row and then ends the credentials. If it locks the
 * row after this statement, it finds the new credential. If it locks the row earlier, this statement skips the grant.
 * An approval never changes. If the same account has approved the grant, it is the grant that was read.
 */
const REDEEM = `
  WITH redemption AS (
    SELECT * FROM ${unnested(REDEMPTION)} AS redemption (${REDEMPTION.join(", ")})
  ), held AS MATERIALIZED (
    SELECT redemption.* FROM redemption
    JOIN device_grant ON device_grant.grant_id = redemption.grant_id
      AND device_grant.state = 'approved' AND device_grant.user_id = redemption.user_id
    JOIN account ON account.user_id = redemption.user_id AND account.enabled = 1
    JOIN client ON client.client_id = redemption.client_id AND client.enabled = 1
    FOR SHARE OF account, client SKIP LOCKED FOR NO KEY UPDATE OF device_grant SKIP LOCKED
  ), redeemed AS (
    UPDATE device_grant SET state = 'redeemed', granted = NULL, answered_at = held.answered_at,
      gone_at = held.answered_at + ${KEPT_AFTER_END_SECONDS}
    FROM held WHERE device_grant.grant_id = held.grant_id
    RETURNING device_grant.grant_id
  ), added AS (
    INSERT INTO credential (${credentialColumnList.join(", ")})
    SELECT ${credentialColumnList.map((column) => `held.${column}`).join(", ")} FROM held
  ), recorded AS (${recordEvents("redeemed", "grant_id")})
  SELECT grant_id FROM redeemed`
