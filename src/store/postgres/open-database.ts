/** Opens a database from its URL. Connects, checks the settings and migrates. */
import type pg from "pg"
import { Connection } from "./driver/connection.ts"
import { type DatabaseAddress, parseAddress } from "./driver/address.ts"
import { Database } from "./driver/database.ts"
import { refuseChange, type SchemaOptions, versionOfLast } from "../schema-steps.ts"
import { migrate, schema, versionOf } from "./migrate.ts"
import { Pool } from "./driver/pool.ts"
import { ConnectionLost, sqlStateOf } from "./driver/postgres-error.ts"
import {
  asStartProblem,
  foreignOwner,
  MayNotWrite,
  refuseOldServer,
  refuseReader,
} from "./driver/start-problem.ts"

/** insufficient_privilege */
const MISSING_RIGHT = "42501"

const CONNECT_MILLISECONDS = 1400

/**
 * This time limit is long, because a service that starts has no waiting requests, and the machine may be busy with
 * other starts.
 */
const FIRST_CONNECT_MILLISECONDS = 15_000

/** The default number of connections of a node. */
const POOL_SIZE = 10

/** The longest time that a statement waits for a lock. The transaction may then run again (`LOCK_TRIES`). */
const LOCK_WAIT_MS = 500

/** The limits for requests. Lists, migrations and sweeps raise them in their own transactions. */
const limits = {
  statement_timeout: 5000,
  lock_timeout: LOCK_WAIT_MS,
  idle_in_transaction_session_timeout: 10_000,
} as const

export type OpenOptions = SchemaOptions & {
  /** The maximum number of connections. It equals the parameter `pool` of the URL. */
  readonly poolSize?: number | undefined
}

/**
 * Connects to `postgres://…`. Creates the tables in an empty database. Migrates older ones if the options allow it.
 *
 * Throws an error with a message for people, which contains no password. Throws `StoreUnavailable` if the server is
 * away.
 */
export async function openDatabase(
  url: string,
  { poolSize, ...options }: OpenOptions = {},
): Promise<Database> {
  const address = parseAddress(url)
  try {
    // This connection does not belong to the pool, because a long migration does not mean that the server is away.
    const connection = await connector(address, FIRST_CONNECT_MILLISECONDS)()
    try {
      await refuseOldServer(connection)
      refuseChange(await versionOf(connection), schema, options, address.shown)
      const from = await migrate(connection)
      if (from !== null && from !== 0) options.migrated?.(from, versionOfLast(schema))
      await refuseReader(connection, address)
    } catch (error) {
      const isRight = sqlStateOf(error) === MISSING_RIGHT || error instanceof MayNotWrite
      throw (isRight ? await foreignOwner(connection, address).catch(() => null) : null) ?? error
    } finally {
      await connection.end()
    }
  } catch (error) {
    throw asStartProblem(error, address)
  }
  const connect = connector(address)
  return new Database(new Pool({ connect, size: poolSize ?? address.poolSize ?? POOL_SIZE }))
}

/**
 * Opens connections with the limits of this engine. If a pooler refuses startup parameters, connects without these
 * limits.
 */
export function connector(
  { url }: DatabaseAddress,
  milliseconds = CONNECT_MILLISECONDS,
): () => Promise<Connection> {
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

/** Settings that an operator may have changed for the role or the database, and the values that the engine requires. */
const settings = [
  // A confirmed change must survive a crash. With any value except off, a commit waits until the server's own disk has
  // it.
  { name: "synchronous_commit", isGood: (value: string) => value !== "off", wanted: "on" },
  // At a stricter level, a conflict makes a statement fail, and a single statement is not tried again.
  {
    name: "default_transaction_isolation",
    isGood: (value: string) => value === "read committed",
    wanted: "read committed",
  },
] as const

type Current = { readonly values: readonly string[]; readonly readonly: string; readonly encoding: string }

/**
 * Checks that commits are durable and that the server accepts writes. Corrects the settings if `isOwn` is true, because
 * there is no pooler. A pooler would pass corrected settings on to its next client.
 */
async function makeSure(connection: Connection, isOwn: boolean): Promise<void> {
  const sql = `SELECT ARRAY[${settings.map(({ name }) => `current_setting('${name}')`).join(", ")}] AS values,
    current_setting('transaction_read_only') AS readonly, current_setting('server_encoding') AS encoding`
  const [current] = (await connection.query<Current>(sql, [])).rows
  if (current?.readonly === "on")
    throw new ConnectionLost(
      "the server accepts no writes: it is a replica, or default_transaction_read_only is on",
    )
  if (current?.encoding !== "UTF8")
    throw new Error(`the encoding of the database is ${current?.encoding}; Latchkey needs UTF8`)
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
