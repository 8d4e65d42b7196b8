/** Starts one service on a filled database. Service and PostgreSQL share the first core. */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { postgresMissing } from "../test/support/postgres-server.ts"
import { latchkeyTarget } from "./embedded.ts"
import { say, type Target } from "./measure.ts"
import { type Plan, sizesFor } from "./plan.ts"
import { look, openDurable, settle } from "./postgres.ts"
import { pinFamily, printedBy, type Server, startNode, startService } from "./server-process.ts"
import type { Sizes } from "./stock.ts"

export const engines = ["sqlite", "postgres"] as const
export type Engine = (typeof engines)[number]

export const engineWords: { readonly [E in Engine]: string } = { sqlite: "SQLite", postgres: "PostgreSQL" }

export type OneService = {
  readonly server: Server
  readonly target: Target
  /** The file with the standard error of the service. */
  readonly log: string
  /** The value is null on SQLite. */
  readonly databaseUrl: string | null
  readonly stop: () => Promise<void>
}

type Options = {
  readonly engine: Engine
  readonly plan: Plan
  readonly work: string
  readonly sizes?: Partial<Sizes>
  readonly environment?: Readonly<Record<string, string>>
}

/** Throws if the engine is PostgreSQL and this machine has none. */
export async function openService({ engine, plan, work, sizes, environment }: Options): Promise<OneService> {
  const missing = engine === "postgres" ? postgresMissing() : null
  if (missing !== null) throw new Error(missing)
  const kind = engine === "postgres" ? "postgres" : "embedded"
  const [dir, log] = [join(work, engine), join(work, `${engine}.log`)]
  const database = engine === "postgres" ? await openDurable(work) : null
  try {
    const databaseUrl = database?.url() ?? null
    const databasePid = databaseUrl === null ? undefined : (await look(databaseUrl)).pid
    if (databasePid !== undefined) pinFamily(databasePid, 0)
    say(`filling ${engineWords[engine]}`)
    const order = { dir, databaseUrl, sizes: { ...sizesFor(plan, kind), ...sizes } }
    await printedBy(startNode("any", ["bench/fill.ts", JSON.stringify(order)]))
    if (databaseUrl !== null) await settle(databaseUrl)
    const server = await startService(dir, 0, {
      log,
      environment: {
        ...environment,
        ...(databaseUrl !== null && { LATCHKEY_SECRET_KEY: randomBytes(32).toString("base64url") }),
      },
      flags: databaseUrl === null ? [] : ["--database-url", databaseUrl],
    })
    const target = latchkeyTarget(plan, "Latchkey", dir, [server], kind, databasePid)
    const stop = async () => {
      await server.stop()
      await database?.close()
    }
    return { server, target, log, databaseUrl, stop }
  } catch (error) {
    await database?.close()
    throw error
  }
}
