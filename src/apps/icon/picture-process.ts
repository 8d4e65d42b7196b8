/**
 * The process that converts one picture. It reads the file from standard input and writes the PNG to standard output.
 * Its argument is `icon`, `logo` or `logoDark`. `drawnAs` lists its exit statuses.
 */
import { buffer } from "node:stream/consumers"

export const drawnAs = { whole: 0, tooManyPixels: 3, unreadable: 4, invisible: 5 } as const

if (import.meta.main) {
  // A failed import must not count as a damaged picture, so it happens outside the `try` block.
  const { draw, hasTooManyPixels, isInvisible } = await import("./picture-drawing.ts")
  const bytes = await buffer(process.stdin)
  try {
    if (await hasTooManyPixels(bytes)) process.exitCode = drawnAs.tooManyPixels
    else {
      const kind = process.argv[2]
      const drawn = await draw(bytes, kind === "icon" ? "icon" : "logo")
      if (kind !== "icon" && (await isInvisible(drawn, kind === "logo" ? "light" : "dark")))
        process.exitCode = drawnAs.invisible
      else process.stdout.write(drawn)
    }
  } catch {
    process.exitCode = drawnAs.unreadable
  }
}
