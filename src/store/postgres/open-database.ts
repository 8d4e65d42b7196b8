/** From the address of a database to one that works: connected, checked, and of this version. */
import type pg from "pg"
import { Connection } from "./connection.ts"
import { type DatabaseAddress, parseAddress } from "./address.ts"
import { Database } from "./database.ts"
import { migrate } from "./migrate.ts"
import { Pool } from "./pool.ts"
import { ConnectionLost, sqlStateOf } from "./postgres-error.ts"
import { asStartProblem, refuseOldServer } from "./start-problem.ts"

const CONNECT_MILLISECONDS = 1400

/** Nobody waits for an answer of a service that starts, on a machine that has much else to start. */
const FIRST_CONNECT_MILLISECONDS = 15_000

/** Connections of one node, where nobody says otherwise. */
const POOL_SIZE = 10

/** What no request waits for longer. Lists, migrations and the sweep raise it for their own transactions. */
const limits = {
  statement_timeout: 5000,
  lock_timeout: 3000,
  idle_in_transaction_session_timeout: 10_000,
} as const

/**
 * Connects, and brings the database to this version where needed. `url` is `postgres://…`; its parameter `pool`, or
 * `poolSize`, bounds the connections.
 *
 * Throws, with a sentence for people that holds no password, what keeps it from working; `StoreUnavailable` where the server is
 * away.
 */
export async function openDatabase(url: string, poolSize?: number): Promise<Database> {
  const address = parseAddress(url)
  try {
    // Not of the pool: a long migration is no sign that the server is gone.
    const connection = await connector(address, FIRST_CONNECT_MILLISECONDS)()
    try {
      await refuseOldServer(connection)
      await migrate(connection)
    } finally {
      await connection.end()
    }
  } catch (error) {
    throw asStartProblem(error, address)
  }
  const connect = connector(address)
  return new Database(new Pool({ connect, size: poolSize ?? address.poolSize ?? POOL_SIZE }))
}

/** A connection by itself. The caller ends it. */
export function openConnection(url: string): Promise<Connection> {
  return connector(parseAddress(url))()
}

/** Opens connections that are set as the engine needs them. A pooler that refuses limits at the start goes without them. */
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
      await makeSure(connection)
      return connection
    } catch (error) {
      connection.destroy(error as Error)
      throw error
    }
  }
}

type Settings = { readonly commit: string; readonly readonly: string; readonly encoding: string }

/** An answer is durable, and goes to a server that takes writes. */
async function makeSure(connection: Connection): Promise<void> {
  const sql = `SELECT current_setting('synchronous_commit') AS commit, current_setting('transaction_read_only') AS readonly,
    current_setting('server_encoding') AS encoding`
  const [settings] = (await connection.query<Settings>(sql, [])).rows
  if (settings?.readonly === "on") throw new ConnectionLost("the server only reads: it is a replica")
  if (settings?.encoding !== "UTF8")
    throw new Error(`the database is encoded in ${settings?.encoding}, not in UTF8`)
  if (settings.commit === "off") await connection.script("SET synchronous_commit = on")
}

function isUnknownParameter(error: unknown): boolean {
  return sqlStateOf(error) === "08P01" && (error as Error).message.includes("startup parameter")
}
