/**
 * A credential's row in the embedded database: `CredentialRow` with numbers in place of what repeats, and with room for
 * what is still to come, so that no row ever grows out of its page.
 */
import type { ClientId, TokenId, UserId } from "../../../kernel/ids.ts"
import { type Credential, type Family, familyOf } from "../../../records/credential.rules.ts"
import { DAY } from "../../../kernel/time.ts"
import {
  type CredentialRow,
  credentialOf,
  credentialValues,
  lifeValues,
} from "../../codecs/credential-row.ts"
import type { Value } from "../../codecs/value.ts"
import { credentialDeleteAfter } from "../../codecs/retention.ts"
import { familyBytes } from "../../codecs/packed-family.ts"
import type { Connection } from "../engine/connection.ts"
import { accountNameOf, nameOf, numberFor, scopeFor, scopeOf } from "./numbers.ts"
import { asideOf, freePlaceFor, homeOf, positionOf } from "./place.ts"

/** By number; the schema allows no others. */
const stateNames = ["issued", "active", "revoked", "ended"] as const

const stateNumbers: ReadonlyMap<unknown, number> = new Map(stateNames.map((name, number) => [name, number]))

/** Where a loaded credential's row is and what it says, so that writing it back needs no second look-up. */
export type Place = {
  readonly id: number
  readonly client: number
  readonly account: number
  /** Null where only the place was asked for. */
  readonly credential: Credential | null
}

const COLUMNS =
  "client, account, installation_name, scope, resources, consented_at, ends_at, code, code_expires_at, gone, state, " +
  "over_at, because, elevated_until, generation, rotated_at, rotated_from, family"

type Columns = readonly [
  client: number,
  account: number,
  installationName: string | null,
  scope: number | string,
  resources: string | null,
  consentedAt: number,
  endsAt: number,
  code: Uint8Array | null,
  codeExpiresAt: number | null,
  gone: number,
  state: number,
  overAt: number | null,
  because: string | null,
  elevatedUntil: number | null,
  generation: number,
  rotatedAt: number | null,
  rotatedFrom: string | null,
  family: Uint8Array | null,
]

const AT_HOME = `SELECT ${COLUMNS} FROM credential_row WHERE id = ? AND token_id = ?`
/** What a check of an access token looks at: nearly every credential that it finds is active. */
const TOKENS_AT_HOME = `
  SELECT client, account, installation_name, scope, resources, consented_at, ends_at, elevated_until, generation, rotated_at,
    rotated_from, family
  FROM credential_row WHERE id = ? AND token_id = ? AND state = 1`

type TokenColumns = readonly [
  client: number,
  account: number,
  installationName: string | null,
  scope: number | string,
  resources: string | null,
  consentedAt: number,
  endsAt: number,
  elevatedUntil: number | null,
  generation: number,
  rotatedAt: number | null,
  rotatedFrom: string | null,
  family: Uint8Array | null,
]

const PLACE = "SELECT client, account FROM credential_row WHERE id = ? AND token_id = ?"

/** A row of the table `credential_row` as the neutral one, with its number, for statements that read many. */
export const neutralColumns = `
  id, token_id,
  (SELECT name.id FROM name WHERE number = client) AS client_id,
  (SELECT name.id FROM name WHERE number = account) AS user_id,
  installation_name,
  CASE typeof(scope) WHEN 'integer' THEN (SELECT names FROM scope WHERE number = credential_row.scope) ELSE scope END
    AS scope,
  resources, consented_at, ends_at, code_expires_at, gone * 86400 AS gone_at,
  CASE state WHEN 0 THEN 'issued' WHEN 1 THEN 'active' WHEN 2 THEN 'revoked' WHEN 3 THEN 'ended' ELSE state END AS state,
  over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family`

/** `ACTIVE` of `credential-row.ts`, with the states as numbers; takes the same. */
export const ACTIVE_ROW = "state = 1 AND ends_at >= ? AND rotated_at >= ?"

/** `OVER` of `credential-row.ts`, likewise. */
export const OVER_ROW = `(state IN (2, 3)
  OR state = 1 AND (ends_at < ? OR rotated_at < ?)
  OR state = 0 AND code_expires_at < ?)`

export function goneOn(deleteAfter: number): number {
  return deleteAfter / DAY
}

/** Looks a credential up, and notes its place. */
export function loadCredential(connection: Connection, tokenId: TokenId): Place | null {
  const id = homeOf(tokenId)
  const row = connection.values<Columns>(AT_HOME, id, tokenId)
  if (row !== null) return placeFrom(connection, tokenId, id, row)
  const aside = asideOf(connection, tokenId)
  const other = aside === null ? null : connection.values<Columns>(AT_HOME, aside, tokenId)
  return aside === null || other === null ? null : placeFrom(connection, tokenId, aside, other)
}

/** As `loadCredential` without the code, in two thirds of the time. Its place is noted without what it says: nothing is written back. */
export function loadTokens(
  connection: Connection,
  tokenId: TokenId,
): { readonly credential: Credential; readonly place: Place } | null {
  const id = homeOf(tokenId)
  const row = connection.values<TokenColumns>(TOKENS_AT_HOME, id, tokenId)
  if (row !== null) {
    const credential = credentialOf(activeRow(connection, tokenId, row))
    return { credential, place: { id, client: row[0], account: row[1], credential: null } }
  }
  const place = loadCredential(connection, tokenId)
  if (place === null || place.credential === null) return null
  return { credential: { ...place.credential, code: null }, place: { ...place, credential: null } }
}

function placeFrom(connection: Connection, tokenId: TokenId, id: number, row: Columns): Place {
  const credential = credentialOf(neutralRow(connection, tokenId, row))
  return { id, client: row[0], account: row[1], credential }
}

/** Looks up where a credential is, and nothing of it. */
export function loadPlace(connection: Connection, tokenId: TokenId): Place | null {
  const id = positionOf(connection, tokenId)
  const row = connection.values<readonly [client: number, account: number]>(PLACE, id, tokenId)
  return row === null ? null : { id, client: row[0], account: row[1], credential: null }
}

function neutralRow(connection: Connection, tokenId: TokenId, row: Columns): CredentialRow {
  return {
    token_id: tokenId,
    client_id: nameOf(connection, row[0]),
    user_id: accountNameOf(connection, row[1]),
    installation_name: row[2],
    scope: scopeOf(connection, row[3]),
    resources: row[4],
    consented_at: row[5],
    ends_at: row[6],
    code: row[7],
    code_expires_at: row[8],
    gone_at: row[9] * DAY,
    state: stateNames[row[10]] ?? String(row[10]),
    over_at: row[11],
    because: row[12],
    elevated_until: row[13],
    generation: row[14],
    rotated_at: row[15],
    rotated_from: row[16],
    family: row[17],
  }
}

function activeRow(connection: Connection, tokenId: TokenId, row: TokenColumns): CredentialRow {
  return {
    token_id: tokenId,
    client_id: nameOf(connection, row[0]),
    user_id: accountNameOf(connection, row[1]),
    installation_name: row[2],
    scope: scopeOf(connection, row[3]),
    resources: row[4],
    consented_at: row[5],
    ends_at: row[6],
    code: null,
    code_expires_at: null,
    gone_at: 0,
    state: "active",
    over_at: null,
    because: null,
    elevated_until: row[7],
    generation: row[8],
    rotated_at: row[9],
    rotated_from: row[10],
    family: row[11],
  }
}

/**
 * What a family comes to after an exchange and two refreshes, with one access token alive, and the address that asked; less
 * what the code gives back when it is redeemed. A new row keeps so much room.
 */
const ROOM = 116

const INSERT = `
  INSERT INTO credential_row (token_id, client, account, installation_name, scope, resources, consented_at, ends_at,
    code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family, id)
  VALUES (?, ?, ?, ?, coalesce(CAST(? AS INTEGER), ?), ${"?, ".repeat(14)}?)`

export function insertCredential(connection: Connection, credential: Credential): void {
  const { tokenId, clientId, userId } = credential.consent
  const id = freePlaceFor(connection, tokenId)
  const client = numberFor(connection, clientId)
  const account = numberFor(connection, userId)
  const [, , , label = null, scope, ...others] = credentialValues(credential)
  const [resources = null, consentedAt = null, endsAt = null, codeExpiresAt = null, ...life] = others
  connection.run(
    INSERT,
    ...[tokenId, client, account, label, ...scopeFor(connection, client, String(scope))],
    ...[resources, consentedAt, endsAt, codeExpiresAt],
    ...rowOfLife(life),
    id,
  )
  if (id !== homeOf(tokenId))
    connection.run("INSERT INTO credential_aside (token_id, id) VALUES (?, ?)", tokenId, id)
}

/** `lifeValues` as this table has them. */
function rowOfLife(life: readonly Value[]): Value[] {
  const [deleteAfter, state, overAt = null, because = null, elevatedUntil = null, code = null, ...tokens] =
    life
  const [generation = 0, rotatedAt = null, rotatedFrom = null, family = null] = tokens
  const isOver = state === "revoked" || state === "ended"
  return [
    goneOn(Number(deleteAfter)),
    stateNumbers.get(state) ?? null,
    ...[overAt, because, elevatedUntil, code, generation, rotatedAt, rotatedFrom],
    family ?? (isOver ? null : new Uint8Array(ROOM)),
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

/** Writes what differs from the row as it was loaded; answers the place as it is then. Indexes are left alone where they can be. */
export function updateCredential(
  connection: Connection,
  place: Place & { readonly credential: Credential },
  { life }: Credential,
): Place {
  const before = place.credential
  // What consent settled stays as it is stored, whatever the change says of it.
  const after: Credential = { consent: before.consent, code: before.code, life }
  const family = familyOf(after)
  const isRotated = family !== null && isRotation(before, after)
  const values = isRotated ? rotationOf(after, family) : rowOfLife(lifeValues(after)).slice(1)
  const deleteAfter = credentialDeleteAfter(after)
  if (deleteAfter === credentialDeleteAfter(before))
    connection.run(isRotated ? UPDATE_ROTATION : UPDATE_LIFE, ...values, place.id)
  else
    connection.run(
      isRotated ? UPDATE_ROTATION_AND_GONE : UPDATE_LIFE_AND_GONE,
      ...[goneOn(deleteAfter), ...values, place.id],
    )
  return { ...place, credential: after }
}

function rotationOf({ consent }: Credential, family: Family): Value[] {
  return [family.generation, family.rotatedAt, family.rotatedFrom, familyBytes(family, consent.scope)]
}

/** Whether nothing but the tokens of an active credential changes. */
function isRotation({ life: before }: Credential, { life: after }: Credential): boolean {
  return before.state === "active" && after.state === "active" && before.elevatedUntil === after.elevatedUntil
}

export function clientIdOf(connection: Connection, place: Place): ClientId {
  return nameOf(connection, place.client) as ClientId
}

export function userIdOf(connection: Connection, place: Place): UserId {
  return accountNameOf(connection, place.account) as UserId
}
