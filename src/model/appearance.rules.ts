/** How the service looks: its name, color, logos and links. Interface LOOK-1. */
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { parseHttpsUrl, URL_BYTES_AT_MOST } from "../kernel/https-url.ts"
import { APPEARANCE_NAME_LENGTH_AT_MOST } from "../kernel/limits.ts"
import { codePointCount, isVisibleLabel } from "../kernel/visible-text.ts"
import { parseEmailAddress } from "./mail/email-address.rules.ts"

export type Appearance = {
  /** 1 to 60 visible characters. */
  readonly name: string
  /** `#rrggbb`, or null for the product's own color. */
  readonly color: string | null
  /** The SHA-256 of the stored PNG, or null. */
  readonly logo: string | null
  readonly logoDark: string | null
  /** An https or mailto address for people who need help. */
  readonly support: string | null
  readonly terms: string | null
  readonly privacy: string | null
}

export const PRODUCT = "Latchkey"

export const defaultAppearance: Appearance = {
  name: PRODUCT,
  color: null,
  logo: null,
  logoDark: null,
  support: null,
  terms: null,
  privacy: null,
}

type Member = {
  /** The stored name: the key of a row of the table `setting`. */
  readonly key: `appearance.${string}`
  /** What the member is, for the command line and the API. */
  readonly summary: string
  readonly example: string
  /** Returns the text to store, or what is wrong with it. */
  readonly parse: (text: string) => Result<string, Problem>
}

const LOGO = "https://auth.example.org/appearance/logo"

export const appearanceMembers = {
  name: {
    key: "appearance.name",
    summary: "the name of the service, as people read it",
    example: "Example",
    parse: parseName,
  },
  color: {
    key: "appearance.color",
    summary: "one color, as #RRGGBB",
    example: "#1a56db",
    parse: (text) =>
      /^#[0-9a-f]{6}$/i.test(text)
        ? ok(text.toLowerCase())
        : err("Write a color as #RRGGBB, such as #1a56db."),
  },
  logo: {
    key: "appearance.logo",
    summary: "the logo, a PNG, JPEG, WebP or GIF picture",
    example: `${LOGO}?v=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU`,
    parse: parseDigest,
  },
  logoDark: {
    key: "appearance.logo-dark",
    summary: "the logo for dark pages",
    example: `${LOGO}-dark?v=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU`,
    parse: parseDigest,
  },
  support: {
    key: "appearance.support",
    summary: "where people get help: an https or mailto address",
    example: "mailto:help@example.org",
    parse: (text) => (/^mailto:/i.test(text) ? parseMailto(text) : parseLink(text, "https:// or mailto:")),
  },
  terms: {
    key: "appearance.terms",
    summary: "the terms of service: an https address",
    example: "https://example.org/terms",
    parse: (text) => parseLink(text, "https://"),
  },
  privacy: {
    key: "appearance.privacy",
    summary: "the privacy policy: an https address",
    example: "https://example.org/privacy",
    parse: (text) => parseLink(text, "https://"),
  },
} as const satisfies Readonly<Record<keyof Appearance, Member>>

/** The members that are pictures. Their rows have the digest of the picture in the table `logo`. */
export type LogoMember = "logo" | "logoDark"
export type TextMember = Exclude<keyof Appearance, LogoMember>
/** The key of a logo, in the tables `logo` and `setting`. */
export type LogoKey = (typeof appearanceMembers)[LogoMember]["key"]

export const memberNames = Object.keys(appearanceMembers) as readonly (keyof Appearance)[]
export const textMemberNames = memberNames.filter((name) => !isLogo(name))

export function isLogo(name: keyof Appearance): name is LogoMember {
  return name === "logo" || name === "logoDark"
}

/** The member that is stored as the setting `key`, if there is one. */
export function appearanceMember(key: string): Member | undefined {
  return Object.values(appearanceMembers).find((row) => row.key === key)
}

/** Reads the stored members. A missing or unreadable one has its default. */
export function readAppearance(stored: ReadonlyMap<string, string>): Appearance {
  const read = Object.entries(appearanceMembers).flatMap(([name, { key, parse }]) => {
    const text = stored.get(key)
    const parsed = text === undefined ? null : parse(text)
    return parsed?.ok === true ? [[name, parsed.value] as const] : []
  })
  return { ...defaultAppearance, ...Object.fromEntries(read) }
}

function parseName(text: string): Result<string, Problem> {
  const name = text.normalize("NFC").trim()
  return name !== "" && isVisibleLabel(name) && codePointCount(name) <= APPEARANCE_NAME_LENGTH_AT_MOST
    ? ok(name)
    : err(`Write a name of 1 to ${APPEARANCE_NAME_LENGTH_AT_MOST} visible characters.`)
}

function parseLink(text: string, begins: string): Result<string, Problem> {
  if (!text.startsWith("https://")) return err(`Write an address that begins with ${begins}.`)
  const url = /^https:\/\/[^/?#]*$/.test(text) ? `${text}/` : text
  const [page = ""] = url.split("#", 1)
  const parsed = parseHttpsUrl(page)
  if (!parsed.ok) return parsed
  return /^[\x21-\x7e]+$/.test(url) && url.length <= URL_BYTES_AT_MOST
    ? ok(url)
    : err("The URL has a malformed fragment (#).")
}

function parseMailto(text: string): Result<string, Problem> {
  const email = parseEmailAddress(text.slice("mailto:".length))
  // These characters have a meaning in a URL. RFC 6068 §2.
  return email.ok && !/[?&%#/]/.test(email.value.address)
    ? ok(`mailto:${email.value.address}`)
    : err("Write one e-mail address after mailto:.")
}

function parseDigest(text: string): Result<string, Problem> {
  return /^[\w-]{43}$/.test(text) ? ok(text) : err("It is not a digest.")
}
