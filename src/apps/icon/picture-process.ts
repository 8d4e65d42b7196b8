/**
 * The process that converts one picture. It reads the file from standard input and writes the PNG to standard output.
 * Its argument is `icon` or `logo`. `drawnAs` lists its exit statuses.
 */
import { buffer } from "node:stream/consumers"

export const drawnAs = { whole: 0, tooManyPixels: 3, unreadable: 4 } as const

if (import.meta.main) {
  // A failed import must not count as a damaged picture, so it happens outside the `try` block.
  const { draw, hasTooManyPixels } = await import("./picture-drawing.ts")
  const bytes = await buffer(process.stdin)
  try {
    if (await hasTooManyPixels(bytes)) process.exitCode = drawnAs.tooManyPixels
    else process.stdout.write(await draw(bytes, process.argv[2] === "logo" ? "logo" : "icon"))
  } catch {
    process.exitCode = drawnAs.unreadable
  }
}
