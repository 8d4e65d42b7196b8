/** From the address of a database to one that works: connected, checked, and of this version. */
import type pg from "pg"
import { Connection } from "./driver/connection.ts"
import { type DatabaseAddress, parseAddress } from "./driver/address.ts"
import { Database } from "./driver/database.ts"
import { migrate, versionOf } from "./migrate.ts"
import { Pool } from "./driver/pool.ts"
import { ConnectionLost, sqlStateOf } from "./driver/postgres-error.ts"
import { asStartProblem, refuseOldServer, refuseReader } from "./driver/start-problem.ts"

const CONNECT_MILLISECONDS = 1400

/** A starting service has no requests waiting, and the machine may be busy starting other services. */
const FIRST_CONNECT_MILLISECONDS = 15_000

/** Connections of one node by default. */
const POOL_SIZE = 10

/** For a row that another holds it is asked again (`LOCK_TRIES`); for a locked table it is not (`table-lock.ts`). */
const LOCK_WAIT_MS = 500

/** What no request waits for longer. Lists, migrations and the sweep raise it for their own transactions. */
const limits = {
  statement_timeout: 5000,
  lock_timeout: LOCK_WAIT_MS,
  idle_in_transaction_session_timeout: 10_000,
} as const

export type OpenOptions = {
  /** Limits the connections, like the parameter `pool` of the URL. */
  readonly poolSize?: number | undefined
  /** Whether a database without a schema gets one. */
  readonly mayMake?: boolean | undefined
}

/**
 * Connects, and brings the database to this version where needed. `url` is `postgres://…`.
 *
 * Throws, with a sentence for people that holds no password, what keeps it from working; `StoreUnavailable` where the server is
 * away.
 */
export async function openDatabase(
  url: string,
  { poolSize, mayMake = true }: OpenOptions = {},
): Promise<Database> {
  const address = parseAddress(url)
  try {
    // Not of the pool: a long migration is no sign that the server is gone.
    const connection = await connector(address, FIRST_CONNECT_MILLISECONDS)()
    try {
      await refuseOldServer(connection)
      if (!mayMake && (await versionOf(connection)) === 0)
        throw new Error(`there is no Latchkey in ${address.shown} yet: start the service on it once`)
      await migrate(connection)
      await refuseReader(connection, address)
    } finally {
      await connection.end()
    }
  } catch (error) {
    throw asStartProblem(error, address)
  }
  const connect = connector(address)
  return new Database(new Pool({ connect, size: poolSize ?? address.poolSize ?? POOL_SIZE }))
}

/** A connection outside the pool. The caller closes it. */
export function openConnection(url: string): Promise<Connection> {
  return connector(parseAddress(url))()
}

/** Opens connections with the settings of this engine. A pooler that refuses startup parameters gets none. */
function connector({ url }: DatabaseAddress, milliseconds = CONNECT_MILLISECONDS): () => Promise<Connection> {
  const plain: pg.ClientConfig = { connectionString: url, keepAlive: true, application_name: "latchkey" }
  let config: pg.ClientConfig = { ...plain, ...limits }
  const open = async (): Promise<Connection> => {
    try {
      return await Connection.open(config, milliseconds)
    } catch (error) {
      if (config === plain || !isUnknownParameter(error)) throw error
      config = plain
      return Connection.open(config, milliseconds)
    }
  }
  return async () => {
    const connection = await open()
    try {
      await makeSure(connection, config !== plain)
      return connection
    } catch (error) {
      connection.destroy(error as Error)
      throw error
    }
  }
}

/** What an operator may have set otherwise for the role or the database, and what it has to be here. */
const settings = [
  // A change that was answered must survive a crash. Every value but off waits for the server's own disk.
  { name: "synchronous_commit", isGood: (value: string) => value !== "off", wanted: "on" },
  // Stricter levels reject conflicts, and a single statement is not retried.
  {
    name: "default_transaction_isolation",
    isGood: (value: string) => value === "read committed",
    wanted: "read committed",
  },
] as const

type Current = { readonly values: readonly string[]; readonly readonly: string; readonly encoding: string }

/**
 * Checks that answers are durable and that the server takes writes. `isOwn`: settings stay with this connection; a pooler
 * would pass them on to the next client.
 */
async function makeSure(connection: Connection, isOwn: boolean): Promise<void> {
  const sql = `SELECT ARRAY[${settings.map(({ name }) => `current_setting('${name}')`).join(", ")}] AS values,
    current_setting('transaction_read_only') AS readonly, current_setting('server_encoding') AS encoding`
  const [current] = (await connection.query<Current>(sql, [])).rows
  if (current?.readonly === "on")
    throw new ConnectionLost("the server only reads: it is a replica, or default_transaction_read_only is on")
  if (current?.encoding !== "UTF8")
    throw new Error(`the database is encoded in ${current?.encoding}, not in UTF8`)
  for (const [place, { name, isGood, wanted }] of settings.entries()) {
    const value = current.values[place] ?? ""
    if (isGood(value)) continue
    if (!isOwn)
      throw new Error(
        `${name} is ${value} for the user of the database URL, and cannot be set through a pooler: ` +
          `ALTER ROLE … SET ${name} = '${wanted}'`,
      )
    await connection.script(`SET ${name} = '${wanted}'`)
  }
}

function isUnknownParameter(error: unknown): boolean {
  return sqlStateOf(error) === "08P01" && (error as Error).message.includes("startup parameter")
}
