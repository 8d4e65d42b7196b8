/** What the block device below a folder has written. The numbers are of the whole machine. */
import { readFileSync, statSync } from "node:fs"

export type DiskWrites = { readonly operations: number; readonly bytes: number }

const SECTOR = 512

/** Returns null on a system without /proc/diskstats, or for a folder in memory. */
export function diskWrites(dir: string): DiskWrites | null {
  try {
    const { dev } = statSync(dir)
    const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)]
    const lines = readFileSync("/proc/diskstats", "utf8").split("\n")
    const fields = lines.map((line) => line.trim().split(/\s+/))
    const own = fields.find(([a, b]) => Number(a) === major && Number(b) === minor)
    if (own === undefined) return null
    return { operations: Number(own[7]), bytes: SECTOR * Number(own[9]) }
  } catch {
    return null
  }
}
