/**
 * Databases of their own for tests on PostgreSQL: on the server that `LATCHKEY_TEST_POSTGRES` names (an address of a
 * superuser), or on one that is started for this process.
 */
import { randomBytes } from "node:crypto"
import pg from "pg"
import { type PostgresOptions, postgresMissing, PostgresServer } from "./postgres-server.ts"
import type { Span } from "./spawn.ts"

export type FreshDatabase = { readonly url: string; readonly drop: () => Promise<void> }

const named = process.env["LATCHKEY_TEST_POSTGRES"]
const missing = findMissing()

/** For the options of a test that needs PostgreSQL. Under CI=true a missing one is an error, elsewhere it is said. */
export const needsPostgres = missing === null ? {} : { skip: missing }

let started: Promise<PostgresServer> | null = null

/** An empty database. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = await serverUrl()
  const name = `t_${randomBytes(8).toString("hex")}`
  await onServer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** A server that the test stops and starts as it likes; it is gone after `span`. */
export async function startPostgres(span: Span, options: PostgresOptions = {}): Promise<PostgresServer> {
  const server = await PostgresServer.open(options)
  span.after(() => server.close())
  return server
}

async function serverUrl(): Promise<string> {
  if (named !== undefined) return named
  started ??= PostgresServer.open()
  return (await started).url()
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function findMissing(): string | null {
  const reason = named === undefined ? postgresMissing() : null
  if (reason === null) return null
  if (process.env["CI"] === "true")
    throw new Error(`no PostgreSQL: ${reason}; its tests cannot be left out here`)
  console.log(`no PostgreSQL: ${reason}; the tests on it are left out`)
  return reason
}
