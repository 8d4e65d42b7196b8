/**
 * The process that reads one picture: its bytes on standard input, the square PNG on standard output, and how it went
 * as the exit status of `picture.ts`.
 */
import { buffer } from "node:stream/consumers"

export const drawnAs = { whole: 0, tooManyPixels: 3, unreadable: 4 } as const

if (import.meta.main) {
  // Loaded first: that this machine cannot load it is a fault, and no fault of a picture.
  const { drawSquare, hasTooManyPixels } = await import("./picture-drawing.ts")
  const bytes = await buffer(process.stdin)
  try {
    if (await hasTooManyPixels(bytes)) process.exitCode = drawnAs.tooManyPixels
    else process.stdout.write(await drawSquare(bytes))
  } catch {
    process.exitCode = drawnAs.unreadable
  }
}
