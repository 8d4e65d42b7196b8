/** Signs JWT access tokens, and verifies those that are presented. RFC 9068 §2, §4; interface JWT-2…JWT-5. */
import { sign as signBytes, verify } from "node:crypto"
import { promisify } from "node:util"
import type { Hash, KeyId, TokenId } from "../../kernel/ids.ts"
import type { AccessToken } from "../../model/credential.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { signingKeysOf } from "../keys/signing-keys.ts"
import { accessTokenOf, type UnsignedJwt } from "./access-token.rules.ts"
import { headerOf, readJwt, signingInput } from "./compact-form.ts"

export type JwtNeeds = Pick<Services, "store" | "clock" | "keys" | "log" | "issuer">

/** The form of an ES256 signature in a JWS: RFC 7518 §3.4. RSA ignores it. */
const dsaEncoding = "ieee-p1363"
const signAside = promisify(signBytes)

/** The signature is made beside the event loop: RS256 takes 2 ms, ES256 0.1 ms. */
export async function signJwt(services: JwtNeeds, unsigned: UnsignedJwt): Promise<string> {
  const { kid, key, algorithm } = await signingKeysOf(services).signer(unsigned.algorithm)
  const input = signingInput(kid, { ...unsigned, algorithm }, services.issuer)
  const signature = await signAside("sha256", Buffer.from(input), { key, dsaEncoding })
  return `${input}.${signature.toString("base64url")}`
}

/** A presented token. Nothing of it is proven before one of the functions says so. */
export type PresentedJwt = {
  readonly kid: KeyId
  readonly tokenId: TokenId
  /** Its `jti`. The row of a service account's token has it as its digest. */
  readonly hash: Hash
  /** Whether this service signed it, even if its key was withdrawn since. */
  readonly isSigned: () => boolean
  /** Returns what the token says. Returns null unless a key that is not withdrawn signed it for this issuer. */
  readonly verified: () => AccessToken | null
}

/** Parses the token and looks its key up by `kid`. A signature is checked only later, by the functions. */
export async function presentedJwt(services: JwtNeeds, text: string): Promise<PresentedJwt | null> {
  const read = readJwt(text)
  const verifier = read === null ? null : await signingKeysOf(services).verifier(read.kid)
  if (read === null || verifier === null) return null
  const { claims, input } = read
  const { key, kid, algorithm, isWithdrawn } = verifier
  const signature = Buffer.from(read.signature, "base64url")
  // Another spelling of the signature would be another text for the same token.
  const isSigned = () =>
    read.header === headerOf(kid, algorithm) &&
    read.signature === signature.toString("base64url") &&
    verify("sha256", Buffer.from(input), { key, dsaEncoding }, signature)
  return {
    kid,
    tokenId: claims.token_id as TokenId,
    hash: claims.jti,
    isSigned,
    verified: () =>
      !isWithdrawn && claims.iss === services.issuer && isSigned() ? accessTokenOf(claims) : null,
  }
}
