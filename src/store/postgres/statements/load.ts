/**
 * Loads rows for many rules in one round trip. There is one statement for each kind of row. All keys are in one
 * parameter.
 */
import type { Account } from "../../../model/account.rules.ts"
import type { Client } from "../../../model/clients/client.rules.ts"
import type { ClientId, TokenId } from "../../../kernel/ids.ts"
import type { Credential } from "../../../model/credential.rules.ts"
import { accountColumns, accountOf, type AccountRow } from "../../codecs/account-row.ts"
import { clientColumns, clientOf, type ClientRow } from "../../codecs/client-row.ts"
import type { CredentialRow } from "../../codecs/credential-row.ts"
import type { Found, Load } from "../../loadable.ts"
import { binaryArray } from "../driver/binary-array.ts"
import type { Connection } from "../driver/connection.ts"
import type { Kind } from "../../statements/lookups.ts"
import { type Joined, lookups } from "./lookups.ts"

/** A row, and the key that was asked for. No table has a column with this name. */
type Asked<Row> = Row & { readonly load_key: string }

const PLACES = "SELECT token_id, client_id, user_id FROM credential WHERE token_id = ANY(?)"
export const CLIENTS = `SELECT ${clientColumns} FROM client WHERE client_id = ANY(?)`
const CLIENTS_OF = `
  SELECT ${clientColumns} FROM client WHERE client_id =
    ANY(?::text[] || ARRAY(SELECT client_id FROM credential WHERE token_id = ANY(?)))`
export const ACCOUNTS = `SELECT ${accountColumns} FROM usable_account AS account WHERE user_id = ANY(?)`
/** Compared with a join, the arrays always use the index, and need two thirds of the time. */
const ACCOUNTS_OF = `
  SELECT ${accountColumns} FROM usable_account AS account WHERE user_id =
    ANY(?::text[] || ARRAY(SELECT user_id FROM credential WHERE token_id = ANY(?)))`

/** The rows of one batch. A row is decoded when a rule needs it, so an unreadable row fails only that rule. */
export class Loaded {
  readonly #rows = new Map<Kind, ReadonlyMap<string, readonly never[]>>()
  readonly #clients = new Map<string, () => Client>()
  readonly #accounts = new Map<string, () => Account>()
  readonly #places = new Map<string, { readonly client_id: string; readonly user_id: string }>()

  addRows(kind: Kind, rows: readonly Asked<object>[]): void {
    const byKey = new Map<string, Asked<object>[]>()
    for (const row of rows) {
      const same = byKey.get(row.load_key)
      if (same === undefined) byKey.set(row.load_key, [row])
      else same.push(row)
    }
    this.#rows.set(kind, byKey as unknown as ReadonlyMap<string, readonly never[]>)
  }

  addClients(rows: readonly ClientRow[]): void {
    for (const row of rows) this.#clients.set(row.client_id, once(clientOf, row))
  }

  addAccounts(rows: readonly AccountRow[]): void {
    for (const row of rows) this.#accounts.set(row.user_id, once(accountOf, row))
  }

  addPlaces(rows: readonly Pick<CredentialRow, "token_id" | "client_id" | "user_id">[]): void {
    for (const row of rows) this.#places.set(row.token_id, row)
  }

  versionOf(tokenId: TokenId): number {
    return this.#version("credential", tokenId)
  }

  /** Returns the version of the credential that an app is bound to. */
  versionOfBound(clientId: ClientId): number {
    return this.#version("boundCredential", clientId)
  }

  #version(kind: "credential" | "boundCredential", key: string): number {
    const [row] = (this.#rows.get(kind)?.get(key) ?? []) as readonly { version: number }[]
    if (row === undefined) throw new Error(`the credential of ${key} was not read`)
    return row.version
  }

  /**
   * Returns the rows for one rule. If an earlier rule of the batch changed the credential, `credential` is its result
   * and replaces the row.
   */
  found<L extends Load>(load: L, credential?: Credential): Found<L> {
    const found: Partial<Record<Kind, unknown>> = {}
    for (const kind of Object.keys(load) as Kind[]) {
      found[kind] =
        kind === "credential" && credential !== undefined ? credential : this.#row(kind, keyOf(kind, load))
    }
    return found as Found<L>
  }

  #row(kind: Kind, key: string | null): unknown {
    if (key === null) return null
    if (kind === "client") return this.#client(key)
    if (kind === "appOf") return this.#client(this.#places.get(key)?.client_id)
    if (kind === "account") return this.#account(key)
    if (kind === "ownerOf") return this.#account(this.#places.get(key)?.user_id)
    const rows = this.#rows.get(kind)?.get(key) ?? []
    const lookup = lookups[kind]
    if ("rows" in lookup) return rows.map(lookup.rows)
    const [row] = rows
    return row === undefined ? null : lookup.row(row)
  }

  #client(id: string | undefined): Client | null {
    return this.#clients.get(id ?? "")?.() ?? null
  }

  #account(id: string | undefined): Account | null {
    return this.#accounts.get(id ?? "")?.() ?? null
  }
}

/**
 * Sends the statements for all of `loads` in one round trip. The transaction of the caller makes the view consistent.
 */
export async function loadTogether(connection: Connection, loads: readonly Load[]): Promise<Loaded> {
  const keys = keysOf(loads)
  const loaded = new Loaded()
  const under: Promise<void>[] = []
  const ask = <Row>(sql: string, parameters: Buffer[], add: (rows: Row[]) => void) =>
    under.push(connection.query<Row>(sql, parameters).then(({ rows }) => add(rows)))
  askForJoined(keys, loaded, ask)
  for (const [kind, set] of keys) {
    if (isJoined(kind)) continue
    ask<Asked<CredentialRow>>(lookups[kind].sql, [binaryArray("text", [...set])], (rows) => {
      loaded.addRows(kind, rows)
      if (kind === "credential" || kind === "tokensOf") loaded.addPlaces(rows)
    })
  }
  await Promise.all(under)
  return loaded
}

/** Loads the rows as one consistent view, in a transaction of its own. */
export async function loadView(connection: Connection, loads: readonly Load[]): Promise<Loaded> {
  const send = () =>
    Promise.all([
      connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", []),
      loadTogether(connection, loads),
      connection.query("COMMIT", []),
    ])
  const [, loaded] = await connection.orRollBack(() => connection.together(send))
  return loaded
}

type Ask = <Row>(sql: string, parameters: Buffer[], add: (rows: Row[]) => void) => void

/** Reads each app and each account once. Rules may ask for one by its id or through a credential. */
function askForJoined(keys: ReadonlyMap<Kind, ReadonlySet<string>>, loaded: Loaded, ask: Ask): void {
  const of = (kind: Kind) => [...(keys.get(kind) ?? [])]
  const text = (values: readonly string[]) => binaryArray("text", values)
  const [clients, apps, accounts, owners] = [of("client"), of("appOf"), of("account"), of("ownerOf")]
  const addClients = (rows: ClientRow[]) => loaded.addClients(rows)
  const addAccounts = (rows: AccountRow[]) => loaded.addAccounts(rows)
  if (apps.length > 0) ask(CLIENTS_OF, [text(clients), text(apps)], addClients)
  else if (clients.length > 0) ask(CLIENTS, [text(clients)], addClients)
  if (owners.length > 0) ask(ACCOUNTS_OF, [text(accounts), text(owners)], addAccounts)
  else if (accounts.length > 0) ask(ACCOUNTS, [text(accounts)], addAccounts)
  const whole = (tokenId: string) =>
    keys.get("credential")?.has(tokenId) === true || keys.get("tokensOf")?.has(tokenId) === true
  const places = [...new Set([...apps, ...owners])].filter((tokenId) => !whole(tokenId))
  if (places.length > 0) ask<CredentialRow>(PLACES, [text(places)], (rows) => loaded.addPlaces(rows))
}

function keysOf(loads: readonly Load[]): Map<Kind, Set<string>> {
  const keys = new Map<Kind, Set<string>>()
  for (const load of loads) {
    for (const kind of Object.keys(load) as Kind[]) {
      const key = keyOf(kind, load)
      if (key === null) continue
      const set = keys.get(kind)
      if (set === undefined) keys.set(kind, new Set([key]))
      else set.add(key)
    }
  }
  return keys
}

/** Returns a key as text. Returns null if the text contains NUL, which PostgreSQL cannot store. */
function keyOf(kind: Kind, load: Load): string | null {
  const key = load[kind]
  if (key === null || key === undefined) return null
  const text =
    typeof key === "object"
      ? `${key.browserHash} ${key.userId}`
      : String(key satisfies string | number | true)
  return text.includes("\0") ? null : text
}

function isJoined(kind: Kind): kind is Joined {
  return kind === "client" || kind === "appOf" || kind === "account" || kind === "ownerOf"
}

/** Decodes a row when it is first needed, and only once, because many rules of a batch load the same rows. */
function once<Row, T>(of: (row: Row) => T, row: Row): () => T {
  let made: T | undefined
  return () => (made ??= of(row))
}
