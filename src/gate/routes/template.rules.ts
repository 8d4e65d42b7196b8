/** Reads the path template of a route, such as `/users/{id}`. */
import { folded } from "./fold.rules.ts"
import { type PathProblem, readPath } from "./path.rules.ts"

/** A segment: its text, or null for a parameter. */
export type TemplateSegment = string | null

export type Template = {
  readonly text: string
  readonly segments: readonly TemplateSegment[]
  /** The segments for comparing without case. */
  readonly folded: readonly TemplateSegment[]
  /** Whether the last parameter, written `{name*}`, takes one or more segments. */
  readonly takesRest: boolean
  readonly trailingSlash: boolean
}

const PARAMETER = /^\{[A-Za-z0-9_.-]+(\*?)\}$/

export function readTemplate(text: string): Template | { readonly problem: string } {
  if (!text.startsWith("/")) return { problem: "expected a path that begins with /" }
  if (text.includes("?")) return { problem: "a path has no query" }
  const raw = text.slice(1).split("/")
  const trailingSlash = raw.length > 1 && raw.at(-1) === ""
  const named = raw.at(-1) === "" ? raw.slice(0, -1) : raw
  const segments: TemplateSegment[] = []
  for (const [at, segment] of named.entries()) {
    const [isParameter, star] = PARAMETER.exec(segment) ?? []
    if (star === "*" && (at < named.length - 1 || trailingSlash))
      return { problem: `${segment} must be the end of the path` }
    if (isParameter === undefined && /[{}]/.test(segment))
      return { problem: `${segment}: a parameter such as {id} must be a whole segment` }
    const literal = isParameter === undefined ? literalOf(segment) : null
    if (typeof literal === "object" && literal !== null) return literal
    segments.push(literal)
  }
  return {
    text,
    segments,
    folded: segments.map((segment) => (segment === null ? null : folded(segment))),
    takesRest: named.at(-1)?.endsWith("*}") === true,
    trailingSlash,
  }
}

function literalOf(segment: string): string | { readonly problem: string } {
  const read: ReturnType<typeof readPath> = readPath(`/${segment}`)
  if (typeof read === "string") return { problem: problemText(read) }
  const [only = "", ...more] = read.reading.segments
  if (read.features.length > 0 || only === "" || more.length > 0)
    return { problem: "a path has no empty segment, encoded slash or semicolon" }
  return only
}

function problemText(problem: PathProblem): string {
  return `the path contains ${problem}`
}

/** Compares from the left: a text is before a parameter, and that before one that takes the rest. 0 means equal. */
export function bySpecificity(one: Template, other: Template): number {
  const length = Math.max(one.segments.length, other.segments.length)
  for (let at = 0; at < length; at++) {
    const difference = rank(one, at) - rank(other, at)
    if (difference !== 0) return difference
  }
  return 0
}

const RANKS = { text: 0, parameter: 1, end: 2, rest: 3 } as const

function rank({ segments, takesRest }: Template, at: number): number {
  const segment = segments[at]
  if (segment === undefined) return takesRest ? RANKS.rest : RANKS.end
  if (segment !== null) return RANKS.text
  return takesRest && at === segments.length - 1 ? RANKS.rest : RANKS.parameter
}
