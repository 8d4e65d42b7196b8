/** The ways in which servers read a path that is not plain. */
import type { Spelling } from "./fold.rules.ts"

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

/** Bounds the time that a path takes. */
const READINGS_AT_MOST = 64

/**
 * A server may decode twice, replace compatible letters, split a decoded path at `?`, `#` or `;` once more, take an
 * encoded slash for a slash, a semicolon for the beginning of a parameter, or a blank segment for an empty one: one or
 * several of these, in any order. Returns null for too many readings.
 */
export function alternativesOf(segments: Segments, spelling: Spelling): readonly Reading[] | null {
  const changes = changesOf(spelling)
  const found = [segments]
  // The readings that are added in the loop are changed too.
  for (const one of found)
    for (const change of changes) {
      const other = change(one)
      if (other === one || found.some((known) => isSame(known, other))) continue
      if (found.length === READINGS_AT_MOST) return null
      found.push(other)
    }
  return found.map(readingOf)
}

type Change = (segments: Segments) => Segments

function changesOf({ compatible, folded }: Spelling): readonly Change[] {
  return [
    each((segment) => decoded(segment) ?? segment),
    each(compatible),
    (read) => (read.some((one) => one.includes("/")) ? read.flatMap((one) => one.split("/")) : read),
    each(withoutParameters),
    ...["?", "#", ";"].map((mark) => (read: Segments) => upTo(mark, read)),
    (read) => withoutEmpty(read.map((segment) => (folded(segment) === "" ? "" : segment))),
  ]
}

function each(change: (segment: string) => string): Change {
  return (segments) => segments.map((segment) => change(segment))
}

/** Returns null if an escape is incomplete or the bytes are not UTF-8. */
export function decoded(raw: string): string | null {
  if (!raw.includes("%")) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return null
  }
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

/** A last empty segment is a trailing slash. */
function withoutEmpty(segments: Segments): Segments {
  return segments.filter((segment, at) => segment !== "" || at === segments.length - 1)
}
