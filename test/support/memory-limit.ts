/** A control group that limits the memory of processes, if this machine allows one. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Span } from "./spawn.ts"

export type MemoryLimit = {
  /** The command through which another command must be started. The limit then applies to it and to its children. */
  readonly through: readonly string[]
  /** Returns how many processes the system has ended because of the limit. */
  readonly ended: () => number
}

type Kind = {
  readonly root: string
  readonly controller: string
  readonly limit: string
  readonly swap: string
  readonly swapIs: (bytes: number) => number
  readonly ends: string
}

const MEBIBYTE = 1024 * 1024

/** The control groups of version 1 and 2. */
const kinds: readonly Kind[] = [
  {
    root: "/sys/fs/cgroup/memory",
    controller: "memory.limit_in_bytes",
    limit: "memory.limit_in_bytes",
    swap: "memory.memsw.limit_in_bytes",
    swapIs: (bytes) => bytes,
    ends: "memory.oom_control",
  },
  {
    root: "/sys/fs/cgroup",
    controller: "cgroup.subtree_control",
    limit: "memory.max",
    swap: "memory.swap.max",
    swapIs: () => 0,
    ends: "memory.events",
  },
]

let made = 0

/**
 * Returns null if no group can be created: not on Linux, not root, or no controller. The group is removed after `span`.
 */
export function limitMemory(span: Span, mebibytes: number): MemoryLimit | null {
  for (const kind of kinds) {
    const dir = join(kind.root, `latchkey-${process.pid}-${made++}`)
    if (!existsSync(join(kind.root, kind.controller)) || !makeGroup(kind, dir, mebibytes * MEBIBYTE)) continue
    span.after(() => removeGroup(dir))
    return {
      through: ["sh", "-c", 'echo $$ > "$0" && exec "$@"', join(dir, "cgroup.procs")],
      ended: () => Number(/oom_kill (\d+)/.exec(readFileSync(join(dir, kind.ends), "utf8"))?.[1] ?? 0),
    }
  }
  return null
}

function makeGroup(kind: Kind, dir: string, bytes: number): boolean {
  try {
    if (kind.controller === "cgroup.subtree_control")
      writeFileSync(join(kind.root, kind.controller), "+memory")
    mkdirSync(dir)
    writeFileSync(join(dir, kind.limit), String(bytes))
  } catch {
    removeGroup(dir)
    return false
  }
  const swap = join(dir, kind.swap)
  if (existsSync(swap)) writeFileSync(swap, String(kind.swapIs(bytes)))
  return true
}

function removeGroup(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // A process that has just ended may still be in the group. An empty group does no harm.
  }
}
