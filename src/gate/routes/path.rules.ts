/**
 * Reads the path of a request. A path that a proxy, the gate and an app could read in different ways is refused. What
 * some apps need is read only where a route allows it.
 */

/** What a path may contain only where a route allows it. */
export type PathFeature = "encoded_slash" | "double_slash" | "semicolon"

export const PATH_FEATURES: readonly PathFeature[] = ["encoded_slash", "double_slash", "semicolon"]

/** The decoded segments of a path. A trailing slash is not a segment. */
export type Reading = { readonly segments: readonly string[]; readonly trailingSlash: boolean }

export type ReadPath = {
  readonly reading: Reading
  readonly features: readonly PathFeature[]
  /** The other ways in which a server may read the path. */
  readonly alternatives: readonly Reading[]
}

export type PathProblem =
  | "not a path"
  | "more than 8192 characters"
  | "a fragment"
  | "a backslash"
  | "a control character"
  | "a character that must be percent-encoded"
  | "invalid percent-encoding"
  | "double percent-encoding"
  | "a dot segment"

/** Bounds the time that a path takes. Servers accept addresses of at least 8,000 bytes (RFC 9110 §4.1). */
const LENGTH_AT_MOST = 8192
/** Every visible ASCII character that clients send as it is. Browsers leave `[`, `]`, `|` and `^` as they are. */
const PLAIN = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/%[\]|^]*$/
/** Most paths need no decoding and have no special meaning. A dot can begin a dot segment. */
const SIMPLE = /^(?:\/[A-Za-z0-9\-_~!$&'()*+,=:@][A-Za-z0-9\-._~!$&'()*+,=:@]*)*\/?$/
const ENCODED = /%[0-9A-Fa-f]{2}/
/** What must not be left after decoding once, because an app or a proxy may decode twice. */
const ENCODED_TWICE = /%(?:2[eEfF5]|5[cC]|3[bB]|[01][0-9A-Fa-f]|7[fF])/
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/** Reads a path with its query, as the request line has it. The query is ignored. */
export function readPath(target: string): ReadPath | PathProblem {
  const end = target.indexOf("?")
  const path = end < 0 ? target : target.slice(0, end)
  if (!path.startsWith("/")) return "not a path"
  if (path.length > LENGTH_AT_MOST) return "more than 8192 characters"
  if (SIMPLE.test(path)) {
    const reading = readingOf(path.slice(1).split("/"))
    return { reading, features: NONE, alternatives: NO_READINGS }
  }
  return problemOf(path) ?? readSpecial(path)
}

const NONE: readonly PathFeature[] = []
const NO_READINGS: readonly Reading[] = []

function problemOf(path: string): PathProblem | null {
  if (path.includes("#")) return "a fragment"
  if (path.includes("\\")) return "a backslash"
  if (CONTROL.test(path)) return "a control character"
  if (!PLAIN.test(path)) return "a character that must be percent-encoded"
  return null
}

function readSpecial(path: string): ReadPath | PathProblem {
  const segments: string[] = []
  for (const raw of path.slice(1).split("/")) {
    const segment = decoded(raw)
    if (segment === null) return "invalid percent-encoding"
    const problem = segmentProblem(segment) ?? segmentProblem(decoded(segment) ?? segment)
    if (problem !== null) return problem
    segments.push(segment)
  }
  const features = featuresOf(segments)
  const isPlain = features.length === 0
  const alternatives =
    isPlain && segments.every((one) => UNAMBIGUOUS.test(one)) ? NO_READINGS : alternativesOf(segments)
  return { reading: isPlain ? readingOf(segments) : allowingReading(segments), features, alternatives }
}

/** ASCII without `%` and `?`: every server reads such a segment alike. */
const UNAMBIGUOUS = /^[\u0020-$&->@-\u007e]*$/

/** Returns null if an escape is incomplete or the bytes are not UTF-8. */
function decoded(raw: string): string | null {
  if (!raw.includes("%")) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return null
  }
}

function segmentProblem(segment: string): PathProblem | null {
  if (segment.includes("\\")) return "a backslash"
  if (CONTROL.test(segment)) return "a control character"
  if (ENCODED.test(segment) && ENCODED_TWICE.test(segment)) return "double percent-encoding"
  // A server may read a parameter (`..;x`) or an encoded slash (`..%2f`) as the end of a dot segment.
  if (
    compatible(segment)
      .split(/[;/]/)
      .some((part) => part === "." || part === "..")
  )
    return "a dot segment"
  return null
}

const ASCII = /^[\u0020-\u007e]*$/

/** Replaces letters with the plain ones that Unicode calls compatible. */
export function compatible(text: string): string {
  return ASCII.test(text) ? text : text.normalize("NFKC")
}

function featuresOf(segments: readonly string[]): readonly PathFeature[] {
  return PATH_FEATURES.filter((feature) => {
    switch (feature) {
      case "encoded_slash":
        return segments.some((segment) => segment.includes("/"))
      case "double_slash":
        return segments.some((segment, at) => segment === "" && at < segments.length - 1)
      case "semicolon":
        return segments.some((segment) => segment.includes(";"))
    }
  })
}

/** The reading where the route allows it: `//` is one slash, `%2f` is no slash, and `;` begins a parameter. */
function allowingReading(segments: readonly string[]): Reading {
  return readingOf(withoutEmpty(segments.map(withoutParameters)))
}

/**
 * A server may decode twice, replace compatible letters, take an encoded question mark for the beginning of the query,
 * an encoded slash for a slash, or a semicolon for the beginning of a parameter.
 */
function alternativesOf(segments: readonly string[]): readonly Reading[] {
  const plain = segments.map((segment) => compatible(decoded(segment) ?? segment))
  return both(segments, plain)
    .flatMap((read) => both(read, withoutQuery(read)))
    .flatMap((read) =>
      both(
        read,
        read.flatMap((segment) => segment.split("/")),
      ),
    )
    .flatMap((read) => both(read, read.map(withoutParameters)))
    .flatMap((read) => both(read, withoutEmpty(read)))
    .map(readingOf)
}

function both(one: readonly string[], other: readonly string[]): readonly (readonly string[])[] {
  return isSame(one, other) ? [one] : [one, other]
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at])
}

function withoutQuery(segments: readonly string[]): readonly string[] {
  const last = segments.findIndex((segment) => segment.includes("?"))
  if (last < 0) return segments
  return [...segments.slice(0, last), segments[last]?.split("?", 1)[0] ?? ""]
}

function withoutParameters(segment: string): string {
  const end = segment.indexOf(";")
  return end < 0 ? segment : segment.slice(0, end)
}

/** A last empty segment is a trailing slash. */
function withoutEmpty(segments: readonly string[]): readonly string[] {
  return segments.filter((segment, at) => segment !== "" || at === segments.length - 1)
}

function readingOf(segments: readonly string[]): Reading {
  if (segments.at(-1) !== "") return { segments, trailingSlash: false }
  const shorter = segments.slice(0, -1)
  return { segments: shorter, trailingSlash: shorter.length > 0 }
}
