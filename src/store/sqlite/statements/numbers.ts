/**
 * Numbers for accounts, apps and scopes. A credential stores a number in one to three bytes, in place of 26 or more. A
 * number always means the same identifier. The number is deleted with the last credential of a removed account or app.
 */
import { accountColumns, accountOf, type AccountRow } from "../../codecs/account-row.ts"
import type { Connection } from "../engine/connection.ts"

/** This many scopes of an app get a number. All further scopes are stored as text, so that the table stays small. */
const SCOPES_OF_AN_APP = 8

const NUMBER = "SELECT number FROM name WHERE id = ?"
const NAME = "SELECT id FROM name WHERE number = ?"
const NAME_AND_ACCOUNT = `SELECT id, ${accountColumns} FROM name LEFT JOIN usable_account AS account ON user_id = id WHERE number = ?`
const SCOPE_NUMBER = "SELECT number FROM scope WHERE client = ? AND names = ?"
const SCOPES = "SELECT count(*) AS count FROM scope WHERE client = ?"
const SCOPE = "SELECT names FROM scope WHERE number = ?"

/** Returns the number of an account or an app. Returns null if it has none. */
export function numberOf(connection: Connection, id: string): number | null {
  return (
    connection.rows.read("number", id, () => connection.one<{ number: number }>(NUMBER, id))?.number ?? null
  )
}

/** Returns the number of an account or an app. Inserts a number if needed. */
export function numberFor(connection: Connection, id: string): number {
  const known = numberOf(connection, id)
  if (known !== null) return known
  connection.run("INSERT INTO name (id) VALUES (?)", id)
  return numberOf(connection, id) ?? throwMissing(`number of ${id}`)
}

/** Returns the identifier that a number stands for. */
export function nameOf(connection: Connection, number: number): string {
  return connection.rows.readNumbered("name", number, () => {
    const row = connection.one<{ id: string }>(NAME, number)
    return row === null ? throwMissing(`name ${number}`) : row.id
  })
}

/** Returns the account id that a number stands for. Also caches the row of the account, because it is needed next. */
export function accountNameOf(connection: Connection, number: number): string {
  return connection.rows.readNumbered("name", number, () => {
    const row = connection.one<AccountRow & { readonly id: string }>(NAME_AND_ACCOUNT, number)
    if (row === null) return throwMissing(`name ${number}`)
    if (row.user_id === row.id) connection.rows.read("account", row.id, () => accountOf(row))
    return row.id
  })
}

/** Returns how a row stores a scope: as the number of its names, or as the names themselves. */
export function scopeFor(
  connection: Connection,
  client: number,
  names: string,
): readonly [number: number | null, names: string | null] {
  const known = scopeNumber(connection, client, names)
  if (known !== null) return [known, null]
  const { count = 0 } = connection.one<{ count: number }>(SCOPES, client) ?? {}
  if (count >= SCOPES_OF_AN_APP) return [null, names]
  connection.run("INSERT INTO scope (client, names) VALUES (?, ?)", client, names)
  return [scopeNumber(connection, client, names), null]
}

function scopeNumber(connection: Connection, client: number, names: string): number | null {
  const read = () => connection.one<{ number: number }>(SCOPE_NUMBER, client, names)
  return connection.rows.read("scopeNumber", `${client} ${names}`, read)?.number ?? null
}

/** Returns the names of a stored scope. */
export function scopeOf(connection: Connection, scope: number | string): string {
  if (typeof scope === "string") return scope
  return connection.rows.readNumbered("scope", scope, () => {
    const row = connection.one<{ names: string }>(SCOPE, scope)
    return row === null ? throwMissing(`scope ${scope}`) : row.names
  })
}

function throwMissing(what: string): never {
  throw new Error(`the database has lost the ${what}`)
}
