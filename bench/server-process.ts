/** Runs a server in its own process, and measures what it uses. Where possible, the server has its own core. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs"
import { availableParallelism, constants } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"

const root = join(import.meta.dirname, "..")

export const canPin = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0

/** The number of a core. With `any`, the system chooses. */
export type Core = number | "any"

export type StartOptions = {
  /** The file for standard error. Without it, the output goes to our standard error. */
  readonly log?: string | undefined
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** The checkout in which the process runs, if it is not this one. */
  readonly directory?: string | undefined
  readonly readsInput?: boolean | undefined
}

const children = new Set<ChildProcess>()

/** Ends the child processes by their ids, however this process ends. */
function endChildren(): void {
  for (const child of children) child.kill("SIGKILL")
}
process.once("exit", endChildren)
// If another listener handles the signal, that listener decides how the process ends. A second signal, which npm adds to
// Ctrl-C, does not interrupt the end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    if (process.listenerCount(signal) > 1) return
    console.error(`\nStopped by ${signal}.`)
    process.exit(128 + constants.signals[signal])
  })

/** Starts Node with `args` on `core`. */
export function startNode(core: Core, args: readonly string[], options: StartOptions = {}): ChildProcess {
  return startAlone(core, [process.execPath, ...args], options)
}

export function startAlone(core: Core, command: readonly string[], options: StartOptions = {}): ChildProcess {
  const isPinned = canPin && core !== "any"
  const [file = "", ...args] = isPinned ? ["taskset", "-c", String(core), ...command] : command
  const { log, environment, directory = root, readsInput = false } = options
  const errors = log === undefined ? "inherit" : openSync(log, "a")
  const child = spawn(file, args, {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: [readsInput ? "pipe" : "ignore", "pipe", errors],
  })
  if (typeof errors === "number") closeSync(errors)
  children.add(child)
  child.once("close", () => children.delete(child))
  return child
}

/** Returns everything that `child` printed. Throws if it failed. */
export async function printedBy(child: ChildProcess): Promise<string> {
  let text = ""
  child.stdout?.setEncoding("utf8").on("data", (more: string) => (text += more))
  const [code] = (await once(child, "close")) as [number | null]
  if (code !== 0) throw new Error(`${child.spawnargs.join(" ")} ended with ${code}`)
  return text
}

export type Server = {
  readonly port: number
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Starts a server on the first core. The server prints its port. */
export async function startApi(args: readonly string[], options: StartOptions = {}): Promise<Server> {
  return running(startNode(0, args, options), Number)
}

/** Starts the service as an operator does. */
export async function startService(
  dataDir: string,
  core: Core = 0,
  { flags = [], ...options }: StartOptions & { readonly flags?: readonly string[] } = {},
): Promise<Server> {
  const port = flags.includes("--port") ? [] : ["--port", "0"]
  const command = ["bin/latchkey", "serve", "--json", "--data", dataDir, ...port, ...flags]
  return running(startAlone(core, command, options), (line) =>
    Number(new URL((JSON.parse(line) as { base_url: string }).base_url).port),
  )
}

/** Waits until the server runs. `portOf` reads the first line that it prints. */
export async function running(child: ChildProcess, portOf: (line: string) => number): Promise<Server> {
  const { pid, stdout } = child
  if (pid === undefined || stdout === null) throw new Error("the server did not start")
  const line = await firstLine(child, stdout)
  return { port: portOf(line), pid, stop: () => stopped(child) }
}

async function firstLine(child: ChildProcess, stdout: NodeJS.ReadableStream): Promise<string> {
  const ended = once(child, "close").then(([code]) => {
    throw new Error(`${child.spawnargs.join(" ")} ended with ${code} before it served`)
  })
  const read = once(createInterface(stdout), "line").then(([line]) => line as string)
  ended.catch(() => undefined)
  return Promise.race([read, ended])
}

export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "close")
  child.kill("SIGTERM")
  await ended
}

export type Usage = { readonly cpuSeconds: number; readonly residentMiB: number; readonly peakMiB: number }

const TICKS_A_SECOND = 100

/** Reads /proc. Returns zeros on a system without it. */
export function usageOf(pid: number): Usage {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    const mebibytes = (name: string) =>
      Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024
    const [user = 0, system = 0] = ticksOf(pid)
    return {
      cpuSeconds: (user + system) / TICKS_A_SECOND,
      residentMiB: mebibytes("VmRSS"),
      peakMiB: mebibytes("VmHWM"),
    }
  } catch {
    return { cpuSeconds: 0, residentMiB: 0, peakMiB: 0 }
  }
}

/** Returns the processor time of the thread that runs the event loop of `pid`. */
export function mainThreadSeconds(pid: number): number {
  try {
    const [user = 0, system = 0] = ticksOf(`${pid}/task/${pid}`)
    return (user + system) / TICKS_A_SECOND
  } catch {
    return 0
  }
}

/** Moves a process and its children to a core. The children that it starts later stay there too. */
export function pinFamily(pid: number, core: number): void {
  if (!canPin) return
  for (const one of [pid, ...childrenOf(pid)]) spawnSync("taskset", ["-acp", String(core), String(one)])
}

const READINGS_AT_MOST = 100

/**
 * Returns the processor time of a process in seconds. Includes its children, whether they still run or have ended. The
 * time of a child that ends moves to its parent. If that happens during a reading, the time is lost or counted twice, so
 * the family is read again. Throws if `pid` has ended. Returns 0 on a system without /proc.
 */
export function familyCpuSeconds(pid: number): number {
  if (!existsSync("/proc/self/stat")) return 0
  for (let reading = 0; reading < READINGS_AT_MOST; reading++) {
    const ended = endedTicksOf(pid)
    const ofRunning = childrenOf(pid).reduce((sum, child) => sum + ownTicksOf(child), 0)
    const own = ticksOf(pid).reduce((sum, one) => sum + one, 0)
    if (endedTicksOf(pid) === ended) return (own + ofRunning) / TICKS_A_SECOND
  }
  throw new Error(`the children of process ${pid} end too often for a reading of its processor time`)
}

/** Returns 0 for a process that has ended since it was found. */
function ownTicksOf(pid: number): number {
  try {
    const [user = 0, system = 0] = ticksOf(pid)
    return user + system
  } catch {
    return 0
  }
}

/** Returns the ticks of the children that have ended. */
function endedTicksOf(pid: number): number {
  const [, , user = 0, system = 0] = ticksOf(pid)
  return user + system
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => {
    try {
      return statOf(pid)[1] === String(parent)
    } catch {
      return false
    }
  })
}

/** Returns the ticks in user and system mode, of the process and of children that have ended. */
function ticksOf(pid: number | string): number[] {
  return statOf(pid).slice(11, 15).map(Number)
}

/** Returns the fields from the third one on. */
function statOf(pid: number | string): string[] {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
}
