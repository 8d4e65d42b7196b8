/**
 * From what rules ask for to the rows they find, for many rules in one round trip: a statement for each kind of row, with
 * the keys of all who ask as one parameter.
 */
import type { Account } from "../../core/account.ts"
import type { Client } from "../../core/client.ts"
import type { Hash, TokenId } from "../../core/brand.ts"
import type { Credential } from "../../core/credential.ts"
import { accountColumns, accountOf, type AccountRow } from "../rows/account-row.ts"
import { clientColumns, clientOf, type ClientRow } from "../rows/client-row.ts"
import { credentialColumns, credentialOf, type CredentialRow } from "../rows/credential-row.ts"
import { deviceGrantColumns, deviceGrantOf } from "../rows/device-grant-row.ts"
import { factorColumns, factorOf, type FactorRow, passkeyOf } from "../rows/factor-row.ts"
import { sessionColumns, sessionOf } from "../rows/session-row.ts"
import type { Found, Load, Loadable } from "../store.ts"
import { binaryArray } from "./binary-array.ts"
import type { Connection } from "./connection.ts"

type Kind = keyof Loadable

/** A row, with the key that it was asked for by; no table has a column of that name. */
type Asked<Row> = Row & { readonly load_key: string }

/** How one kind is looked up: a statement that takes the keys, and what its rows are. */
type Lookup<K extends Kind> = {
  readonly sql: string
  /** The parameters; the keys as they are where nothing is said. */
  readonly parameters?: (keys: readonly string[]) => Buffer[]
  /** From all rows of one key, of which there is at least one. */
  readonly found: (rows: readonly never[]) => Loadable[K]["row"]
}

/** Looked up with others of their table, and by what is in the credential. */
type Joined = "client" | "appOf" | "account" | "ownerOf"

const first =
  <Row, T>(of: (row: Row) => T) =>
  (rows: readonly Row[]): T =>
    of(rows[0] as Row)

const CREDENTIAL = `SELECT token_id AS load_key, version, ${credentialColumns} FROM credential WHERE token_id = ANY(?)`
const PLACES = "SELECT token_id, client_id, user_id FROM credential WHERE token_id = ANY(?)"
const CLIENTS = `SELECT ${clientColumns} FROM client WHERE client_id = ANY(?)`
const CLIENTS_OF = `
  SELECT ${clientColumns} FROM client WHERE client_id IN
    (SELECT unnest(?::text[]) UNION SELECT client_id FROM credential WHERE token_id = ANY(?))`
const ACCOUNTS = `SELECT ${accountColumns} FROM account WHERE user_id = ANY(?)`
const ACCOUNTS_OF = `
  SELECT ${accountColumns} FROM account WHERE user_id IN
    (SELECT unnest(?::text[]) UNION SELECT user_id FROM credential WHERE token_id = ANY(?))`

const lookups: { readonly [K in Exclude<Kind, Joined>]: Lookup<K> } = {
  credential: { sql: CREDENTIAL, found: first(credentialOf) },
  clientByRegistration: {
    sql: `SELECT registration_hash AS load_key, ${clientColumns} FROM client WHERE registration_hash = ANY(?)`,
    found: first(clientOf),
  },
  ownedApps: {
    sql: `SELECT load_key, (SELECT count(*) FROM client WHERE owner_id = load_key) AS count FROM unnest(?::text[]) AS load_key`,
    found: first(({ count }: { count: number }) => ({ count })),
  },
  accountByName: {
    sql: `SELECT username_key AS load_key, ${accountColumns} FROM account WHERE username_key = ANY(?)`,
    found: first(accountOf),
  },
  deviceGrant: {
    sql: `SELECT grant_id AS load_key, ${deviceGrantColumns} FROM device_grant WHERE grant_id = ANY(?)`,
    found: first(deviceGrantOf),
  },
  deviceGrantByCode: {
    sql: `SELECT user_code_hash AS load_key, ${deviceGrantColumns} FROM device_grant WHERE user_code_hash = ANY(?)`,
    found: first(deviceGrantOf),
  },
  approverOf: {
    sql: `SELECT grant_id AS load_key, ${accountColumns} FROM device_grant JOIN account USING (user_id) WHERE grant_id = ANY(?)`,
    found: first(accountOf),
  },
  factors: {
    sql: `SELECT user_id AS load_key, ${factorColumns} FROM factor WHERE user_id = ANY(?) ORDER BY factor_id`,
    found: (rows: readonly FactorRow[]) => rows.map(factorOf),
  },
  factor: {
    sql: `SELECT factor_id AS load_key, ${factorColumns} FROM factor WHERE factor_id = ANY(?)`,
    found: first(factorOf),
  },
  passkey: {
    sql: `SELECT credential_id AS load_key, ${factorColumns} FROM factor WHERE credential_id = ANY(?)`,
    found: first(passkeyOf),
  },
  session: {
    sql: `SELECT session_hash AS load_key, ${sessionColumns} FROM session WHERE session_hash = ANY(?)`,
    found: first(sessionOf),
  },
  signedIn: {
    sql: `SELECT session_hash AS load_key, ${accountColumns} FROM session JOIN account USING (user_id) WHERE session_hash = ANY(?)`,
    found: first(accountOf),
  },
  spentTicket: {
    sql: "SELECT ticket_id AS load_key, spent_at FROM spent_ticket WHERE ticket_id = ANY(?)",
    found: first(({ spent_at }: { spent_at: number }) => ({ spentAt: spent_at })),
  },
  knownBrowser: {
    sql: `SELECT browser_hash || ' ' || user_id AS load_key, seen_at FROM known_browser
      WHERE (browser_hash, user_id) IN (SELECT * FROM unnest(?::text[], ?::text[]))`,
    parameters: (keys) => {
      const pairs = keys.map((key) => key.split(" "))
      return [0, 1].map((side) =>
        binaryArray(
          "text",
          pairs.map((pair) => pair[side] ?? ""),
        ),
      )
    },
    found: first(({ seen_at }: { seen_at: number }) => ({ at: seen_at })),
  },
  icon: {
    sql: "SELECT client_id AS load_key, png, png_hash FROM icon WHERE client_id = ANY(?)",
    found: first(({ png, png_hash }: { png: Uint8Array; png_hash: string }) => ({
      png,
      hash: png_hash as Hash,
    })),
  },
  setting: { sql: "SELECT key AS load_key, value FROM setting WHERE key = ANY(?)", found: first(valueOf) },
  meta: { sql: "SELECT key AS load_key, value FROM meta WHERE key = ANY(?)", found: first(valueOf) },
  setupLink: {
    sql: "SELECT 'true' AS load_key, link_hash, made_at FROM setup_link",
    parameters: () => [],
    found: first(({ link_hash, made_at }: { link_hash: string; made_at: number }) => ({
      hash: link_hash as Hash,
      at: made_at,
    })),
  },
  anyAccount: {
    sql: `SELECT 'true' AS load_key, ${accountColumns} FROM account LIMIT 1`,
    parameters: () => [],
    found: first(accountOf),
  },
  otherAdministrator: {
    sql: `SELECT load_key, other.* FROM unnest(?::text[]) AS load_key CROSS JOIN LATERAL
      (SELECT ${accountColumns} FROM account WHERE admin = 1 AND enabled = 1 AND user_id <> load_key LIMIT 1) AS other`,
    found: first(accountOf),
  },
}

/** What the rules of one batch find. Rows become objects when they are asked for: one that cannot be read fails its rule alone. */
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
    for (const row of rows)
      this.#clients.set(
        row.client_id,
        once(() => clientOf(row)),
      )
  }

  addAccounts(rows: readonly AccountRow[]): void {
    for (const row of rows)
      this.#accounts.set(
        row.user_id,
        once(() => accountOf(row)),
      )
  }

  addPlaces(rows: readonly Pick<CredentialRow, "token_id" | "client_id" | "user_id">[]): void {
    for (const row of rows) this.#places.set(row.token_id, row)
  }

  /** The version that a credential was read at, of those that were found. */
  versionOf(tokenId: TokenId): number {
    const [row] = (this.#rows.get("credential")?.get(tokenId) ?? []) as readonly { version: number }[]
    if (row === undefined) throw new Error(`the credential ${tokenId} was not read`)
    return row.version
  }

  /** `credential`, where given, stands for the stored one: what an earlier rule of the batch made of it. */
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
    const rows = this.#rows.get(kind)?.get(key)
    if (rows === undefined) return kind === "factors" ? [] : null
    return lookups[kind].found(rows)
  }

  #client(id: string | undefined): Client | null {
    return this.#clients.get(id ?? "")?.() ?? null
  }

  #account(id: string | undefined): Account | null {
    return this.#accounts.get(id ?? "")?.() ?? null
  }
}

/** Sends the statements for all of `loads` and waits for their rows: one round trip. The caller sees to one view. */
export async function loadTogether(connection: Connection, loads: readonly Load[]): Promise<Loaded> {
  const keys = keysOf(loads)
  const loaded = new Loaded()
  const under: Promise<void>[] = []
  const ask = <Row>(sql: string, parameters: Buffer[], add: (rows: Row[]) => void) =>
    under.push(connection.query<Row>(sql, parameters).then(({ rows }) => add(rows)))
  askForJoined(keys, loaded, ask)
  for (const [kind, set] of keys) {
    if (isJoined(kind)) continue
    const { sql, parameters = textParameter } = lookups[kind]
    ask<Asked<CredentialRow>>(sql, parameters([...set]), (rows) => {
      loaded.addRows(kind, rows)
      if (kind === "credential") loaded.addPlaces(rows)
    })
  }
  await Promise.all(under)
  return loaded
}

/** The same as one view, so that what a rule finds was so at one moment; not within a transaction. */
export async function loadView(connection: Connection, loads: readonly Load[]): Promise<Loaded> {
  const begun = connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", [])
  const loading = loadTogether(connection, loads)
  const ended = connection.query("COMMIT", [])
  const [, loaded] = await Promise.all([begun, loading, ended])
  return loaded
}

type Ask = <Row>(sql: string, parameters: Buffer[], add: (rows: Row[]) => void) => void

/** Each app and each account is read once, whether it is asked for by its id or as that of a credential. */
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
  const whole = keys.get("credential")
  const places = [...new Set([...apps, ...owners])].filter((tokenId) => whole?.has(tokenId) !== true)
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

/** A key as text. PostgreSQL keeps no text with a zero in it: such a key finds nothing, and is never sent. */
function keyOf(kind: Kind, load: Load): string | null {
  const key = load[kind]
  if (key === null || key === undefined) return null
  const text =
    typeof key === "object" ? `${key.browserHash} ${key.userId}` : String(key satisfies string | true)
  return text.includes("\0") ? null : text
}

function isJoined(kind: Kind): kind is Joined {
  return kind === "client" || kind === "appOf" || kind === "account" || kind === "ownerOf"
}

function textParameter(keys: readonly string[]): Buffer[] {
  return [binaryArray("text", keys)]
}

/** Many rules of a batch ask for the same few. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function valueOf({ value }: { readonly value: string }): { readonly value: string } {
  return { value }
}
