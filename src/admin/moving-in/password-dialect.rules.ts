/** Rewrites the hash of another library as one of the forms of `password-hash.rules.ts`. MOVE-4. */
import { parsePasswordHash } from "../../model/moved/password-hash.rules.ts"
import type { Skipped } from "./moved.rules.ts"

/** Returns the hash in a stored form. Returns null if it is of another kind, or costs too much to check. */
export function importedHash(text: string): string | null {
  const hash = rewritten(text.trim())
  return hash !== null && parsePasswordHash(hash) !== null ? hash : null
}

export function unusablePassword(name: string, hash: string): Skipped {
  const reason =
    hash === ""
      ? "The file has no password hash for this account. Set a password, or link a provider."
      : "The hash is not bcrypt, argon2, pbkdf2 or scrypt in a known form, or checking it costs too much."
  return { what: "password", name, reason }
}

const DIALECTS: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  [/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/, (text) => text],
  // Django: BCryptSHA256PasswordHasher hashes the password first, so only the plain form is bcrypt.
  [/^bcrypt\$(\$2[aby]\$.+)$/, (_, hash = "") => hash],
  [/^(?:argon2)?(\$argon2(?:id|i|d)\$v=19\$.+)$/, (_, hash = "") => withoutPadding(hash)],
  // Django: the text of the salt, and the tag in base64.
  [/^pbkdf2_(sha1|sha256|sha512)\$(\d+)\$([^$]+)\$([A-Za-z0-9+/=]+)$/, djangoPbkdf2],
  // passlib: base64 with a full stop in place of the plus sign. The form without a name is SHA-1.
  [/^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(\d+)\$([A-Za-z0-9./]+)\$([A-Za-z0-9./]+)$/, passlibPbkdf2],
  // Kratos: the rounds and the length are named.
  [/^\$pbkdf2-(sha1|sha256|sha512)\$i=(\d+),l=\d+\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/, pbkdf2Hash],
  // passlib and others name the exponent, Kratos the cost itself.
  [/^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)(?:,l=\d+)?\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/, scryptHash],
]

function rewritten(text: string): string | null {
  for (const [pattern, rewrite] of DIALECTS) {
    const match = pattern.exec(text)
    if (match !== null) return rewrite(...match)
  }
  return null
}

/** better-auth: the salt is the hex text itself. N 16384, r 16, p 1. */
export function betterAuthHash(text: string): string | null {
  const [, salt, key] = /^([0-9a-f]{32}):([0-9a-f]{128})$/.exec(text) ?? []
  if (salt === undefined || key === undefined) return null
  const bytes = (key.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16))
  return scryptHash("", "14", "16", "1", textBase64(salt), bytesBase64(bytes))
}

function pbkdf2Hash(_: string, digest = "", rounds = "", salt = "", tag = ""): string {
  return withoutPadding(`$pbkdf2-${digest}$i=${Number(rounds)}$${salt}$${tag}`)
}

function djangoPbkdf2(text: string, digest = "", rounds = "", salt = "", tag = ""): string {
  return pbkdf2Hash(text, digest, rounds, textBase64(salt), tag)
}

function passlibPbkdf2(text: string, digest = "sha1", rounds = "", salt = "", tag = ""): string {
  const usual = (bytes: string) => bytes.replaceAll(".", "+")
  return pbkdf2Hash(text, digest, rounds, usual(salt), usual(tag))
}

function scryptHash(_: string, bits = "", blocks = "", lanes = "", salt = "", tag = ""): string {
  // Kratos writes the cost itself: 32768 in place of 15.
  const cost = Number(bits)
  const exponent = cost > 64 ? Math.log2(cost) : cost
  return withoutPadding(`$scrypt$ln=${exponent},r=${Number(blocks)},p=${Number(lanes)}$${salt}$${tag}`)
}

function withoutPadding(text: string): string {
  return text.replaceAll("=$", "$").replaceAll("=$", "$").replace(/=+$/, "")
}

/** A text of ASCII characters. Salts of these libraries have no others. */
function textBase64(text: string): string {
  return bytesBase64(Array.from(text, (character) => character.charCodeAt(0) & 255))
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

function bytesBase64(bytes: readonly number[]): string {
  let text = ""
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(at, at + 3)
    const bits = (a << 16) | (b << 8) | c
    for (let digit = 0; digit <= Math.min(3, bytes.length - at); digit++)
      text += BASE64.charAt((bits >>> (18 - 6 * digit)) & 63)
  }
  return text
}
