/** The appearance as command line and API show it. */
import { APPEARANCE_NAME_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { URL_BYTES_AT_MOST } from "../../kernel/https-url.ts"
import {
  type Appearance,
  appearanceMembers,
  type LogoMember,
  type TextMember,
} from "../../model/appearance.rules.ts"
import { optional, orNull, type Parsed, record, text } from "../../platform/json/shape.rules.ts"

const shapeOf = (member: TextMember, most = URL_BYTES_AT_MOST) => {
  const { summary, example } = appearanceMembers[member]
  return text(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, example, { most })
}
const logoShape = (member: LogoMember) =>
  orNull(text(`The address of ${appearanceMembers[member].summary}.`, appearanceMembers[member].example))

const texts = {
  // A character outside the BMP has two UTF-16 units.
  name: shapeOf("name", 2 * APPEARANCE_NAME_LENGTH_AT_MOST),
  color: orNull(shapeOf("color", 7)),
  support: orNull(shapeOf("support")),
  terms: orNull(shapeOf("terms")),
  privacy: orNull(shapeOf("privacy")),
}

export const appearanceShape = record("Appearance", {
  ...texts,
  logo: logoShape("logo"),
  logo_dark: logoShape("logoDark"),
})

export const appearancePatchShape = record("AppearanceUpdate", {
  name: optional(orNull(texts.name)),
  color: optional(texts.color),
  support: optional(texts.support),
  terms: optional(texts.terms),
  privacy: optional(texts.privacy),
})

/** `baseUrl` has no trailing slash. */
export function appearanceRecord(
  { name, color, logo, logoDark, ...links }: Appearance,
  baseUrl: string,
): Parsed<typeof appearanceShape> {
  const address = (path: string, digest: string | null) =>
    digest === null ? null : `${baseUrl}/appearance/${path}?v=${digest}`
  return { name, color, logo: address("logo", logo), logo_dark: address("logo-dark", logoDark), ...links }
}
