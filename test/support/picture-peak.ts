/** Measures the peak memory of drawing a picture, in a process that does nothing else. */
import { spawnSync } from "node:child_process"

const DRAWING = new URL("../../src/apps/icon/picture-drawing.ts", import.meta.url).href

const CODE = `
  import { buffer } from "node:stream/consumers"
  import { draw, hasTooManyPixels } from ${JSON.stringify(DRAWING)}
  const file = await buffer(process.stdin)
  if (!(await hasTooManyPixels(file))) await draw(file, "icon").catch(() => undefined)
  console.log(process.resourceUsage().maxRSS * 1024)`

/** Returns the peak memory of the process in bytes. */
export function peakOf(file: Uint8Array): number {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", CODE], {
    input: file,
    encoding: "utf8",
  })
  const peak = Number(stdout)
  if (!(peak > 0)) throw new Error(stderr)
  return peak
}
