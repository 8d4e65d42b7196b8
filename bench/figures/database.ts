/** One PostgreSQL for all products. Its commits wait for the disk. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import pg from "pg"
import { postgresMissing } from "../../test/support/postgres-server.ts"
import { look, openDurable } from "../postgres.ts"
import type { Context } from "./context.ts"
import { canPin, type Core } from "../server-process.ts"

export type Database = {
  readonly version: string
  /** The main process. Each connection has a child of it. */
  readonly pid: number
  readonly url: (name?: string) => string
  /** Creates a database and returns its URL. */
  readonly create: (name: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** The files are in the work folder. All processes use `core`. Returns null where there is no PostgreSQL. */
export async function openPostgres(context: Context, core: Core): Promise<Database | null> {
  const { work } = context
  const missing = postgresMissing()
  if (missing !== null) {
    context.missing.push(`PostgreSQL: ${missing}`)
    return null
  }
  const server = await openDurable(work)
  const { version, pid: main } = await look(server.url())
  context.postgres = version
  pin(main, core)
  for (const child of childrenOf(main)) pin(child, core)
  return {
    version,
    pid: main,
    url: (name) => server.url(name),
    create: async (name) => {
      await query(server.url(), `CREATE DATABASE ${name}`)
      return server.url(name)
    },
    close: () => server.close(),
  }
}

export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** The threads of a running process use `core` from now on, and so do the processes that it starts. */
export function pin(pid: number, core: Core): void {
  if (canPin) spawnSync("taskset", ["-a", "-c", "-p", core === "any" ? "0-1023" : String(core), String(pid)])
}

/** Returns the ids of the processes that `pid` has started. */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
  return text.split(" ").filter(Boolean).map(Number)
}
