/** Reads from /proc what a server process uses. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

export type Usage = { readonly residentMiB: number; readonly peakMiB: number; readonly descriptors: number }

export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const mebibytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024
  return {
    residentMiB: mebibytes("VmRSS"),
    peakMiB: mebibytes("VmHWM"),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  }
}

/** Returns the size of a file. Returns 0 if it does not exist. */
export function bytesOf(dir: string, name: string): number {
  return statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0
}

/** Reads one value of the metrics for Prometheus. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1]
  if (value === undefined) throw new Error(`there is no ${name}`)
  return Number(value)
}
