/** Reads the titles of tests from their source. */

/** Returns the first argument of every `test`, `it`, `describe` and `suite` in the source. It must be one literal. */
export function titlesOf(source: string): readonly string[] {
  const call = /\b(?:test|it|describe|suite)\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g
  return [...source.matchAll(call)].map((match) => match[2] ?? "")
}
