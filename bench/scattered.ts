/**
 * Reads a part of a file into memory, each page by itself, as a service does:
 *
 *   node bench/scattered.ts FILE FROM TO
 *
 * FROM and TO are bytes at page boundaries. Linux reads ahead if a page follows one that was just read, and keeps these
 * pages in large pieces. ext4 then walks through a whole piece for each page that is written. Many readers therefore
 * read backwards, each through its own range. No page then follows one that is already in memory.
 */
import { open } from "node:fs/promises"
import { argumentsOf, refuse } from "./command.ts"

const PAGE = 4096
/** The number of reading threads. The process that starts this script sets it. */
const TOGETHER = 32

const [file = refuse("FILE FROM TO: --help prints the usage"), ...range] = argumentsOf(3)
const [from = 0, to = 0] = range.map(Number)
const handle = await open(file)
const stretch = PAGE * Math.ceil((to - from) / PAGE / TOGETHER)
await Promise.all(Array.from({ length: TOGETHER }, (_, i) => readBackwards(from + i * stretch)))
await handle.close()

async function readBackwards(first: number): Promise<void> {
  const page = Buffer.alloc(PAGE)
  for (let at = Math.min(first + stretch, to) - PAGE; at >= first; at -= PAGE)
    await handle.read(page, 0, PAGE, at)
}
