/** Describes the machine on which the benchmark ran. */
import { readFileSync, statfsSync } from "node:fs"
import { availableParallelism, cpus, release, totalmem, type } from "node:os"
import type { Machine } from "./results.ts"
import { canPin } from "./server-process.ts"

/** The magic numbers of file systems on Linux. The first one stores nothing on a disk. */
const FILESYSTEMS = new Map([
  [0x01021994, "tmpfs"],
  [0xef53, "ext4"],
  [0x58465342, "xfs"],
  [0x9123683e, "btrfs"],
  [0x2fc12fc1, "zfs"],
  [0x794c7630, "overlay"],
])

/** `dir` contains the databases. */
export function machineOf(dir: string): Machine {
  const kind = statfsSync(dir).type
  return {
    cores: availableParallelism(),
    processor: processor(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release().split("-")[0] ?? ""}`,
    node: process.version,
    isPinned: canPin,
    filesystem: FILESYSTEMS.get(kind) ?? `type ${kind.toString(16)}`,
  }
}

function processor(): string {
  const { model = "", speed = 0 } = cpus()[0] ?? {}
  if (model !== "" && model !== "unknown") return model.replaceAll(/\s+/g, " ").trim()
  try {
    return /^model name\s*: (.+)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? `${speed} MHz`
  } catch {
    return "unknown"
  }
}
