/** The ways in which servers read a path that is not plain. */
import { compatible, folded } from "./fold.rules.ts"

/** The decoded segments of a path. A trailing slash is not a segment. */
export type Reading = { readonly segments: readonly string[]; readonly trailingSlash: boolean }

type Segments = readonly string[]

export function readingOf(segments: Segments): Reading {
  if (segments.at(-1) !== "") return { segments, trailingSlash: false }
  const shorter = segments.slice(0, -1)
  return { segments: shorter, trailingSlash: shorter.length > 0 }
}

/** The reading where the route allows it: `//` is one slash, `%2f` is no slash, and `;` begins a parameter. */
export function allowingReading(segments: Segments): Reading {
  return readingOf(withoutEmpty(segments.map(withoutParameters)))
}

/** ASCII without what a server could decode, split or trim once more: every server reads such a segment alike. */
const UNAMBIGUOUS = /^(?! )[\u0020-"$&-:<->@-\u007e]*(?<![ .+])$/

export function isUnambiguous(segment: string): boolean {
  return UNAMBIGUOUS.test(segment)
}

/**
 * A server may decode twice, replace compatible letters, split a decoded path at `?`, `#` or `;` once more, take an
 * encoded slash for a slash, a semicolon for the beginning of a parameter, or a blank segment for an empty one.
 */
export function alternativesOf(segments: Segments): readonly Reading[] {
  const plain = segments.map((segment) => compatible(decoded(segment) ?? segment))
  return distinct([segments, plain])
    .flatMap((read) => distinct([read, ...CUTS.map((mark) => upTo(mark, read))]))
    .flatMap((read) => distinct([read, read.flatMap((segment) => segment.split("/"))]))
    .flatMap((read) => distinct([read, read.map(withoutParameters)]))
    .flatMap((read) => distinct([read, withoutEmpty(read.map(withoutBlank))]))
    .map(readingOf)
}

const CUTS = ["?", "#", ";"] as const

/** Returns null if an escape is incomplete or the bytes are not UTF-8. */
export function decoded(raw: string): string | null {
  if (!raw.includes("%")) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return null
  }
}

function distinct(readings: readonly Segments[]): readonly Segments[] {
  return readings.filter((one, at) => !readings.slice(0, at).some((other) => isSame(one, other)))
}

function isSame(some: Segments, others: Segments): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at])
}

/** Leaves out everything from the first `mark`. */
function upTo(mark: string, segments: Segments): Segments {
  const last = segments.findIndex((segment) => segment.includes(mark))
  if (last < 0) return segments
  return [...segments.slice(0, last), segments[last]?.split(mark, 1)[0] ?? ""]
}

function withoutParameters(segment: string): string {
  const end = segment.indexOf(";")
  return end < 0 ? segment : segment.slice(0, end)
}

function withoutBlank(segment: string): string {
  return folded(segment) === "" ? "" : segment
}

/** A last empty segment is a trailing slash. */
function withoutEmpty(segments: Segments): Segments {
  return segments.filter((segment, at) => segment !== "" || at === segments.length - 1)
}
