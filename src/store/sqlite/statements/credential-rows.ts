/** Loads credentials from the rows of SQLite, whole or without what a check of an access token does not need. */
import type { ClientId, TokenId, UserId } from "../../../kernel/ids.ts"
import { DAY } from "../../../kernel/time.ts"
import type { Credential } from "../../../model/credential.rules.ts"
import { type CredentialRow, credentialOf } from "../../codecs/credential-row.ts"
import type { Connection } from "../engine/connection.ts"
import { accountNameOf, nameOf, numberOf, scopeOf } from "./numbers.ts"
import { collisionRowid, homeRowid, rowidOf } from "./rowid.ts"

/** The names of the states. The stored number is the index in this list. The schema allows no other number. */
export const stateNames = ["issued", "active", "revoked", "ended"] as const
const ACTIVE_STATE = 1

/** A credential with its rowid, so that an update needs no second lookup. */
export type LoadedRow = {
  readonly id: number
  readonly client: number
  readonly account: number
  /** The value is null if only the rowid was loaded. */
  readonly credential: Credential | null
}

/** The columns that are needed to check an access token. */
const TOKEN_COLUMNS =
  "client, account, installation_name, scope, resources, consented_at, ends_at, elevated_until, generation, rotated_at, " +
  "rotated_from, family, organization"

type Columns = readonly [
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
  organization: string | null,
  // Only `AT_HOME` reads the others.
  state?: number,
  gone?: number,
  overAt?: number | null,
  because?: string | null,
  code?: Uint8Array | null,
  codeExpiresAt?: number | null,
  openid?: string | null,
]

const AT_HOME = `
  SELECT ${TOKEN_COLUMNS}, state, gone, over_at, because, code, code_expires_at, openid
  FROM credential_row WHERE id = ? AND token_id = ?`
/** Finds only active credentials, which almost every check needs. */
const TOKENS_AT_HOME = `SELECT ${TOKEN_COLUMNS} FROM credential_row WHERE id = ? AND token_id = ? AND state = 1`

const ROWID = "SELECT client, account FROM credential_row WHERE id = ? AND token_id = ?"

/** Columns that convert a row of `credential_row` to a `CredentialRow`, with its rowid. */
export const neutralColumns = `
  id, token_id,
  (SELECT name.id FROM name WHERE number = client) AS client_id,
  (SELECT name.id FROM name WHERE number = account) AS user_id,
  installation_name,
  CASE typeof(scope) WHEN 'integer' THEN (SELECT names FROM scope WHERE number = credential_row.scope) ELSE scope END
    AS scope,
  resources, consented_at, ends_at, code_expires_at, gone * 86400 AS gone_at,
  CASE state WHEN 0 THEN 'issued' WHEN 1 THEN 'active' WHEN 2 THEN 'revoked' WHEN 3 THEN 'ended' ELSE state END AS state,
  over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family, openid, organization`

/** The condition `ACTIVE` of `credential-row.ts`, with numbers for states. It takes the same parameters. */
export const ACTIVE_ROW = "state = 1 AND ends_at >= ? AND rotated_at >= ?"

/** The condition `OVER` of `credential-row.ts`, with numbers for states. It takes the same parameters. */
export const OVER_ROW = `(state IN (2, 3)
  OR state = 1 AND (ends_at < ? OR rotated_at < ?)
  OR state = 0 AND code_expires_at < ?)`

export function loadCredential(connection: Connection, tokenId: TokenId): LoadedRow | null {
  const id = homeRowid(tokenId)
  const row = connection.values<Columns>(AT_HOME, id, tokenId)
  if (row !== null) return loadedRowFrom(connection, tokenId, id, row)
  const aside = collisionRowid(connection, tokenId)
  const other = aside === null ? null : connection.values<Columns>(AT_HOME, aside, tokenId)
  return aside === null || other === null ? null : loadedRowFrom(connection, tokenId, aside, other)
}

/** Loads a credential without its code, which takes two thirds of the time. The result cannot be passed to a write. */
export function loadTokens(
  connection: Connection,
  tokenId: TokenId,
): { readonly credential: Credential; readonly row: LoadedRow } | null {
  const id = homeRowid(tokenId)
  const tokens = connection.values<Columns>(TOKENS_AT_HOME, id, tokenId)
  if (tokens !== null) {
    const credential = credentialOf(neutralRow(connection, tokenId, tokens))
    return { credential, row: { id, client: tokens[0], account: tokens[1], credential: null } }
  }
  const row = loadCredential(connection, tokenId)
  if (row === null || row.credential === null) return null
  const { consent, life } = row.credential
  const credential = {
    consent: consent.openid === null ? consent : { ...consent, openid: null },
    code: null,
    life,
  }
  return { credential, row: { ...row, credential: null } }
}

function loadedRowFrom(connection: Connection, tokenId: TokenId, id: number, row: Columns): LoadedRow {
  const credential = credentialOf(neutralRow(connection, tokenId, row))
  return { id, client: row[0], account: row[1], credential }
}

/** The stored credentials of an account that an organization gave. At most one is active for each app and organization. */
export function loadOfOrganizations(connection: Connection, userId: UserId): readonly Credential[] {
  const rows = connection.all<CredentialRow>(OF_ORGANIZATIONS, numberOf(connection, userId))
  return rows.map(credentialOf)
}

const OF_ORGANIZATIONS = `
  SELECT ${neutralColumns} FROM credential_row WHERE account = ? AND organization IS NOT NULL AND state = 1`

export function loadRowid(connection: Connection, tokenId: TokenId): LoadedRow | null {
  const id = rowidOf(connection, tokenId)
  const row = connection.values<readonly [client: number, account: number]>(ROWID, id, tokenId)
  return row === null ? null : { id, client: row[0], account: row[1], credential: null }
}

function neutralRow(connection: Connection, tokenId: TokenId, row: Columns): CredentialRow {
  const state = row[13] ?? ACTIVE_STATE
  return {
    token_id: tokenId,
    client_id: nameOf(connection, row[0]),
    user_id: accountNameOf(connection, row[1]),
    installation_name: row[2],
    scope: scopeOf(connection, row[3]),
    resources: row[4],
    consented_at: row[5],
    ends_at: row[6],
    elevated_until: row[7],
    generation: row[8],
    rotated_at: row[9],
    rotated_from: row[10],
    family: row[11],
    organization: row[12],
    state: stateNames[state] ?? String(state),
    gone_at: (row[14] ?? 0) * DAY,
    over_at: row[15] ?? null,
    because: row[16] ?? null,
    code: row[17] ?? null,
    code_expires_at: row[18] ?? null,
    openid: row[19] ?? null,
  }
}

export function clientIdOf(connection: Connection, row: LoadedRow): ClientId {
  return nameOf(connection, row.client) as ClientId
}

export function userIdOf(connection: Connection, row: LoadedRow): UserId {
  return accountNameOf(connection, row.account) as UserId
}
