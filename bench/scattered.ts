/**
 * Reads a part of a file into memory as a service comes to read it, each page by itself:
 *
 *   node bench/scattered.ts FILE FROM TO
 *
 * FROM and TO are bytes, at the borders of pages. Linux reads ahead where a page comes after one that it has just read, and
 * keeps what it read ahead in large pieces; ext4 then walks through a whole piece for each page of it that is written. So
 * many readers go backwards, each through a stretch of its own: no page comes after one that is there.
 */
import { open } from "node:fs/promises"

const PAGE = 4096
/** As many as the threads that read; the one who starts this sets how many there are. */
const TOGETHER = 32

const [file = "", ...range] = process.argv.slice(2)
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
