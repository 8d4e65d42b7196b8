/** Compares templates by the requests that they match. Case and a trailing slash make no difference. */
import { folded } from "../routes/fold.rules.ts"
import { readTemplate, type Template } from "../routes/template.rules.ts"

/** What a path of an OpenAPI document could match, also one that is not a template of the gate. */
export type Pattern = Pick<Template, "folded" | "takesRest">

/** In other tools, a parameter such as `{path*}`, `{proxy+}` or `{file:.*}` takes several segments. */
const MANY = /\{[^{}]*[*+:=]/

/** Returns the template of a path, or why the gate has none for it. */
export function templateOf(path: string): Template | { readonly problem: string } {
  if (MANY.test(path)) return { problem: "in OpenAPI, no parameter takes more than one segment" }
  return readTemplate(path)
}

/** Returns a pattern that matches at least what the path does. */
export function widePatternOf(path: string): Pattern {
  const [before = ""] = path.split(/[?#]/, 1)
  const whole = before.slice(1).split("/")
  const raw = whole.length > 1 && whole.at(-1) === "" ? whole.slice(0, -1) : whole
  const many = raw.findIndex((segment) => MANY.test(segment))
  const segments = many < 0 ? raw : raw.slice(0, many + 1)
  return { folded: segments.map(literalOf), takesRest: many >= 0 }
}

function literalOf(segment: string): string | null {
  const read = readTemplate(`/${segment}`)
  const [only = null] = "problem" in read ? [] : read.segments
  return only === null ? null : folded(only)
}

/** Whether a request could match both. */
export function canOverlap(one: Pattern, other: Pattern): boolean {
  const [shorter, longer] = one.folded.length <= other.folded.length ? [one, other] : [other, one]
  if (shorter.folded.length < longer.folded.length && !shorter.takesRest) return false
  return shorter.folded.every((literal, at) => {
    const opposite = longer.folded[at]
    return literal === null || opposite === null || literal === opposite
  })
}

/** Returns the path that both match if neither is more specific, such as `/a/b` for `/a/{x}` and `/{x}/b`. */
export function commonPath(one: Template, other: Template): string | null {
  if (!canOverlap(one, other)) return null
  const isFixed = (template: Template, at: number) => template.segments[at] !== null
  const places = one.segments.map((_, at) => at)
  const isOneAlone = places.some((at) => isFixed(one, at) && !isFixed(other, at))
  const isOtherAlone = places.some((at) => !isFixed(one, at) && isFixed(other, at))
  if (!isOneAlone || !isOtherAlone) return null
  const [raw, otherRaw] = [one, other].map(({ text }) => text.split("/"))
  const chosen = places.map((at) => (isFixed(one, at) ? raw : otherRaw)?.[at + 1] ?? "")
  return `/${chosen.join("/")}${one.trailingSlash ? "/" : ""}`
}
