/**
 * A process that converts one picture: the file on standard input, the square PNG on standard output. The exit status
 * is one of `drawnAs`.
 */
import { buffer } from "node:stream/consumers"

export const drawnAs = { whole: 0, tooManyPixels: 3, unreadable: 4 } as const

if (import.meta.main) {
  // Loaded outside `try`, because a failed load must not count as a broken picture.
  const { drawSquare, hasTooManyPixels } = await import("./picture-drawing.ts")
  const bytes = await buffer(process.stdin)
  try {
    if (await hasTooManyPixels(bytes)) process.exitCode = drawnAs.tooManyPixels
    else process.stdout.write(await drawSquare(bytes))
  } catch {
    process.exitCode = drawnAs.unreadable
  }
}
