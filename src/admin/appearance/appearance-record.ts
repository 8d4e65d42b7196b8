/** The appearance as command line and API show it. */
import { APPEARANCE_NAME_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { URL_BYTES_AT_MOST } from "../../kernel/https-url.ts"
import {
  type Appearance,
  type LogoMember,
  logoMembers,
  type TextMember,
  textMembers,
} from "../../model/appearance.rules.ts"
import { optional, orNull, type Parsed, record, text } from "../../platform/json/shape.rules.ts"

const shapeOf = (member: TextMember, most: number) => {
  const { summary, example } = textMembers[member]
  return text(`${capital(summary)}.`, example, { most })
}
const logo = (member: LogoMember) =>
  orNull(text(`The address of ${logoMembers[member].summary}.`, logoMembers[member].example))

const capital = (summary: string) => summary.charAt(0).toUpperCase() + summary.slice(1)

const texts = {
  // A character outside the BMP has two UTF-16 units.
  name: shapeOf("name", 2 * APPEARANCE_NAME_LENGTH_AT_MOST),
  color: orNull(shapeOf("color", 7)),
  support: orNull(shapeOf("support", URL_BYTES_AT_MOST)),
  terms: orNull(shapeOf("terms", URL_BYTES_AT_MOST)),
  privacy: orNull(shapeOf("privacy", URL_BYTES_AT_MOST)),
}

export const appearanceShape = record("Appearance", {
  name: texts.name,
  color: texts.color,
  logo: logo("logo"),
  logo_dark: logo("logoDark"),
  support: texts.support,
  terms: texts.terms,
  privacy: texts.privacy,
})

export const appearancePatchShape = record("AppearanceUpdate", {
  name: optional(orNull(texts.name)),
  color: optional(texts.color),
  support: optional(texts.support),
  terms: optional(texts.terms),
  privacy: optional(texts.privacy),
})

export type AppearanceRecord = Parsed<typeof appearanceShape>

/** `baseUrl` has no trailing slash. */
export function appearanceRecord(appearance: Appearance, baseUrl: string): AppearanceRecord {
  const { name, color, support, terms, privacy } = appearance
  const address = (path: string, digest: string | null) =>
    digest === null ? null : `${baseUrl}/appearance/${path}?v=${digest}`
  return {
    name,
    color,
    logo: address("logo", appearance.logo),
    logo_dark: address("logo-dark", appearance.logoDark),
    support,
    terms,
    privacy,
  }
}
