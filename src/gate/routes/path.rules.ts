/**
 * Reads the path of a request. A path that a proxy, the gate and an app could read in different ways is refused. What
 * some apps need is read only where a route allows it.
 */

import { isAscii, PLAIN_SPELLING, rememberedSpelling, type Spelling } from "./fold.rules.ts"
import {
  allowingReading,
  alternativesOf,
  decoded,
  isUnambiguous,
  type Reading,
  readingOf,
} from "./readings.rules.ts"

/** What a path may contain only where a route allows it. */
export type PathFeature = "encoded_slash" | "double_slash" | "semicolon"

export const PATH_FEATURES: readonly PathFeature[] = ["encoded_slash", "double_slash", "semicolon"]

export type ReadPath = {
  readonly reading: Reading
  readonly features: readonly PathFeature[]
  /** The other ways in which a server may read the path. */
  readonly alternatives: readonly Reading[]
  /** Remembers the forms of segments where there are several readings. */
  readonly spelling: Spelling
}

export type PathProblem =
  | "not a path"
  | "more than 8192 characters"
  | "more than 32 segments that can be read in several ways"
  | "more than 64 ways to read it"
  | "more than 2048 characters in segments that are not ASCII"
  | "a fragment"
  | "a backslash"
  | "a control character"
  | "a character that must be percent-encoded"
  | "invalid percent-encoding"
  | "double percent-encoding"
  | "a dot segment"

/** Bounds the time that a path takes. Servers accept addresses of at least 8,000 bytes (RFC 9110 §4.1). */
const LENGTH_AT_MOST = 8192
/** Bounds the time that a path with several readings takes. */
const SEGMENTS_AT_MOST = 32
/** A compatible form can have eighteen characters for one. */
const WIDE_LENGTH_AT_MOST = 2048
const SEPARATOR = /\/|%2f/i
/** Every visible ASCII character that clients send as it is. Browsers leave `[`, `]`, `|` and `^` as they are. */
const PLAIN = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/%[\]|^]*$/
/**
 * Most paths need no decoding and have no special meaning. A dot can begin a dot segment, and a dot or plus sign at the
 * end of a segment can be trimmed.
 */
const SIMPLE = /^(?:\/[A-Za-z0-9\-_~!$&'()*,=:@][A-Za-z0-9\-._~!$&'()*+,=:@]*(?<![.+]))*\/?$/
const ENCODED = /%[0-9A-Fa-f]{2}/
/** What must not be left after decoding once, because an app or a proxy may decode twice. `%u0061` is how JavaScript once wrote it. */
const ENCODED_TWICE = /%(?:2[eEfF53]|5[cC]|3[bBfF]|[01][0-9A-Fa-f]|7[fF]|[uU][0-9A-Fa-f]{4})/
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
    return { reading, features: NONE, alternatives: NO_READINGS, spelling: PLAIN_SPELLING }
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
  const spelling = rememberedSpelling()
  const segments: string[] = []
  for (const raw of path.slice(1).split("/")) {
    const segment = decoded(raw)
    if (segment === null) return "invalid percent-encoding"
    const problem = segmentProblem(segment, spelling) ?? problemOfDecoding(segment, spelling)
    if (problem !== null) return problem
    segments.push(segment)
  }
  const features = featuresOf(segments)
  const isPlain = features.length === 0
  const hasOneReading = isPlain && segments.every(isUnambiguous)
  if (!hasOneReading && path.split(SEPARATOR, SEGMENTS_AT_MOST + 2).length > SEGMENTS_AT_MOST + 1)
    return "more than 32 segments that can be read in several ways"
  if (!hasOneReading && wideLength(segments, spelling) > WIDE_LENGTH_AT_MOST)
    return "more than 2048 characters in segments that are not ASCII"
  const alternatives = hasOneReading ? NO_READINGS : alternativesOf(segments, spelling)
  if (alternatives === null) return "more than 64 ways to read it"
  return {
    reading: isPlain ? readingOf(segments) : allowingReading(segments),
    features,
    alternatives,
    spelling,
  }
}

function wideLength(segments: readonly string[], { compatible }: Spelling): number {
  const again = segments.map((segment) => decoded(segment) ?? segment)
  return again.reduce((sum, segment) => sum + (isAscii(segment) ? 0 : compatible(segment).length), 0)
}

/** What is decoded again must be the same whether it is decoded or made compatible first, and leave no escape. */
function problemOfDecoding(segment: string, spelling: Spelling): PathProblem | null {
  const plain = spelling.compatible(segment)
  if (!ENCODED.test(segment) && !ENCODED.test(plain)) return null
  const first = decoded(segment)
  const last = decoded(plain)
  if (first === null || last === null) return "double percent-encoding"
  const both = spelling.compatible(first)
  if (ENCODED.test(both) || both !== spelling.compatible(last)) return "double percent-encoding"
  return segmentProblem(first, spelling)
}

function segmentProblem(segment: string, { compatible }: Spelling): PathProblem | null {
  const plain = compatible(segment)
  if (plain.includes("\\")) return "a backslash"
  if (CONTROL.test(segment)) return "a control character"
  if (ENCODED_TWICE.test(plain)) return "double percent-encoding"
  return plain.split(AGAIN).some((part) => DOTS.test(part)) ? "a dot segment" : null
}

/** A server may read a parameter (`..;x`), an encoded slash (`..%2f`) or query (`..%3f`) as the end of a dot segment. */
const AGAIN = /[;/?#]/
/** White space around a dot segment may be trimmed. */
const DOTS = /^[\s+]*\.\.?(?:[\s+][\s+.]*)?$/

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
