/**
 * Stores a credential as a row of SQLite. Values that repeat are stored as numbers. A new row reserves bytes for later
 * tokens, so that it stays on its page. A refresh is `UPDATE_ROTATION`.
 */
import { type Credential, type Family, familyOf } from "../../../model/credential.rules.ts"
import { DAY } from "../../../kernel/time.ts"
import { credentialValues, lifeValues } from "../../codecs/credential-row.ts"
import type { Value } from "../../codecs/value.ts"
import { credentialDeleteAfter } from "../../codecs/retention.ts"
import { familyBytes } from "../../codecs/packed-family.ts"
import type { Connection } from "../engine/connection.ts"
import { type LoadedRow, stateNames } from "./credential-rows.ts"
import { numberFor, scopeFor } from "./numbers.ts"
import { freeRowid, homeRowid } from "./rowid.ts"

const stateNumbers: ReadonlyMap<unknown, number> = new Map(stateNames.map((name, number) => [name, number]))

export function deleteDay(deleteAfter: number): number {
  return deleteAfter / DAY
}

/**
 * The number of bytes that a new row reserves. A family needs them after an exchange and two refreshes, with one access
 * token and the caller's address. The bytes that the code exchange frees are subtracted.
 */
const RESERVED_BYTES = 116

const INSERT = `
  INSERT INTO credential_row (token_id, client, account, installation_name, scope, resources, consented_at, ends_at,
    openid, organization, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family, id)
  VALUES (?, ?, ?, ?, coalesce(CAST(? AS INTEGER), ?), ${"?, ".repeat(16)}?)`

export function insertCredential(connection: Connection, credential: Credential): void {
  const { tokenId, clientId, userId } = credential.consent
  const id = freeRowid(connection, tokenId)
  const client = numberFor(connection, clientId)
  const account = numberFor(connection, userId)
  const [, , , label = null, scope, ...others] = credentialValues(credential)
  const [resources = null, consentedAt = null, endsAt = null, ...more] = others
  const [openid = null, organization = null, codeExpiresAt = null, ...life] = more
  connection.run(
    INSERT,
    ...[tokenId, client, account, label, ...scopeFor(connection, client, String(scope))],
    ...[resources, consentedAt, endsAt, openid, organization, codeExpiresAt],
    ...rowOfLife(life),
    id,
  )
  if (id !== homeRowid(tokenId))
    connection.run("INSERT INTO credential_aside (token_id, id) VALUES (?, ?)", tokenId, id)
}

/** Converts the values of `lifeValues` to the columns of this table. They are in the same order. */
function rowOfLife(life: readonly Value[]): Value[] {
  const [deleteAfter, state] = life
  const isOver = state === "revoked" || state === "ended"
  return [
    deleteDay(Number(deleteAfter)),
    stateNumbers.get(state) ?? null,
    ...life.slice(2, -1),
    life.at(-1) ?? (isOver ? null : new Uint8Array(RESERVED_BYTES)),
  ]
}

const ROTATION = "generation = ?, rotated_at = ?, rotated_from = ?, family = ?"
const LIFE =
  "state = ?, over_at = ?, because = ?, elevated_until = ?, code = ?, generation = ?, rotated_at = ?, rotated_from = ?, " +
  "family = ?"
const UPDATE_ROTATION = `UPDATE credential_row SET ${ROTATION} WHERE id = ?`
const UPDATE_ROTATION_AND_GONE = `UPDATE credential_row SET gone = ?, ${ROTATION} WHERE id = ?`
const UPDATE_LIFE = `UPDATE credential_row SET ${LIFE} WHERE id = ?`
const UPDATE_LIFE_AND_GONE = `UPDATE credential_row SET gone = ?, ${LIFE} WHERE id = ?`

/**
 * Writes the life of a credential and returns the new row. Leaves out indexed columns that did not change, where
 * possible.
 */
export function updateCredential(
  connection: Connection,
  row: LoadedRow,
  before: Credential,
  { life }: Credential,
): LoadedRow {
  // The consent and the code keep their stored values, whatever the change contains.
  const after: Credential = { consent: before.consent, code: before.code, life }
  const family = familyOf(after)
  const isRotated = family !== null && isRotation(before, after)
  const values = isRotated ? rotationOf(after, family) : rowOfLife(lifeValues(after)).slice(1)
  const deleteAfter = credentialDeleteAfter(after)
  if (deleteAfter === credentialDeleteAfter(before))
    connection.run(isRotated ? UPDATE_ROTATION : UPDATE_LIFE, ...values, row.id)
  else
    connection.run(
      isRotated ? UPDATE_ROTATION_AND_GONE : UPDATE_LIFE_AND_GONE,
      ...[deleteDay(deleteAfter), ...values, row.id],
    )
  return { ...row, credential: after }
}

function rotationOf({ consent }: Credential, family: Family): Value[] {
  return [family.generation, family.rotatedAt, family.rotatedFrom, familyBytes(family, consent.scope)]
}

/** Whether the credential stays active and only its tokens change. */
function isRotation({ life: before }: Credential, { life: after }: Credential): boolean {
  return before.state === "active" && after.state === "active" && before.elevatedUntil === after.elevatedUntil
}
