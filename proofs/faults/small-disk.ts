/**
 * A disk that a test can fill. If mounting is allowed, this is a small file system in memory. On any Linux, the size of
 * a file can also be limited from outside while the process runs.
 */
import { spawnSync } from "node:child_process"
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Span } from "../../test/support/spawn.ts"

/** Mounts a small file system at a new place. Returns null if that is forbidden. */
export function mountSmall(span: Span, megabytes: number): string | null {
  const directory = mkdtempSync(join(tmpdir(), "latchkey-small-"))
  const mounted = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${megabytes}m,mode=700`,
    "latchkey-test",
    directory,
  ])
  if (mounted.status !== 0) {
    rmSync(directory, { recursive: true })
    return null
  }
  span.after(() => {
    spawnSync("umount", ["-l", directory])
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

/** Returns why nothing can be mounted on this machine. Returns null if it can. */
export function mountingMissing(): string | null {
  if (isMountable === null) {
    const directory = mkdtempSync(join(tmpdir(), "latchkey-small-"))
    isMountable =
      spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "latchkey-test", directory]).status === 0
    if (isMountable) spawnSync("umount", [directory])
    rmSync(directory, { recursive: true })
  }
  return isMountable ? null : "nothing can be mounted here"
}
let isMountable: boolean | null = null

/** Returns why no limit can be set on a running process. Returns null if it can. */
export function limitingMissing(): string | null {
  const said = spawnSync("prlimit", ["--version"])
  return said.status === 0 ? null : "there is no prlimit here"
}

/** Uses up all free bytes. Returns a function that frees them. */
export function fillUp(directory: string): () => void {
  const ballast = join(directory, "ballast")
  const descriptor = openSync(ballast, "w")
  for (const size of [1 << 20, 4096, 1]) {
    const part = Buffer.alloc(size)
    try {
      for (;;) if (writeSync(descriptor, part) === 0) break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
    }
  }
  closeSync(descriptor)
  return () => rmSync(ballast)
}

/**
 * From now on, no file of the process can grow beyond the current size of `file`. Returns a function that removes the
 * limit.
 */
export function stopGrowth(pid: number, file: string): () => void {
  limit(pid, `${statSync(file).size}:unlimited`)
  return () => limit(pid, "unlimited:unlimited")
}

function limit(pid: number, bytes: string): void {
  const said = spawnSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}`], { encoding: "utf8" })
  if (said.status !== 0) throw new Error(`prlimit: ${said.stderr}`)
}

export function newMountPoint(work: string, name: string): string {
  const dir = join(work, name)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return dir
}
