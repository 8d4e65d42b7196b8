/**
 * Which of the known languages a person reads. Tags match by the look-up of RFC 4647 §3.4 after their likely subtags
 * were added: `de-AT` finds `de` and `zh-CN` finds `zh-Hans`, but `zh-TW`, which is written in another script, does not.
 */
import { detachString } from "../../kernel/detach-string.ts"

/** Both bounds are far above what browsers send. What exceeds them is not read. */
const LENGTH_AT_MOST = 1_000
const TAGS_AT_MOST = 20

/** BCP 47 allows longer tags, but none of a language that people read. Four codes stand for no certain language. */
const TAG = /^(?!(?:mis|mul|und|zxx)\b)[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i

export type KnownTags = {
  /** By what a look-up compares: `de-Latn` of `de`, `pt-Latn-BR` of `pt-BR`. */
  readonly tags: ReadonlyMap<string, string>
  /** The tags that recent requests found, because a look-up takes longer than the rest of a page's language. */
  readonly found: Map<string, string | null>
}

/** Browsers send few different tags. What strangers invent takes at most some 50 KB. */
const FOUND_AT_MOST = 500
const FOUND_LENGTH_AT_MOST = 35

export function knownTags(tags: Iterable<string>): KnownTags {
  const byForm = Array.from(tags, (tag) => {
    const { language, script, region } = new Intl.Locale(tag)
    const likely = new Intl.Locale(tag).maximize().script
    return [[language, script ?? likely, region].filter((part) => part !== undefined).join("-"), tag] as const
  })
  return { tags: new Map(byForm), found: new Map() }
}

/** Returns the tag in its canonical spelling, such as `pt-BR` of `PT-br`. Returns null for another text. */
export function canonicalTag(text: string): string | null {
  return localeOf(text)?.baseName ?? null
}

/** Returns the known tag that a requested one finds, or null. Any text is a possible request. */
export function lookUp({ tags, found }: KnownTags, requested: string): string | null {
  const kept = found.get(requested)
  if (kept !== undefined) return kept
  const tag = search(tags, requested)
  if (found.size >= FOUND_AT_MOST) found.clear()
  if (requested.length <= FOUND_LENGTH_AT_MOST) found.set(detachString(requested), tag)
  return tag
}

function search(tags: KnownTags["tags"], requested: string): string | null {
  const locale = localeOf(requested)?.maximize()
  if (locale === undefined) return null
  const parts = locale.baseName.split("-")
  for (let count = parts.length; count >= (locale.script === undefined ? 1 : 2); count -= 1) {
    const found = tags.get(parts.slice(0, count).join("-"))
    if (found !== undefined) return found
  }
  return null
}

/** Parses `ui_locales`: tags with spaces between, the most wanted first. OpenID Connect Core §3.1.2.1. */
export function uiLocalesOf(text: string): readonly string[] {
  return text.slice(0, LENGTH_AT_MOST).split(" ").slice(0, TAGS_AT_MOST)
}

const QUALITY = /^q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/i

/** Parses `Accept-Language`, the most wanted first. Leaves out what is malformed or has the quality 0. RFC 9110 §12.5.4. */
export function acceptedLanguages(header: string | undefined): readonly string[] {
  if (header === undefined) return []
  const ranges = header.slice(0, LENGTH_AT_MOST).split(",").slice(0, TAGS_AT_MOST)
  return ranges
    .flatMap((range) => {
      const [tag = "", weight] = range.split(";").map((part) => part.trim())
      const quality = weight === undefined ? 1 : Number(QUALITY.exec(weight)?.[1] ?? 0)
      return quality > 0 && TAG.test(tag) ? [{ tag, quality }] : []
    })
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}

export function isRightToLeft(tag: string): boolean {
  return localeOf(tag)?.getTextInfo().direction === "rtl"
}

function localeOf(text: string): Intl.Locale | undefined {
  if (!TAG.test(text)) return undefined
  try {
    return new Intl.Locale(text)
  } catch {
    // The form is that of a tag, but the order or the length of its subtags is not.
    return undefined
  }
}
