/** The versions of PostgreSQL that the service supports, each as a real server. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { openPostgres } from "../../src/store/postgres/postgres-store.ts"
import { postgresAt } from "../../test/support/database.ts"
import { BINARIES, type PostgresServer } from "../../test/support/postgres-server.ts"
import { rowsOf, startPostgres } from "../../test/support/postgres.ts"
import { within } from "../../test/support/spawn.ts"
import { ran } from "../judges/judge.ts"
import { pause } from "../mixed/world.ts"
import type { Figures } from "../proof.ts"
import { type Loaded, underLoad } from "./load.ts"

/** Exact versions of the package with the binaries. */
export const versions = ["15.18.0-beta.17", "16.14.0-beta.17", "17.10.0-beta.17", "18.4.0-beta.17"] as const
export type Version = (typeof versions)[number]

/** The database that the tests copy. */
const TEMPLATE = "copied"
const ROOT = join(import.meta.dirname, "../..")

/** Installs a version below `work` and returns the folder with its binaries. */
export async function installVersion(work: string, version: Version): Promise<string> {
  const dir = join(work, version)
  mkdirSync(dir)
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", dir]
  const installed = await ran(["npm", "install", ...flags, `${BINARIES}@${version}`], { cwd: dir })
  if (installed.code !== 0) throw new Error(`PostgreSQL ${version} cannot be installed: ${installed.stderr}`)
  return join(dir, "node_modules", BINARIES, "native")
}

/** Runs the tests of the store and mixed load on one version. */
export async function tryVersion(binaries: string, seed: number, seconds: number): Promise<Figures> {
  const passed = await within(async (span) => storeTests(await startPostgres(span, { binaries })))
  return within(async (span) => {
    const server = await startPostgres(span, { durable: true, binaries })
    const [found] = await rowsOf(server.url(), "SHOW server_version")
    const name = `PostgreSQL ${String(found?.["server_version"])}`
    const loaded = await underLoad(span, postgresAt(server.url()), seed, () => pause(seconds * 1000))
    return { [`${name}: tests of the store passed`]: passed, ...figuresOf(name, loaded) }
  })
}

export function figuresOf(part: string, { answered, unavailable, repeated }: Loaded): Figures {
  return {
    [`${part}: acknowledged answers`]: answered,
    [`${part}: lost refreshes asked again`]: repeated,
    [`${part}: answered 503`]: unavailable,
    [`${part}: answers lost`]: 0,
  }
}

/** Returns how many tests passed. Throws with the output if one failed. */
async function storeTests(server: PostgresServer): Promise<number> {
  await rowsOf(server.url(), `CREATE DATABASE ${TEMPLATE}`)
  await (await openPostgres(server.url(TEMPLATE))).close()
  const env = {
    CI: "true",
    LATCHKEY_TEST_STORE: "postgres",
    LATCHKEY_TEST_POSTGRES: server.url(),
    LATCHKEY_TEST_TEMPLATE: TEMPLATE,
  }
  const command = [process.execPath, "--test", "--test-reporter=tap", "test/store/postgres.test.ts"]
  const { code, stdout } = await ran(command, { cwd: ROOT, env })
  const passed = Number(/^# pass (\d+)$/m.exec(stdout)?.[1])
  if (code !== 0 || !(passed > 0)) throw new Error(`tests of the store failed: ${stdout.slice(-8000)}`)
  return passed
}
