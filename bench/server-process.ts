/** A server in a process of its own, on a core of its own where the machine lets us choose, and what it uses. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"

const root = join(import.meta.dirname, "..")

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0

/** Starts Node on `args`, alone on `core`. Its standard error is ours. */
export function startNode(core: 0 | 1, args: readonly string[]): ChildProcess {
  return startAlone(core, [process.execPath, ...args])
}

function startAlone(core: 0 | 1, command: readonly string[]): ChildProcess {
  const [file = "", ...args] = canPin ? ["taskset", "-c", String(core), ...command] : command
  return spawn(file, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] })
}

/** All that `child` printed, once it has ended well. */
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

export async function startBare(): Promise<Server> {
  return running(startNode(0, ["bench/bare.ts"]), Number)
}

/** A server that prints its port, on the first core. */
export async function startApi(args: readonly string[]): Promise<Server> {
  return running(startNode(0, args), Number)
}

/** The service as an operator starts it. */
export async function startService(dataDir: string, core: 0 | 1 = 0): Promise<Server> {
  const child = startAlone(core, ["bin/latchkey", "serve", "--json", "--data", dataDir, "--port", "0"])
  return running(child, (line) => Number(new URL((JSON.parse(line) as { base_url: string }).base_url).port))
}

async function running(child: ChildProcess, portOf: (line: string) => number): Promise<Server> {
  const { pid, stdout } = child
  if (pid === undefined || stdout === null) throw new Error("the server did not start")
  const [line] = (await once(createInterface(stdout), "line")) as [string]
  return {
    port: portOf(line),
    pid,
    stop: async () => {
      const ended = once(child, "close")
      child.kill("SIGTERM")
      await ended
    },
  }
}

export type Usage = { readonly cpuSeconds: number; readonly residentMiB: number; readonly peakMiB: number }

/** From /proc; zeros where there is none. */
export function usageOf(pid: number): Usage {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    const mebibytes = (name: string) =>
      Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024
    const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    return {
      cpuSeconds: (Number(ticks[11]) + Number(ticks[12])) / 100,
      residentMiB: mebibytes("VmRSS"),
      peakMiB: mebibytes("VmHWM"),
    }
  } catch {
    return { cpuSeconds: 0, residentMiB: 0, peakMiB: 0 }
  }
}
