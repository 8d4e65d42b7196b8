/** Loads the rows that a rule needs. */
import type { ClientId, TokenId, UserId } from "../../../kernel/ids.ts"
import type { Account } from "../../../model/account.rules.ts"
import type { Client } from "../../../model/clients/client.rules.ts"
import type { Found, KeyList, Load, Loadable } from "../../loadable.ts"
import type { Connection } from "../engine/connection.ts"
import {
  clientIdOf,
  loadCredential,
  loadOfOrganizations,
  loadRowid,
  loadTokens,
  type LoadedRow,
  userIdOf,
} from "./credential-rows.ts"
import { accountColumns, accountOf, type AccountRow } from "../../codecs/account-row.ts"
import { clientColumns, clientOf, type ClientRow } from "../../codecs/client-row.ts"
import {
  type AnyLookup,
  type Kind,
  lookups,
  type OwnKind,
  seenAt,
  type Source,
} from "../../statements/lookups.ts"
import { numberOf } from "./numbers.ts"
import type { Value } from "../../codecs/value.ts"

/** The credentials that one change has loaded. */
export type LoadedRows = Map<TokenId, LoadedRow>

type Loader<K extends Kind> = (
  connection: Connection,
  key: Loadable[K]["key"],
  rows: LoadedRows,
) => Loadable[K]["row"] | null

/** The look-ups whose statements PostgreSQL does not share. */
const ownLoaders: { readonly [K in OwnKind]: Loader<K> } = {
  client: loadClient,
  account: loadAccount,
  serviceAccount: loadAccount,
  credential: (connection, tokenId, rows) => {
    const row = loadCredential(connection, tokenId)
    if (row !== null) rows.set(tokenId, row)
    return row === null ? null : row.credential
  },
  tokensOf: (connection, tokenId, rows) => {
    const found = loadTokens(connection, tokenId)
    if (found === null) return null
    if (!rows.has(tokenId)) rows.set(tokenId, found.row)
    return found.credential
  },
  appOf: (connection, tokenId, rows) => {
    const row = loadedRowOf(connection, tokenId, rows)
    return row === null ? null : loadClient(connection, clientIdOf(connection, row))
  },
  ownerOf: (connection, tokenId, rows) => {
    const row = loadedRowOf(connection, tokenId, rows)
    return row === null ? null : loadAccount(connection, userIdOf(connection, row))
  },
  boundCredential: (connection, clientId, rows) => {
    const tokenId = loadClient(connection, clientId)?.binding?.tokenId
    return tokenId === undefined ? null : ownLoaders.credential(connection, tokenId, rows)
  },
  organizationCredentials: loadOfOrganizations,
  boundCredentials: (connection, clientIds, rows) =>
    listed<ClientId>(clientIds).flatMap((id) => ownLoaders.boundCredential(connection, id, rows) ?? []),
  usedClientIds: (connection, clientIds) => {
    const asking = connection.all<{ client_id: string }>(OF_DEVICE_GRANTS, clientIds)
    const asked = new Set(asking.map((row) => row.client_id))
    const hasCredential = (id: ClientId) => connection.one(HAS_CREDENTIAL, numberOf(connection, id)) !== null
    return listed<ClientId>(clientIds).filter((id) => asked.has(id) || hasCredential(id))
  },
  boundAccount: (connection, clientId) => {
    const userId = loadClient(connection, clientId)?.binding?.userId
    return userId === undefined ? null : loadAccount(connection, userId)
  },
  knownBrowser: (connection, { browserHash, userId }) => {
    const row = connection.one<{ seen_at: number }>(KNOWN_BROWSER, browserHash, userId)
    return row === null ? null : seenAt(row)
  },
}

const listed = <Id extends string>(keys: KeyList) => JSON.parse(keys) as Id[]

const HAS_CREDENTIAL = "SELECT 1 FROM credential_row WHERE client = ? LIMIT 1"
/** One scan, because device grants have no index by their app. */
const OF_DEVICE_GRANTS =
  "SELECT DISTINCT client_id FROM device_grant WHERE client_id IN (SELECT value FROM json_each(?))"
const CLIENT = `SELECT ${clientColumns} FROM client WHERE client_id = ?`
const ACCOUNT = `SELECT ${accountColumns} FROM usable_account AS account WHERE user_id = ?`
const KNOWN_BROWSER = "SELECT seen_at FROM known_browser WHERE browser_hash = ? AND user_id = ?"

const sharedLoaders = Object.fromEntries(
  Object.entries(lookups).map(([kind, lookup]) => [kind, loaderOf(lookup)]),
)

const loaders = { ...sharedLoaders, ...ownLoaders } as { readonly [K in Kind]: Loader<K> }

function loaderOf(lookup: AnyLookup) {
  const sql = sqlOf(lookup)
  const values = (key: Value | true) => (key === true ? [] : [key])
  if ("rows" in lookup)
    return (connection: Connection, key: Value | true) =>
      connection.all<never>(sql, ...values(key)).map(lookup.rows)
  return (connection: Connection, key: Value | true) => {
    const row = connection.one<never>(sql, ...values(key))
    return row === null ? null : lookup.row(row)
  }
}

function sqlOf(source: Source): string {
  if ("any" in source) return source.any
  if ("one" in source) return source.one
  if ("anyOf" in source)
    return `SELECT ${source.columns} FROM ${source.from} WHERE ${source.anyOf} IN (SELECT value FROM json_each(?1))`
  const { columns, from, by, and, order } = source
  const where = and === undefined ? "" : ` AND ${and}`
  return `SELECT ${columns} FROM ${from} WHERE ${by} = ?${where}${order === undefined ? "" : ` ORDER BY ${order}`}`
}

/** Loads the row of every key in `load`. The row of a null key is null. */
export function loadRows<L extends Load>(connection: Connection, load: L, rows: LoadedRows): Found<L> {
  const found: Partial<Record<Kind, unknown>> = {}
  for (const kind of Object.keys(load) as Kind[]) {
    found[kind] = loadRow(connection, kind, load[kind], rows)
  }
  return found as Found<L>
}

function loadRow<K extends Kind>(
  connection: Connection,
  kind: K,
  key: Loadable[K]["key"] | null | undefined,
  rows: LoadedRows,
): Loadable[K]["row"] | null {
  return key === null || key === undefined ? null : loaders[kind](connection, key, rows)
}

export function loadClient(connection: Connection, clientId: ClientId): Client | null {
  return connection.rows.read("client", clientId, () => {
    const row = connection.one<ClientRow>(CLIENT, clientId)
    return row === null ? null : clientOf(row)
  })
}

export function loadAccount(connection: Connection, userId: UserId): Account | null {
  return connection.rows.read("account", userId, () => {
    const row = connection.one<AccountRow>(ACCOUNT, userId)
    return row === null ? null : accountOf(row)
  })
}

function loadedRowOf(connection: Connection, tokenId: TokenId, rows: LoadedRows): LoadedRow | null {
  const known = rows.get(tokenId)
  if (known !== undefined) return known
  const row = loadRowid(connection, tokenId)
  if (row !== null) rows.set(tokenId, row)
  return row
}
