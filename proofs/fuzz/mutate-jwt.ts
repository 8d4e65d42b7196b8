/** Forges JWT access tokens: other headers, other claims, and signatures by other keys. RFC 8725, JWT-4. */
import { createHmac, generateKeyPairSync, sign } from "node:crypto"
import type { Choice } from "../choice.ts"
import { PROTOTYPE_NAMES } from "./words.ts"

const JWT = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/

const own = generateKeyPairSync("ec", { namedCurve: "P-256" })
const ownJwk = own.publicKey.export({ format: "jwk" })

type Json = Readonly<Record<string, unknown>>

const HEADERS: readonly ((header: Json, choice: Choice) => unknown)[] = [
  (header) => ({ ...header, alg: "none" }),
  (header) => ({ ...header, alg: "NONE" }),
  (header) => ({ ...header, alg: "HS256" }),
  (header) => ({ ...header, alg: header["alg"] === "ES256" ? "RS256" : "ES256" }),
  (header) => ({ ...header, alg: ["RS256", "ES256"] }),
  (header) => ({ ...header, typ: "JWT" }),
  (header) => ({ ...header, typ: "logout+jwt" }),
  ({ typ: _, ...header }) => header,
  (header) => ({ ...header, kid: "01kb3w5f6y8m2q4r7t9v1x3z5k" }),
  (header) => ({ ...header, kid: "../../../../dev/null" }),
  (header) => ({ ...header, kid: { $ne: null } }),
  (header) => ({ ...header, kid: "k".repeat(5000) }),
  ({ kid: _, ...header }) => header,
  (header) => ({ ...header, jwk: ownJwk }),
  (header) => ({ ...header, jku: "https://evil.example/jwks", x5u: "https://evil.example/x5u" }),
  (header) => ({ ...header, crit: ["exp"], b64: false }),
  (header) => ({ kid: header["kid"], typ: header["typ"], alg: header["alg"] }),
  (header, choice) => ({ ...header, [choice.one(PROTOTYPE_NAMES)]: { alg: "none" } }),
  () => null,
  () => [],
]

const CLAIMS: readonly ((claims: Json, choice: Choice) => unknown)[] = [
  (claims) => ({ ...claims, aud: "https://other.example/" }),
  (claims) => ({ ...claims, aud: [claims["aud"], "http://localhost"] }),
  (claims) => ({ ...claims, exp: 9_999_999_999 }),
  (claims) => ({ ...claims, exp: "9999999999" }),
  (claims) => ({ ...claims, exp: -1 }),
  ({ exp: _, ...claims }) => claims,
  (claims) => ({ ...claims, scope: "admin:settings admin:accounts" }),
  (claims) => ({ ...claims, sub: "root", client_id: "x" }),
  (claims) => ({ ...claims, iss: "https://evil.example" }),
  (claims) => ({ ...claims, token_id: { length: 26 } }),
  (claims) => ({ ...claims, token_id: "00000000000000000000000000", jti: "A".repeat(43) }),
  (claims) => ({ ...claims, deep: JSON.parse(`${"[".repeat(2000)}${"]".repeat(2000)}`) as unknown }),
  (claims, choice) => ({ ...claims, [choice.one(PROTOTYPE_NAMES)]: "x" }),
  () => "claims",
  () => [],
]

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** A part that was changed before may be no JSON any more. */
function decoded(part: string): Json {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as Json
  } catch {
    return {}
  }
}

/** Returns `text` with a forged token in place of the one in it. Returns null if it has none. */
export function forgeJwt(choice: Choice, text: string): string | null {
  const [token] = JWT.exec(text) ?? []
  return token === undefined ? null : text.replace(token, () => forged(choice, token))
}

function forged(choice: Choice, token: string): string {
  const [head = "", claims = "", signature = ""] = token.split(".")
  const header = choice.chance(0.6) ? encoded(choice.one(HEADERS)(decoded(head), choice)) : head
  const payload = choice.chance(0.5) ? encoded(choice.one(CLAIMS)(decoded(claims), choice)) : claims
  const input = `${header}.${payload}`
  if (input !== `${head}.${claims}` && choice.chance(0.4)) return `${input}.${signature}`
  return `${input}${choice.one(SIGNATURES)(input, signature)}`
}

/** None of these is the right signature in its one spelling. */
const SIGNATURES: readonly ((input: string, signature: string) => string)[] = [
  () => "",
  () => ".",
  (_, signature) => `.${signature.slice(0, -1)}`,
  (_, signature) => `.${signature.slice(0, signature.length >> 1)}`,
  (_, signature) => `.${signature}A`,
  (_, signature) => `.${signature}==`,
  (_, signature) => `.${signature}.${signature}`,
  (_, signature) => `.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
  (_, signature) => `.${"A".repeat(signature.length)}`,
  (_, signature) =>
    `.${Buffer.from([...Buffer.from(signature, "base64url")].toReversed()).toString("base64url")}`,
  (input) => `.${createHmac("sha256", JSON.stringify(ownJwk)).update(input).digest("base64url")}`,
  (input) =>
    `.${sign("sha256", Buffer.from(input), { key: own.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`,
  (input) => `.${sign("sha256", Buffer.from(input), own.privateKey).toString("base64url")}`,
]
