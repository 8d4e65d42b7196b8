/**
 * The process that reads one picture: the file on standard input, the square PNG on standard output. The exit status says
 * how it went (`picture.ts`).
 */
import { buffer } from "node:stream/consumers"

export const drawnAs = { whole: 0, tooManyPixels: 3, unreadable: 4 } as const

if (import.meta.main) {
  // Loaded first, because a failure to load it is not the picture's fault.
  const { drawSquare, hasTooManyPixels } = await import("./picture-drawing.ts")
  const bytes = await buffer(process.stdin)
  try {
    if (await hasTooManyPixels(bytes)) process.exitCode = drawnAs.tooManyPixels
    else process.stdout.write(await drawSquare(bytes))
  } catch {
    process.exitCode = drawnAs.unreadable
  }
}
