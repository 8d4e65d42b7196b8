/** Converts errors at the start of PostgreSQL into messages for the operator. */
import { StoreUnavailable } from "../../unavailable.ts"
import type { DatabaseAddress } from "./address.ts"
import type { Connection } from "./connection.ts"
import { isUnavailable, sqlStateOf } from "./postgres-error.ts"

const OLDEST_VERSION = 15

export async function refuseOldServer(connection: Connection): Promise<void> {
  const sql =
    "SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS shown"
  const [version] = (await connection.query<{ number: string; shown: string }>(sql, [])).rows
  if (version !== undefined && Number(version.number) < OLDEST_VERSION * 10_000)
    throw new Error(
      `the PostgreSQL server is version ${version.shown}; Latchkey needs ${OLDEST_VERSION} or newer`,
    )
}

export class MayNotWrite extends Error {}

/** Throws if the database user may only read. Otherwise the first request would fail. */
export async function refuseReader(connection: Connection, { shown }: DatabaseAddress): Promise<void> {
  const rights = ["SELECT", "INSERT", "UPDATE", "DELETE"].map(
    (right) => `has_table_privilege('credential', '${right}')`,
  )
  const { rows } = await connection.query<{ may: number }>(`SELECT ${rights.join(" AND ")} AS may`, [])
  if (rows[0]?.may !== 1)
    throw new MayNotWrite(
      `the user of the database URL may not write in ${shown}: let it own the tables, or grant it ALL on the tables and their sequences`,
    )
}

/**
 * Returns an error that names the owner of the tables, if it is another user. A restore by the superuser leaves the
 * tables to the superuser. Returns null if the tables belong to this user, or are missing.
 */
export async function foreignOwner(
  connection: Connection,
  { shown }: DatabaseAddress,
): Promise<Error | null> {
  await connection.query("ROLLBACK", [])
  const sql = `SELECT tableowner::text AS owner, current_user::text AS self FROM pg_tables
    WHERE tablename = 'credential' AND schemaname = ANY(current_schemas(false)) AND tableowner <> current_user`
  const [found] = (await connection.query<{ owner: string; self: string }>(sql, [])).rows
  if (found === undefined) return null
  const { owner, self } = found
  return new Error(
    `the tables in ${shown} belong to ${owner}, and the database URL names ${self}: restore as ${self} ` +
      `(pg_restore --no-owner), or let ${owner} run ALTER TABLE … OWNER TO ${self} for each table and sequence`,
  )
}

/** Messages by SQLSTATE. Each says what the problem is and how to fix it. */
const problems: ReadonlyMap<string, (shown: string) => string> = new Map([
  ["3D000", (shown) => `there is no database ${shown}: create it first (createdb)`],
  ["28P01", (shown) => `the user name or the password is wrong for ${shown}`],
  ["28000", (shown) => `the user of the database URL may not connect to ${shown}: check pg_hba.conf`],
  [
    "42501",
    (shown) =>
      `the user of the database URL lacks privileges in ${shown}: let it own the database, or grant it CREATE on the schema`,
  ],
  ["3F000", (shown) => `there is no schema for new tables in ${shown}: create one, or check search_path`],
  [
    "42P07",
    (shown) =>
      `another program has tables in ${shown}: give Latchkey a database of its own, or an empty schema by search_path`,
  ],
])

/** The driver's message for a missing password. */
const NO_PASSWORD = /client password must be a/

/** Converts an error into a message for the operator. The original error becomes its cause. */
export function asStartProblem(error: unknown, { shown }: DatabaseAddress): unknown {
  if (NO_PASSWORD.test(causeOf(error)))
    return new Error(`the server requires a password for ${shown}, but the database URL has none`, {
      cause: error,
    })
  const state = sqlStateOf(error)
  const problem = problems.get(state ?? "")
  if (problem !== undefined) return new Error(problem(shown), { cause: error })
  if (!isUnavailable(error)) return error
  const why = causeOf(error)
  return new StoreUnavailable(`the PostgreSQL server cannot be reached for ${shown} (${why})`, {
    cause: error,
  })
}

function causeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (inner instanceof AggregateError) return causeOf(inner.errors[0])
  return inner instanceof Error ? inner.message : String(inner)
}
