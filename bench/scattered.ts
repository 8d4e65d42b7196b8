/**
 * Reads the pages of files into memory as a service comes to read them, one at a time and in no order:
 *
 *   node bench/scattered.ts FILE...
 *
 * A file that is read from its beginning to its end lies in memory in large pieces, and some file systems walk through a
 * whole piece for each page of it that is written.
 */
import { type FileHandle, open } from "node:fs/promises"

const PAGE = 4096
/** As many as the threads that read; the one who starts this sets how many there are. */
const TOGETHER = 32

for (const file of process.argv.slice(2)) {
  const handle = await open(file)
  try {
    await readAll(handle)
  } finally {
    await handle.close()
  }
}

async function readAll(handle: FileHandle): Promise<void> {
  const pages = Math.ceil((await handle.stat()).size / PAGE)
  const stride = strideOf(pages)
  let taken = 0
  const some = async () => {
    const page = Buffer.alloc(PAGE)
    while (taken < pages) await handle.read(page, 0, PAGE, ((taken++ * stride) % pages) * PAGE)
  }
  await Promise.all(Array.from({ length: TOGETHER }, some))
}

/** Far from one page to the next, and comes to each once. */
function strideOf(pages: number): number {
  let stride = Math.max(1, Math.floor(pages * 0.618))
  while (commonDivisor(stride, pages) > 1) stride++
  return stride
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}
