/** Verifies an id_token as a careful app does, with the keys that the service publishes at this moment: OIDC-2, SIGN-2. */
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import type { Seen } from "./expected.ts"
import { HOUR } from "./limits.ts"
import type { Stage } from "./stage.ts"

/** Returns the claims that the model compares, or what else is wrong with the id_token. */
export async function readIdToken(stage: Stage, idToken: string, accessToken: string): Promise<Seen> {
  try {
    return await claimsOf(stage, idToken, accessToken)
  } catch (problem) {
    return { "a wrong id_token": String(problem) }
  }
}

async function claimsOf(
  { wire, testServer: { issuer, clock } }: Stage,
  idToken: string,
  accessToken: string,
): Promise<Seen> {
  const now = clock.now()
  const { text } = await wire.send({ method: "GET", path: "/oauth/jwks" })
  const keys = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet)
  const { payload, protectedHeader } = await jwtVerify(idToken, keys, {
    issuer,
    algorithms: ["RS256", "ES256"],
    typ: "JWT",
    currentDate: new Date(now * 1000),
  })
  const { iss: _, iat, exp, azp, at_hash, amr, ...rest } = payload
  assert.deepEqual([iat, exp, azp, amr], [now, now + HOUR, rest.aud, ["otp", "mfa"]])
  const half = createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url")
  assert.equal(at_hash, half)
  const claims = { ...rest, alg: protectedHeader.alg }
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [`id ${name}`, flat(value)]))
}

const flat = (value: unknown) => (Array.isArray(value) ? value.join(" ") : (value as string))
