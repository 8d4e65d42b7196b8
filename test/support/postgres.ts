/**
 * Databases for tests on PostgreSQL. They are on the server that `LATCHKEY_TEST_POSTGRES` names (with the URL of a
 * superuser), or on a server that this process starts.
 */
import { randomBytes } from "node:crypto"
import pg from "pg"
import { leaveOut } from "./leave-out.ts"
import { type PostgresOptions, postgresMissing, PostgresServer } from "./postgres-server.ts"
import type { Span } from "./spawn.ts"

export type FreshDatabase = { readonly url: string; readonly drop: () => Promise<void> }

/** This text takes the place of a URL if the run has already tried to start a server and failed. */
const NONE = "none"
const named = process.env["LATCHKEY_TEST_POSTGRES"]
const missing = findMissing()

/**
 * The options of a test that needs PostgreSQL. If it is missing, the test fails under CI=true. Otherwise it is skipped
 * with a message.
 */
export const needsPostgres = missing === null ? {} : { skip: missing }

let started: Promise<PostgresServer> | null = null
let template: Promise<string> | null = null

/** Creates a database. It is empty or has the tables of this version. */
export async function freshDatabase({ migrated = false } = {}): Promise<FreshDatabase> {
  const server = await serverUrl()
  const name = newName()
  await create(server, name, migrated ? await templateOn(server) : null)
  const drop = () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  return { url: at(server, name), drop }
}

/** Creates a database with the tables of this version, from which others are copied. Returns its name. */
async function makeTemplate(server: string): Promise<string> {
  const name = newName()
  await create(server, name, null)
  const { openPostgres } = await import("../../src/store/postgres/postgres-store.ts")
  const store = await openPostgres(at(server, name))
  await store.close()
  return name
}

/** Starts a server that the test can stop and start. It is removed after `span`. */
export async function startPostgres(span: Span, options: PostgresOptions = {}): Promise<PostgresServer> {
  const server = await PostgresServer.open(options)
  span.after(() => server.close())
  return server
}

/** Copies the files of the template. This is faster than writing all of them to the log. */
async function create(server: string, name: string, copied: string | null): Promise<void> {
  const from = copied === null ? "" : ` TEMPLATE ${copied} STRATEGY file_copy`
  await onServer(server, `CREATE DATABASE ${name}${from}`)
}

/**
 * Migrating takes longer than copying, so it is done once for the run or for this process. The value is null on a
 * server that the environment names.
 */
async function templateOn(server: string): Promise<string | null> {
  const given = process.env["LATCHKEY_TEST_TEMPLATE"]
  if (given !== undefined) return given
  // A database on a server that this process did not start would stay there at the end.
  if (named !== undefined) return null
  template ??= makeTemplate(server)
  return template
}

function newName(): string {
  return `latchkey_test_${randomBytes(8).toString("hex")}`
}

function at(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function serverUrl(): Promise<string> {
  if (named !== undefined) return named
  started ??= PostgresServer.open()
  return (await started).url()
}

async function onServer(url: string, sql: string): Promise<void> {
  await rowsOf(url, sql)
}

/** Runs one statement on a separate connection. Each `?` stands for one of `values`. */
export async function rowsOf(
  url: string,
  sql: string,
  ...values: readonly string[]
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, types: numbers })
  // The statement reports a lost connection. Without a listener, the process would end.
  client.on("error", () => undefined)
  await client.connect()
  try {
    let n = 0
    const text = sql.replaceAll("?", () => `$${++n}`)
    return (await client.query<Record<string, unknown>>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Selects the sessions that wait for a lock, with the time at which their transactions began. */
export const WAITING_FOR_LOCK = `
  SELECT extract(epoch FROM xact_start) AS begun FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`

/** PostgreSQL's number for 64-bit integers (pg_type). Counts and instants are numbers, as in the embedded database. */
const INT8 = 20
const numbers = { getTypeParser: (type: number) => (type === INT8 ? Number : asText(type)) }
const asText = pg.types.getTypeParser as (type: number) => (text: string) => unknown

/**
 * Shares one server, and one database to copy from, among many test files. `environment` names both. `close` is null if
 * the environment named the server.
 */
export async function shareServer(): Promise<{
  readonly environment: Readonly<Record<string, string>>
  readonly close: (() => Promise<void>) | null
}> {
  if (missing !== null) return { environment: {}, close: null }
  try {
    const own = named === undefined ? await PostgresServer.open() : null
    const url = own?.url() ?? named ?? ""
    // Databases that this process itself needs are on the same server.
    if (own !== null) started = Promise.resolve(own)
    const copied = await makeTemplate(url)
    const environment = { LATCHKEY_TEST_POSTGRES: url, LATCHKEY_TEST_TEMPLATE: copied }
    return { environment, close: () => own?.close() ?? onServer(url, `DROP DATABASE ${copied}`) }
  } catch (error) {
    // The machine has the binaries but cannot run them.
    if (named !== undefined) throw error
    leaveOut(`no PostgreSQL: ${error instanceof Error ? error.message : String(error)}`, "its tests")
    return { environment: { LATCHKEY_TEST_POSTGRES: NONE }, close: null }
  }
}

function findMissing(): string | null {
  const reason = named === undefined ? postgresMissing() : named === NONE ? "it does not start here" : null
  return reason === null ? null : leaveOut(`no PostgreSQL: ${reason}`, "its tests")
}
