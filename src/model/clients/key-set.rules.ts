/**
 * The public keys of clients and issuers: RFC 7517, RFC 7518 §6, RFC 8037 §2; interface KEY-3. A client's set with a
 * private or symmetric key is refused, because this key is no longer secret. Other kinds of keys are ignored, as RFC
 * 7517 §5 recommends.
 */
import { ISSUER_KEYS_AT_MOST, KEYS_AT_MOST, RSA_BITS } from "../../kernel/limits.ts"
import { parseHttpsUrl } from "../../kernel/https-url.ts"
import type { Json, JsonObject } from "../../kernel/json.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { type ClientKeys, SIGNING_ALGORITHMS } from "./client.rules.ts"
import { discoveryOf, parseWorkload, type Workload } from "./workload.rules.ts"

type Material =
  | { readonly kty: "RSA"; readonly n: string; readonly e: string }
  | { readonly kty: "EC"; readonly crv: "P-256" | "P-384" | "P-521"; readonly x: string; readonly y: string }
  | { readonly kty: "OKP"; readonly crv: "Ed25519"; readonly x: string }

/** The algorithms that an issuer may sign with: those of clients, and more of the same kinds. None has a shared secret. */
export const ISSUER_ALGORITHMS = [
  ...SIGNING_ALGORITHMS,
  ...(["ES384", "ES512", "Ed25519", "PS384", "PS512", "RS384", "RS512"] as const),
] as const
export type KeyAlgorithm = (typeof ISSUER_ALGORITHMS)[number]

/** A public key that can verify signatures, with the members that identify it. */
export type PublicKey = Material & { readonly kid?: string; readonly alg?: KeyAlgorithm }

const PRIVATE_MEMBERS = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

const KID_LENGTH_AT_MOST = 255

/** Returns the keys of a client's JWK set that can verify signatures. There must be at least one. */
export function parseKeySet(value: Json | undefined): Result<readonly PublicKey[], Problem> {
  const list = keysIn(value)
  if (!list.ok) return list
  if (list.value.length > KEYS_AT_MOST) return err(`It has more than ${KEYS_AT_MOST} keys.`)
  const keys: PublicKey[] = []
  for (const [place, item] of list.value.entries()) {
    const key = parseKey(item, SIGNING_ALGORITHMS)
    if (!key.ok) return err(`keys[${place}] ${key.error}`)
    if (key.value === null) continue
    if (keys.some((other) => isConfusedWith(other, key.value as PublicKey)))
      return err(`keys[${place}] has the kid of another key, or neither has one.`)
    keys.push(key.value)
  }
  if (keys.length === 0) return err(`It has no public key for ${SIGNING_ALGORITHMS.join(", ")}.`)
  return ok(keys)
}

/**
 * Returns the keys of an issuer's JWK set. A key that cannot be used is left out, because it must not stop the others.
 * An empty set is an answer too: the issuer withdrew its keys.
 */
export function parseIssuerKeySet(value: Json | undefined): Result<readonly PublicKey[], Problem> {
  const list = keysIn(value)
  if (!list.ok) return list
  const parsed = list.value.slice(0, ISSUER_KEYS_AT_MOST).map((item) => parseKey(item, ISSUER_ALGORITHMS))
  return ok(parsed.flatMap((key) => (key.ok && key.value !== null ? [key.value] : [])))
}

function keysIn(value: Json | undefined): Result<readonly Json[], Problem> {
  const members = value instanceof Map ? (value as JsonObject) : null
  const list = members?.get("keys")
  if (Array.isArray(list)) return ok(list as readonly Json[])
  return err(members?.has("kty") === true ? SINGLE_KEY : "It is not a JSON object with a list of keys.")
}

const SINGLE_KEY = 'It is one key. A set lists its keys in the member keys: {"keys": [KEY]}.'

/** Returns the form in which a key set is stored. `readKeySet` reads it. */
export function writeKeySet(keys: readonly PublicKey[]): string {
  return JSON.stringify({ keys })
}

export function readKeySet(jwks: string): readonly PublicKey[] {
  return (JSON.parse(jwks) as { readonly keys: readonly PublicKey[] }).keys
}

/** Returns the algorithms whose signatures a key may verify. */
export function algorithmsOf(key: PublicKey): readonly KeyAlgorithm[] {
  return key.alg === undefined ? algorithms[key.kty === "RSA" ? key.kty : key.crv] : [key.alg]
}

const algorithms = {
  RSA: ["PS256", "RS256", "PS384", "PS512", "RS384", "RS512"],
  "P-256": ["ES256"],
  "P-384": ["ES384"],
  "P-521": ["ES512"],
  Ed25519: ["EdDSA", "Ed25519"],
} as const

function isConfusedWith(one: PublicKey, other: PublicKey): boolean {
  return one.kid === other.kid && algorithmsOf(one).some((alg) => algorithmsOf(other).includes(alg))
}

/** Parses a key. Returns null if the key verifies none of the algorithms. */
function parseKey(item: Json, among: readonly KeyAlgorithm[]): Result<PublicKey | null, Problem> {
  if (!(item instanceof Map)) return err("is not a JSON object.")
  const members = item as JsonObject
  const secret = PRIVATE_MEMBERS.find((name) => members.has(name))
  if (secret !== undefined || members.get("kty") === "oct")
    return err("is not a public key. A private key that was sent to a service is no longer private.")
  const kid = members.get("kid") ?? undefined
  if (kid !== undefined && (typeof kid !== "string" || kid.length > KID_LENGTH_AT_MOST))
    return err(`has a kid that is not a text of at most ${KID_LENGTH_AT_MOST} characters.`)
  if (!isForSignatures(members)) return ok(null)
  const material = parseMaterial(members)
  if (!material.ok || material.value === null) return material
  const named = members.get("alg") ?? undefined
  const usable = algorithmsOf(material.value).filter((one) => among.includes(one))
  const alg = usable.find((one) => one === named)
  if (usable.length === 0 || (named !== undefined && alg === undefined)) return ok(null)
  return ok({ ...material.value, ...(kid !== undefined && { kid }), ...(alg !== undefined && { alg }) })
}

/** Whether a key may be used for signatures. RFC 7517 §4.2 and §4.3. */
function isForSignatures(members: JsonObject): boolean {
  const use = members.get("use") ?? "sig"
  const operations = members.get("key_ops") ?? ["verify"]
  return use === "sig" && Array.isArray(operations) && operations.includes("verify")
}

/** Parses the key material. Returns null for an unsupported kind of key. */
function parseMaterial(members: JsonObject): Result<Material | null, Problem> {
  const text = (name: string): string => {
    const value = members.get(name)
    return typeof value === "string" && BASE64URL.test(value) ? value : ""
  }
  const [kty, crv, x, y] = [members.get("kty"), members.get("crv"), text("x"), text("y")]
  if (kty === "RSA") return parseRsa(text("n"), text("e"))
  if (kty === "EC" && crv === "P-256")
    return is256Bits(x) && is256Bits(y) ? ok({ kty, crv, x, y }) : err("is not a point of P-256.")
  if (kty === "EC" && (crv === "P-384" || crv === "P-521")) {
    const isPoint = [x, y].every(({ length }) => length === (crv === "P-384" ? 64 : 88))
    return ok(isPoint ? { kty, crv, x, y } : null)
  }
  if (kty === "OKP" && crv === "Ed25519")
    return is256Bits(x) ? ok({ kty, crv, x }) : err("is not a key of Ed25519.")
  return ok(null)
}

function parseRsa(n: string, e: string): Result<Material, Problem> {
  const bits = bitLength(n)
  if (bits < RSA_BITS.least || bits > RSA_BITS.most)
    return err(`is an RSA key of ${bits} bits. It must have ${RSA_BITS.least} to ${RSA_BITS.most}.`)
  const exponent = bitLength(e)
  // With the exponent 1, every signature would be valid. An exponent of more than 32 bits would slow every check down.
  return exponent >= 2 && exponent <= 32
    ? ok({ kty: "RSA", n, e })
    : err("has an RSA exponent that is not 2 to 32 bits long.")
}

const BASE64URL = /^[A-Za-z0-9_-]+$/
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

function is256Bits(text: string): boolean {
  return text.length === 43
}

/** Returns the length in bits of an unsigned number in base64url, without leading zeros. */
function bitLength(text: string): number {
  const zeros = /^A*/.exec(text)?.[0].length ?? 0
  const bits = Math.floor((text.length * 6) / 8) * 8
  return zeros === text.length
    ? 0
    : bits - zeros * 6 - (Math.clz32(ALPHABET.indexOf(text.charAt(zeros))) - 26)
}

/** The members of a registration about the client's keys. */
export type KeysInput = {
  readonly jwks: Json | undefined
  readonly jwksUri: string | undefined
  readonly algorithm?: string | undefined
  /** The key set is then that of the platform. */
  readonly workload?: Workload | undefined
}

/** Parses the keys of a registration. Returns null if all members are missing. */
export function parseClientKeys({
  workload: named,
  ...input
}: KeysInput): Result<ClientKeys | null, Problem> {
  if (named === undefined) return parseOwnKeys(input)
  if (input.jwksUri !== undefined) return err("Set either a workload or jwks_uri, not both.")
  const workload = parseWorkload(named)
  if (!workload.ok) return workload
  const keys = parseOwnKeys(
    input.jwks === undefined ? { ...input, jwksUri: discoveryOf(named.issuer) } : input,
  )
  return keys.ok && keys.value !== null ? ok({ ...keys.value, workload: workload.value }) : keys
}

function parseOwnKeys({ jwks, jwksUri, algorithm }: KeysInput): Result<ClientKeys | null, Problem> {
  const workload = null
  if (jwks === undefined && jwksUri === undefined)
    return algorithm === undefined ? ok(null) : err("A signing algorithm needs keys.")
  if (jwks !== undefined && jwksUri !== undefined) return err("Set either jwks or jwks_uri, not both.")
  const only = SIGNING_ALGORITHMS.find((known) => known === algorithm) ?? null
  if (algorithm !== undefined && only === null)
    return err(`The signing algorithm is not one of ${SIGNING_ALGORITHMS.join(", ")}.`)
  if (jwksUri !== undefined) {
    const address = parseHttpsUrl(jwksUri)
    return address.ok
      ? ok({ jwks: null, jwksUri, algorithm: only, workload })
      : err(`jwks_uri: ${address.error}`)
  }
  const keys = parseKeySet(jwks)
  if (!keys.ok) return err(`jwks: ${keys.error}`)
  if (only !== null && !keys.value.some((key) => algorithmsOf(key).includes(only)))
    return err(`jwks has no key for ${only}.`)
  return ok({ jwks: writeKeySet(keys.value), jwksUri: null, algorithm: only, workload })
}
