/**
 * Some servers ignore a suffix such as `.json`: they read `/users.json` as `/users`, in JSON. Others run the first script
 * that a path names: `/admin.php/x` is `/admin.php`.
 */
import type { Reading } from "./readings.rules.ts"
import type { Template } from "./template.rules.ts"

/** Returns the readings without a suffix, from the first or the last dot. A segment that the route names is whole. */
export function readingsWithoutSuffix(
  reading: Reading,
  { segments: expected, takesRest }: Template,
): readonly Reading[] {
  const { segments } = reading
  const last = segments.at(-1) ?? ""
  const isNamed = !takesRest && (expected[segments.length - 1] ?? null) !== null
  const ends = isNamed ? [] : [...new Set([last.indexOf(".", 1), last.lastIndexOf(".")])]
  return ends
    .filter((end) => end > 0)
    .map((end) => ({ ...reading, segments: [...segments.slice(0, -1), last.slice(0, end)] }))
}

/** Deeper scripts are not looked for, so that a long path takes little time. */
const SCRIPT_DEPTH = 8

/** Returns the readings of a path that end at a script before its end. The route itself names no such segment. */
export function readingsOfScripts(
  { segments }: Reading,
  { segments: expected }: Template,
): readonly Reading[] {
  return segments.slice(0, Math.min(SCRIPT_DEPTH, segments.length - 1)).flatMap((segment, at) => {
    const isScript = segment.indexOf(".", 1) > 0 && typeof expected[at] !== "string"
    return isScript ? [{ segments: segments.slice(0, at + 1), trailingSlash: false }] : []
  })
}
