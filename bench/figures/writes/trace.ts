/** Counts what a running process writes to its database files, with `strace`. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { once } from "node:events"
import { setTimeout as pause } from "node:timers/promises"
import { startAlone } from "../../server-process.ts"

/** `logBytes` went to the write-ahead log. */
export type Written = { readonly writes: number; readonly logBytes: number; readonly syncs: number }

export const hasTrace = spawnSync("strace", ["--version"]).status === 0
const CALLS = "pwrite64,pwritev,pwritev2,write,writev,fsync,fdatasync"
const ATTACH_MILLISECONDS = 10_000

/** Traces the process until the returned function is called. */
export async function trace(pid: number, file: string): Promise<() => Promise<Written>> {
  const flags = ["-f", "-y", "-s", "0", "-e", `trace=${CALLS}`, "-o", file]
  const child = startAlone("any", ["strace", ...flags, "-p", String(pid)], { log: `${file}.log` })
  const isAttached = () => readFileSync(`/proc/${pid}/status`, "utf8").includes(`TracerPid:\t${child.pid}`)
  const end = performance.now() + ATTACH_MILLISECONDS
  while (!isAttached() && performance.now() < end) await pause(10)
  return async () => {
    const closed = once(child, "close")
    child.kill("SIGINT")
    await closed
    return writtenIn(existsSync(file) ? readFileSync(file, "utf8") : "")
  }
}

/** Reads lines such as `12 pwrite64(20</data/latchkey.db-wal>, ""..., 4096, 32) = 4096`. */
export function writtenIn(text: string): Written {
  let [writes, logBytes, syncs] = [0, 0, 0]
  for (const line of text.split("\n")) {
    const [, call = "", path = ""] = /^\d+\s+(\w+)\(\d+<([^>]*)>/.exec(line) ?? []
    if (!/\.db(-wal)?$/.test(path)) continue
    if (call.endsWith("sync")) syncs++
    else {
      writes++
      if (path.endsWith("-wal")) logBytes += Number(/= (\d+)$/.exec(line)?.[1] ?? sizeIn(line))
    }
  }
  return { writes, logBytes, syncs }
}

/** The result of a call that another thread interrupted is on another line, so its argument counts. */
function sizeIn(line: string): number {
  return Number(/, (\d+), \d+ <unfinished/.exec(line)?.[1] ?? 0)
}
