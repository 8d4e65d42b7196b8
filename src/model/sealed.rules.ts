/**
 * Everything in the database that is encrypted with the service secret. `secret rotate` seals each of these things
 * again. Another sealed column needs a row here. Interface SECRET-3.
 */

type Sealed = {
  readonly table: string
  /** The key of the row, and the column with the sealed text. */
  readonly key: string
  readonly column: string
  /** Whether the key is an integer. Any other key is text. */
  readonly isNumbered: boolean
  /** The purpose that the seal is bound to. */
  readonly purpose: (key: string) => string
}

export const sealedThings = {
  totp: {
    table: "factor",
    key: "factor_id",
    column: "sealed_secret",
    isNumbered: false,
    purpose: (factorId) => `totp ${factorId}`,
  },
  mailLink: {
    table: "outbox",
    key: "mail_id",
    column: "sealed_link",
    isNumbered: false,
    purpose: () => "mail link",
  },
  importKey: {
    table: "import",
    key: "id",
    column: "sealed_secret",
    isNumbered: true,
    purpose: () => "imported tokens",
  },
  signingKey: {
    table: "signing_key",
    key: "kid",
    column: "sealed_private",
    isNumbered: false,
    purpose: (kid) => `signing key ${kid}`,
  },
} as const satisfies Readonly<Record<string, Sealed>>

export type SealedThing = keyof typeof sealedThings

export const sealedNames = Object.keys(sealedThings) as readonly SealedThing[]

/** The key as the database has it. */
export function storedKey(thing: SealedThing, key: string): string | number {
  return sealedThings[thing].isNumbered ? Number(key) : key
}

export type SealedRow = { readonly key: string; readonly text: string }
