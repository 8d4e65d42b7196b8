/** What is opened during `body` ends with it, last things first, also where it fails. */
import type { Span } from "./spawn.ts"

export async function spanning<T>(body: (span: Span) => Promise<T>): Promise<T> {
  const ends: (() => unknown)[] = []
  try {
    return await body({ after: (end) => void ends.push(end) })
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}
