/** Runs the real command in its own process: a server on a directory, and single commands. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after } from "node:test"
import { databaseIn, dropDatabase } from "./database.ts"

/** The path of the launcher. */
export const LATCHKEY = join(import.meta.dirname, "../../bin/latchkey")

/** If a server does not serve within this time, the test fails. */
const START_MILLISECONDS = 60_000

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }
type Environment = Readonly<Record<string, string>>

/** The lifetime of something: a test (its context), or a whole file (`wholeFile`). */
export type Span = { readonly after: (end: () => unknown) => void }

/**
 * Returns a span that ends after the last test of the file. Call it when the file is loaded. The last registered end
 * runs first. If no test of the file is selected, the span ends before the hooks are done, and what they open ends at
 * once.
 */
export function wholeFile(): Span {
  const ends: (() => unknown)[] = []
  let isOver = false
  after(async () => {
    isOver = true
    for (const end of ends.toReversed()) await end()
  })
  return { after: (end) => void (isOver ? end() : ends.push(end)) }
}

/** Runs `act` outside of the test runner. Everything that it opened ends afterwards, the last first. */
export async function within<T>(act: (span: Span) => Promise<T>): Promise<T> {
  const ends: (() => unknown)[] = []
  try {
    return await act({ after: (end) => void ends.push(end) })
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

/** Creates a data directory. It is removed afterwards. */
export function newDirectory(t: Span): string {
  const dir = mkdtempSync(join(tmpdir(), "latchkey-"))
  t.after(async () => {
    await dropDatabase(dir)
    rmSync(dir, { recursive: true, force: true })
  })
  return dir
}

const children = new Set<ChildProcess>()

/** Ends `child` by its id before this process ends, unless this process is killed. */
function endWithUs(child: ChildProcess): void {
  children.add(child)
  child.once("close", () => children.delete(child))
}
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL")
})

export type SpawnOptions = {
  /** A command that runs the given command in its place, such as `prlimit --nofile=100`. */
  readonly through?: readonly string[]
  /** Receives the server before it serves. */
  readonly spawned?: (server: SpawnedServer) => void
}

export class SpawnedServer {
  readonly #child: ChildProcess
  readonly #exited: Promise<Exit>
  readonly #stdout: Buffer[] = []
  readonly #stderr: Buffer[] = []
  #line: { readonly base_url: string; readonly setup_url: string | null } | null = null

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#exited = once(child, "close").then(([code, signal]) => ({ code, signal }) as Exit)
    child.stdout?.on("data", (part: Buffer) => this.#stdout.push(part))
    child.stderr?.on("data", (part: Buffer) => this.#stderr.push(part))
  }

  /**
   * Starts `latchkey serve` on a free port, or on the port in the environment, and waits until it serves. It is stopped
   * afterwards.
   */
  static async start(
    t: Span,
    dir: string,
    environment: Environment = {},
    { through = [], spawned }: SpawnOptions = {},
  ): Promise<SpawnedServer> {
    const port = "LATCHKEY_PORT" in environment ? [] : ["--port", "0"]
    const command = [...through, LATCHKEY, "serve", "--data", dir, ...port, "--json"]
    const [file = LATCHKEY, ...args] = command
    const child = spawn(file, args, {
      env: environmentWith({ ...(await databaseIn(dir)).environment, ...environment }),
      stdio: ["ignore", "pipe", "pipe"],
    })
    endWithUs(child)
    const server = new SpawnedServer(child)
    t.after(() => server.stop("SIGKILL"))
    spawned?.(server)
    await server.#untilItServes()
    return server
  }

  get url(): string {
    return this.#said().base_url
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The set-up link. The value is null if an account exists. */
  get setupUrl(): string | null {
    return this.#said().setup_url
  }

  get stdout(): string {
    return Buffer.concat(this.#stdout).toString()
  }

  get stderr(): string {
    return Buffer.concat(this.#stderr).toString()
  }

  get exited(): Promise<Exit> {
    return this.#exited
  }

  /** Sends the signal and does not wait for its effect. */
  signal(signal: "SIGTERM" | "SIGINT" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(signal)
  }

  stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<Exit> {
    this.signal(signal)
    return this.#exited
  }

  #said() {
    if (this.#line === null) throw new Error("the server does not serve yet")
    return this.#line
  }

  async #untilItServes(): Promise<void> {
    const patience = AbortSignal.timeout(START_MILLISECONDS)
    const gone = this.#exited.then(({ code }) => {
      throw new Error(`the server ended with ${code}: ${this.stderr}`)
    })
    gone.catch(() => undefined)
    while (!this.stdout.includes("\n")) {
      const more = once(this.#child.stdout as NodeJS.ReadableStream, "data", { signal: patience })
      await Promise.race([more, gone]).catch((error: unknown) => {
        throw patience.aborted ? new Error(`the server takes too long to start: ${this.stderr}`) : error
      })
    }
    this.#line = JSON.parse(this.stdout)
  }
}

/** Runs one command until it ends. */
export async function latchkey(
  args: readonly string[],
  { input = "", environment = {} }: { input?: string; environment?: Environment } = {},
): Promise<Ended> {
  const child = spawn(LATCHKEY, args, {
    env: environmentWith({ ...(await databaseOf(args, environment)), ...environment }),
  })
  endWithUs(child)
  const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout.on("data", (part: Buffer) => parts.stdout.push(part))
  child.stderr.on("data", (part: Buffer) => parts.stderr.push(part))
  child.stdin.end(input)
  const [code] = (await once(child, "close")) as [number | null]
  return {
    code,
    stdout: Buffer.concat(parts.stdout).toString(),
    stderr: Buffer.concat(parts.stderr).toString(),
  }
}

/** Runs one command on `dir`, which must succeed. Returns what it prints with `--json`. */
export async function done<T>(dir: string, args: readonly string[], input = ""): Promise<T> {
  const ended = await latchkey([...args, "--data", dir, "--json"], { input })
  if (ended.code !== 0)
    throw new Error(`latchkey ${args.join(" ")} ended with ${ended.code}: ${ended.stderr}`)
  return JSON.parse(ended.stdout) as T
}

/** Returns the environment of the database. On PostgreSQL, a directory does not say where its rows are. */
async function databaseOf(args: readonly string[], environment: Environment): Promise<Environment> {
  const dir = args[args.indexOf("--data") + 1] ?? ""
  const named = args.includes("--data") ? dir : environment["LATCHKEY_DATA"]
  if (named === undefined || args.includes("--database-url")) return {}
  return (await databaseIn(named)).environment
}

/** Returns the environment of the tests without variables that would change where the command looks. */
export function environmentWith(more: Environment): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !name.startsWith("LATCHKEY_") && !["DISPLAY", "WAYLAND_DISPLAY", "NODE_TEST_CONTEXT"].includes(name),
  )
  return { ...Object.fromEntries(kept), ...more }
}
