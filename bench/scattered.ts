/**
 * Reads a part of a file into memory as a service comes to read it, one page at a time and in no order:
 *
 *   node bench/scattered.ts FILE FROM TO
 *
 * A file that is read from its beginning to its end lies in memory in large pieces, and some file systems walk through a
 * whole piece for each page of it that is written. FROM and TO are bytes, at the borders of pages.
 */
import { open } from "node:fs/promises"

const PAGE = 4096
/** As many as the threads that read; the one who starts this sets how many there are. */
const TOGETHER = 32

const [file = "", ...range] = process.argv.slice(2)
const [from = 0, to = 0] = range.map(Number)
const handle = await open(file)
const pages = Math.ceil((to - from) / PAGE)
const stride = strideOf(pages)
let taken = 0
await Promise.all(Array.from({ length: TOGETHER }, readSome))
await handle.close()

async function readSome(): Promise<void> {
  const page = Buffer.alloc(PAGE)
  while (taken < pages) await handle.read(page, 0, PAGE, from + ((taken++ * stride) % pages) * PAGE)
}

/** Far from one of so many pages to the next, and comes to each once. */
function strideOf(count: number): number {
  let far = Math.max(1, Math.floor(count * 0.618))
  while (commonDivisor(far, count) > 1) far++
  return far
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}
