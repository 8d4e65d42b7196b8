/**
 * Writes what refreshes and revocations change of many credentials, in one statement and one commit. The statement
 * skips credentials that changed since they were read. It also skips locked credentials, so that batches and nodes never
 * wait for each other.
 */
import type { Credential } from "../../../model/credential.rules.ts"
import type { Event } from "../../../model/event.rules.ts"
import { lifeColumnList, lifeValues } from "../../codecs/credential-row.ts"
import type { Connection } from "../driver/connection.ts"
import { keyedEvents, recordEvents } from "./keyed-events.ts"
import { columnsOf, unnested } from "../driver/unnest.ts"

export type GuardedLife = {
  credential: Credential
  /** The version of the credential that the rule read. */
  readonly version: number
  /** Events that are stored with the credential. */
  readonly events: Event[]
}

/** Writes the credentials. Returns the ids of those that were written. */
export async function writeGuarded(
  connection: Connection,
  lives: readonly GuardedLife[],
): Promise<ReadonlySet<string>> {
  const parameters = columnsOf(
    LIFE,
    lives.map(({ credential, version }) => [credential.consent.tokenId, version, ...lifeValues(credential)]),
  )
  const { rows } = lives.every(({ events }) => events.length === 0)
    ? await connection.query<{ token_id: string }>(WRITE, parameters)
    : await connection.query<{ token_id: string }>(WRITE_WITH_EVENTS, [
        ...parameters,
        ...keyedEvents(lives.map(({ credential, events }) => [credential.consent.tokenId, events])),
      ])
  return new Set(rows.map(({ token_id }) => token_id))
}

const LIFE = ["token_id", "version", ...lifeColumnList]

/**
 * Locks the current row and then checks its version. Every write of a credential increases the version. A matching row
 * is therefore the row that was read, and while it is locked, it stays in its place.
 */
const WRITTEN = `
  WITH held AS MATERIALIZED (
    SELECT life.*, credential.ctid AS place FROM ${unnested(LIFE)} AS life (${LIFE.join(", ")})
    JOIN credential USING (token_id, version) FOR NO KEY UPDATE OF credential SKIP LOCKED
  ), written AS (
    UPDATE credential SET version = held.version + 1, ${lifeColumnList.map((column) => `${column} = held.${column}`).join(", ")}
    FROM held WHERE credential.ctid = held.place
    RETURNING credential.token_id
  )`

const WRITE = `${WRITTEN} SELECT token_id FROM written`

const WRITE_WITH_EVENTS = `${WRITTEN}, recorded AS (${recordEvents("written", "token_id")})
  SELECT token_id FROM written`
