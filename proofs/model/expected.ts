/**
 * Answers, flat, as the model expects them and as the service gives them. What the service chooses by itself (tokens, ids,
 * codes) has a name in the model. A name means one text for good and a text has one name: so no token is issued twice.
 */

export type Name = { readonly name: string }
export type Fact = string | number | boolean | null | Name
/** What the model says an answer is: these members and no others. */
export type Expected = Readonly<Record<string, Fact>>
export type Seen = Readonly<Record<string, string | number | boolean | null>>

export const named = (name: string): Name => ({ name })

/** Which name is which text. */
export type Bound = { readonly texts: Map<string, string>; readonly names: Map<string, string> }

export const emptyBound = (): Bound => ({ texts: new Map(), names: new Map() })

export function textOf(bound: Bound, name: string): string {
  const text = bound.texts.get(name)
  if (text === undefined) throw new Error(`nothing is called ${name}`)
  return text
}

export function bind(bound: Bound, name: string, text: string): boolean {
  const before = bound.texts.get(name)
  if (before !== undefined) return before === text
  if (bound.names.has(text)) return false
  bound.texts.set(name, text)
  bound.names.set(text, name)
  return true
}

/** Whether the answer is what was expected, down to its last member; new texts get their names. */
export function fits(bound: Bound, expected: Expected, seen: Seen): boolean {
  const members = Object.keys(expected)
  if (members.length !== Object.keys(seen).length) return false
  return members.every((member) => {
    const [fact, given] = [expected[member], seen[member]]
    if (typeof fact !== "object" || fact === null) return fact === given
    return typeof given === "string" && bind(bound, fact.name, given)
  })
}

export function describeExpected(expected: Expected): string {
  const facts = Object.entries(expected).map(
    ([member, fact]) =>
      `${member}: ${typeof fact === "object" && fact !== null ? `<${fact.name}>` : JSON.stringify(fact)}`,
  )
  return `{ ${facts.join(", ")} }`
}

/** With the names that texts have already. */
export function describeSeen(bound: Bound, seen: Seen): string {
  const facts = Object.entries(seen).map(([member, fact]) => {
    const name = typeof fact === "string" ? bound.names.get(fact) : undefined
    return `${member}: ${name === undefined ? JSON.stringify(fact) : `<${name}>`}`
  })
  return `{ ${facts.join(", ")} }`
}
