/** PgBouncer between the nodes and PostgreSQL. Its packages of Debian are unpacked and run by chroot. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { postgresAt } from "../../test/support/database.ts"
import { freePort } from "../../test/support/free-port.ts"
import type { PostgresServer } from "../../test/support/postgres-server.ts"
import { rowsOf, startPostgres } from "../../test/support/postgres.ts"
import { type Span, within } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import { ran } from "../judges/judge.ts"
import { pause } from "../mixed/world.ts"
import type { Figures } from "../proof.ts"
import { underLoad } from "./load.ts"
import { figuresOf } from "./versions.ts"

export type Pooling = {
  /** The release of Debian that has the version. */
  readonly debian: string
  readonly mode: "session" | "transaction"
  /** Connections to PostgreSQL. In session mode, each connection of a node takes one. */
  readonly size: number
}

export const poolings: readonly Pooling[] = [
  { debian: "bookworm", mode: "session", size: 60 },
  { debian: "trixie", mode: "session", size: 60 },
  // The two nodes open up to 22.
  { debian: "trixie", mode: "transaction", size: 8 },
]

const UNPRIVILEGED = "65534:65534"

/** What docs/scaling.md tells the operator to set, because PgBouncer refuses these in a connection's first message. */
const LIMITS = {
  statement_timeout: "5s",
  lock_timeout: "500ms",
  idle_in_transaction_session_timeout: "10s",
}

/** Returns null if PgBouncer can be run here. Otherwise returns the reason. */
export function poolerMissing(): string | null {
  if (process.getuid?.() !== 0) return "only root can run it in its own root file system"
  return spawnSync("mmdebstrap", ["--version"]).status === 0 ? null : "mmdebstrap is not installed"
}

export function tryPooling(work: string, seed: number, seconds: number, pooling: Pooling): Promise<Figures> {
  return within(async (span) => {
    const server = await startPostgres(span, { durable: true })
    for (const [name, value] of Object.entries(LIMITS))
      await rowsOf(server.url(), `ALTER ROLE ${new URL(server.url()).username} SET ${name} = '${value}'`)
    await rowsOf(server.url(), "CREATE DATABASE loaded")
    const { version, port } = await startPgBouncer(span, work, server, pooling)
    const url = new URL(server.url("loaded"))
    url.port = String(port)
    const loaded = await underLoad(span, postgresAt(url.href), seed, () => pause(seconds * 1000))
    return figuresOf(`PgBouncer ${version}, ${pooling.mode} mode`, loaded)
  })
}

async function startPgBouncer(span: Span, work: string, server: PostgresServer, pooling: Pooling) {
  const root = join(work, `pgbouncer-${pooling.debian}-${pooling.mode}`)
  mkdirSync(root)
  const include = "--include=base-files,pgbouncer"
  const made = await ran(["mmdebstrap", "--quiet", "--variant=extract", include, pooling.debian, root], {
    cwd: work,
  })
  if (made.code !== 0) throw new Error(`PgBouncer of ${pooling.debian} cannot be installed: ${made.stderr}`)
  const inRoot = [`--userspec=${UNPRIVILEGED}`, root, "/usr/sbin/pgbouncer"]
  const { stdout } = await ran(["chroot", ...inRoot, "--version"], { cwd: work })
  const version = /PgBouncer (\S+)/.exec(stdout)?.[1] ?? "of an unknown version"
  const port = await freePort()
  configure(root, server, port, pooling)
  const child = spawn("chroot", [...inRoot, "/etc/latchkey.ini"], { stdio: "ignore" })
  const exited = once(child, "exit")
  span.after(async () => {
    child.kill("SIGTERM")
    await exited
  })
  const url = new URL(server.url("loaded"))
  url.port = String(port)
  const answers = async () => (await rowsOf(url.href, "SELECT 1").catch(() => [])).length > 0
  await until(answers, `PgBouncer ${version} answers`)
  return { version, port }
}

function configure(root: string, server: PostgresServer, port: number, { mode, size }: Pooling): void {
  const { port: target, username, password } = new URL(server.url())
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: "/etc/latchkey.users",
    pool_mode: mode,
    default_pool_size: size,
    max_client_conn: 200,
    ...(mode === "transaction" && { max_prepared_statements: 200 }),
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const text = ["[databases]", `* = host=127.0.0.1 port=${target}`, "[pgbouncer]", ...lines, ""]
  writeFileSync(join(root, "etc/latchkey.ini"), text.join("\n"), { mode: 0o644 })
  writeFileSync(join(root, "etc/latchkey.users"), `"${username}" "${password}"\n`, { mode: 0o644 })
}
