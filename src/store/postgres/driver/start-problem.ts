/** Start errors of PostgreSQL as messages for the operator. */
import { StoreUnavailable } from "../../store.ts"
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

/** A user with read permission only would fail at the first request. */
export async function refuseReader(connection: Connection, { shown }: DatabaseAddress): Promise<void> {
  const rights = ["SELECT", "INSERT", "UPDATE", "DELETE"].map(
    (right) => `has_table_privilege('credential', '${right}')`,
  )
  const { rows } = await connection.query<{ may: number }>(`SELECT ${rights.join(" AND ")} AS may`, [])
  if (rows[0]?.may !== 1)
    throw new Error(
      `the user of the database URL may not write in ${shown}: let it own the tables, or grant it all on them and their sequences`,
    )
}

/** By SQLSTATE: the problem, and the way out. */
const problems: ReadonlyMap<string, (shown: string) => string> = new Map([
  ["3D000", (shown) => `there is no database ${shown}: create it first (createdb)`],
  ["28P01", (shown) => `the server refuses the name or the password for ${shown}`],
  ["28000", (shown) => `the server lets this user not in to ${shown} (pg_hba.conf)`],
  [
    "42501",
    (shown) =>
      `the user of the database URL may not do what is needed in ${shown}: let it own the database, or grant it CREATE on the schema`,
  ],
  ["3F000", (shown) => `there is no schema to make tables in, in ${shown}`],
])

/** What the driver says if it has no password. */
const NO_PASSWORD = /client password must be a/

/** The error as `serve` and the commands tell it. What is behind it stays its cause. */
export function asStartProblem(error: unknown, { shown }: DatabaseAddress): unknown {
  if (NO_PASSWORD.test(causeOf(error)))
    return new Error(`the server asks for a password, and the database URL has none, for ${shown}`, {
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
