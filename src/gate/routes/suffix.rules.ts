/** Some servers ignore a suffix such as `.json`: they read `/users.json` as `/users`, in JSON. */
import type { Reading } from "./path.rules.ts"
import type { Template } from "./template.rules.ts"

/**
 * Returns the readings of a path without a suffix. Some servers take the first dot for its beginning, others the last.
 * A segment that the route itself names has no suffix.
 */
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
