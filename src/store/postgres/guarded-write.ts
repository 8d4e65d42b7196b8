/**
 * The lives of many credentials in one statement and one commit, each only where it is still what was read. A credential
 * that somebody holds is passed over, so that nobody waits for a stranger and no two nodes wait for each other.
 */
import type { Credential } from "../../core/credential.ts"
import type { Event } from "../../core/event.ts"
import { lifeColumnList, lifeValues } from "../rows/credential-row.ts"
import { eventColumns, eventValues } from "../rows/event-row.ts"
import type { Value } from "../rows/value.ts"
import { binaryArray, type ElementType } from "./binary-array.ts"
import type { Connection } from "./connection.ts"

export type GuardedLife = {
  /** As it is to be. */
  credential: Credential
  /** The one that was read, and decided on. */
  readonly version: number
  /** Written with it, or not at all. */
  readonly events: Event[]
}

/** Writes them; answers the ids of those that were written. */
export async function writeGuarded(
  connection: Connection,
  lives: readonly GuardedLife[],
): Promise<ReadonlySet<string>> {
  const parameters = [
    binaryArray(
      "text",
      lives.map(({ credential }) => credential.consent.tokenId),
    ),
    binaryArray(
      "integer",
      lives.map(({ version }) => version),
    ),
    ...columns(
      lives.map(({ credential }) => lifeValues(credential)),
      lifeTypes,
    ),
  ]
  const events = lives.flatMap((life) => life.events)
  const { rows } =
    events.length === 0
      ? await connection.query<{ token_id: string }>(WRITE, parameters)
      : await connection.query<{ token_id: string }>(WRITE_WITH_EVENTS, [
          ...parameters,
          binaryArray(
            "text",
            lives.flatMap(({ credential, events: own }) => own.map(() => credential.consent.tokenId)),
          ),
          ...columns(events.map(eventValues), eventTypes),
        ])
  return new Set(rows.map(({ token_id }) => token_id))
}

/** In the order of `eventValues`; the server gives the number. */
const eventColumnList = eventColumns.split(", ").filter((column) => column !== "id")

/** Types that are not text. */
const types: Readonly<Record<string, ElementType>> = {
  gone_at: "bigint",
  over_at: "bigint",
  elevated_until: "bigint",
  code: "bytea",
  generation: "bigint",
  rotated_at: "bigint",
  family: "bytea",
  at: "bigint",
}
const typeOf = (column: string): ElementType => types[column] ?? "text"
const lifeTypes = lifeColumnList.map(typeOf)
const eventTypes = eventColumnList.map(typeOf)

/** One parameter a column. */
function columns(rows: readonly (readonly Value[])[], elementTypes: readonly ElementType[]): Buffer[] {
  return elementTypes.map((type, column) =>
    binaryArray(
      type,
      rows.map((row) => row[column] ?? null),
    ),
  )
}

function unnested(elementTypes: readonly ElementType[]): string {
  return `unnest(${elementTypes.map((type) => `?::${type}[]`).join(", ")})`
}

/**
 * The lock is taken on the row as it is at that moment, and the guard looked at again under it. Whoever writes a credential
 * raises its version, so a row that passes is the very one that was read.
 */
const WRITTEN = `
  WITH life AS (
    SELECT * FROM ${unnested(["text", "integer", ...lifeTypes])} AS life (token_id, version, ${lifeColumnList.join(", ")})
  ), held AS MATERIALIZED (
    SELECT life.* FROM life JOIN credential USING (token_id, version) FOR NO KEY UPDATE OF credential SKIP LOCKED
  ), written AS (
    UPDATE credential SET version = held.version + 1, ${lifeColumnList.map((column) => `${column} = held.${column}`).join(", ")}
    FROM held WHERE credential.token_id = held.token_id AND credential.version = held.version
    RETURNING credential.token_id
  )`

const WRITE = `${WRITTEN} SELECT token_id FROM written`

const WRITE_WITH_EVENTS = `${WRITTEN}, recorded AS (
    INSERT INTO event (${eventColumnList.join(", ")})
    SELECT ${eventColumnList.map((column) => `event.${column}`).join(", ")}
    FROM ${unnested(["text", ...eventTypes])} WITH ORDINALITY AS event (of, ${eventColumnList.join(", ")}, place)
    JOIN written ON written.token_id = event.of ORDER BY place
  ) SELECT token_id FROM written`
