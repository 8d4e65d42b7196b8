/**
 * Builds a token that was never issued but looks real. One letter is changed, and in every second case the checksum is
 * corrected.
 */
import { crc32 } from "node:zlib"
import { BASE_URL } from "./resources.ts"

const CHECKSUM_LENGTH = 6
/** The position after the prefix and the id. */
const BEHIND_ID = 30

export function altered(token: string, which: number): string {
  const end = token.length - CHECKSUM_LENGTH
  const place = BEHIND_ID + (which % (end - BEHIND_ID))
  const letter = token[place] === "1" ? "2" : "1"
  const body = token.slice(0, place) + letter + token.slice(place + 1, end)
  return body + (which % 2 === 0 ? token.slice(end) : checksum(body))
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return bytes.toString("base64url")
}

/**
 * Builds a JWT that the service never signed. `others` are tokens that it did sign. Which way is chosen depends on the
 * token alone.
 */
export function alteredJwt(token: string, others: readonly string[]): string {
  const [header = "", claims = "", signature = ""] = token.split(".")
  const other = (others.find((one) => one !== token) ?? `${header}.e30.AAAA`).split(".")
  const ways: readonly (() => string)[] = [
    () => [changed(header, { alg: "none" }), claims, ""].join("."),
    () => [changed(header, { alg: "none" }), claims, signature].join("."),
    () => [changed(header, { alg: "HS256" }), claims, signature].join("."),
    () => [changed(header, { typ: "JWT" }), claims, signature].join("."),
    () => [changed(header, { kid: "01kb3w5f6y8m2q4r7t9v1x3z5k" }), claims, signature].join("."),
    () => [changed(header, { jku: "https://evil.example/jwks" }), claims, signature].join("."),
    () => [header, changed(claims, { aud: BASE_URL }), `A${signature.slice(1)}`].join("."),
    () => [header, changed(claims, { exp: 9_999_999_999 }), signature].join("."),
    () => [header, changed(claims, { scope: "account:read credentials:write openid" }), signature].join("."),
    () => [header, claims, other[2] === signature ? "AAAA" : other[2]].join("."),
    () => token.slice(0, -1),
    () => `${token}A`,
    () => [header, claims, ""].join("."),
    () => [header, claims].join("."),
    () => [header, claims, `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`].join("."),
  ]
  const made = ways[signature.charCodeAt(1) % ways.length]?.() ?? ""
  // What a way puts in may have been there before.
  return made === token ? `${token}A` : made
}

function changed(part: string, to: object): string {
  const before = JSON.parse(Buffer.from(part, "base64url").toString()) as object
  return Buffer.from(JSON.stringify({ ...before, ...to })).toString("base64url")
}
