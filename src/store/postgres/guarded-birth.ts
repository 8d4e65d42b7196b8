/**
 * The credentials of many approved device grants in one statement and one commit, each only while its grant is approved and
 * its app and account are there and enabled. Nobody waits: where somebody holds one of these rows, it is passed over.
 */
import type { DeviceGrant } from "../../core/device-grant.ts"
import type { Credential } from "../../core/credential.ts"
import type { Event } from "../../core/event.ts"
import { credentialColumnList, credentialValues } from "../rows/credential-row.ts"
import { eventValues } from "../rows/event-row.ts"
import type { Connection } from "./connection.ts"
import { columnsOf, keyedEventColumns, recordEvents, unnested } from "./unnest.ts"

export type GuardedBirth = {
  /** As it is to be: redeemed. */
  readonly grant: DeviceGrant
  readonly redeemedAt: number
  /** The only one of the grant. */
  readonly credential: Credential
  /** Written with it, or not at all. */
  readonly events: readonly Event[]
}

/** Writes them; answers the ids of the grants that were redeemed. */
export async function writeBirths(
  connection: Connection,
  births: readonly GuardedBirth[],
): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<{ grant_id: string }>(REDEEM, [
    ...columnsOf(
      BIRTH,
      births.map(({ grant, redeemedAt, credential }) => [
        ...[grant.request.grantId, redeemedAt],
        ...credentialValues(credential),
      ]),
    ),
    ...columnsOf(
      keyedEventColumns,
      births.flatMap(({ grant, events }) =>
        events.map((event) => [grant.request.grantId, ...eventValues(event)]),
      ),
    ),
  ])
  return new Set(rows.map(({ grant_id }) => grant_id))
}

const BIRTH = ["grant_id", "answered_at", ...credentialColumnList]

/**
 * Whoever disables or removes an app or an account holds its row alone and then ends its credentials: it either waits for this
 * commit and finds the new one, or was first, and the grant is passed over. An approval is given once and never changed, so
 * that a grant that is approved by the same account is the one that was read.
 */
const REDEEM = `
  WITH birth AS (
    SELECT * FROM ${unnested(BIRTH)} AS birth (${BIRTH.join(", ")})
  ), held AS MATERIALIZED (
    SELECT birth.* FROM birth
    JOIN device_grant ON device_grant.grant_id = birth.grant_id
      AND device_grant.state = 'approved' AND device_grant.user_id = birth.user_id
    JOIN account ON account.user_id = birth.user_id AND account.enabled = 1
    JOIN client ON client.client_id = birth.client_id AND client.enabled = 1
    FOR SHARE OF account, client SKIP LOCKED FOR NO KEY UPDATE OF device_grant SKIP LOCKED
  ), redeemed AS (
    UPDATE device_grant SET state = 'redeemed', user_id = NULL, granted = NULL, answered_at = held.answered_at
    FROM held WHERE device_grant.grant_id = held.grant_id
    RETURNING device_grant.grant_id
  ), born AS (
    INSERT INTO credential (${credentialColumnList.join(", ")})
    SELECT ${credentialColumnList.map((column) => `held.${column}`).join(", ")} FROM held
  ), recorded AS (${recordEvents("redeemed", "grant_id")})
  SELECT grant_id FROM redeemed`
