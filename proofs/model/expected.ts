/**
 * Responses as flat records, as the model expects them and as the service sends them. What the service chooses itself
 * (tokens, ids, codes) has a name in the model. A name always means the same text, and a text has only one name. No
 * token is therefore issued twice.
 */

export type Name = { readonly name: string }
export type Fact = string | number | boolean | null | Name
/** The members that the model expects in a response. There must be no others. */
export type Expected = Readonly<Record<string, Fact>>
export type Seen = Readonly<Record<string, string | number | boolean | null>>

export const named = (name: string): Name => ({ name })

/** The text that each name stands for, and the name of each text. */
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

/** Whether the response has exactly the expected members. New texts get their names. */
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

/** Describes a response with the names that its texts already have. */
export function describeSeen(bound: Bound, seen: Seen): string {
  const facts = Object.entries(seen).map(([member, fact]) => {
    const name = typeof fact === "string" ? bound.names.get(fact) : undefined
    return `${member}: ${name === undefined ? JSON.stringify(fact) : `<${name}>`}`
  })
  return `{ ${facts.join(", ")} }`
}
