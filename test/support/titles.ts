/** What tests are called, read out of their source. */

/** The first argument of every `test`, `it`, `describe` and `suite`, written as one literal. */
export function titlesOf(source: string): readonly string[] {
  const call = /\b(?:test|it|describe|suite)\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g
  return [...source.matchAll(call)].map((match) => match[2] ?? "")
}
