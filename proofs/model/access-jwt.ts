/** Verifies a JWT access token as an API without a kit does, with the keys that the service publishes: JWT-2, JWT-3. */
import assert from "node:assert/strict"
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose"
import type { Seen } from "./expected.ts"
import { resourceServers } from "./resources.ts"
import type { Stage } from "./stage.ts"

/** Returns the claims that the model compares, or what else is wrong with the token. */
export async function readAccessJwt(stage: Stage, token: string): Promise<Seen> {
  try {
    return await claimsOf(stage, token)
  } catch (problem) {
    return { "a wrong JWT": String(problem) }
  }
}

async function claimsOf({ wire, testServer: { issuer } }: Stage, token: string): Promise<Seen> {
  const { text } = await wire.send({ method: "GET", path: "/oauth/jwks" })
  const keys = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet)
  // A repeated response may have a token that has just expired.
  const checks = {
    issuer,
    algorithms: ["RS256", "ES256"],
    typ: "at+jwt",
    currentDate: new Date((decodeJwt(token).iat ?? 0) * 1000),
  }
  const { payload, protectedHeader } = await jwtVerify(token, keys, checks)
  for (const audience of resourceServers.keys())
    if (audience !== payload.aud) await assert.rejects(jwtVerify(token, keys, { ...checks, audience }), /aud/)
  assert.deepEqual(Object.keys(protectedHeader), ["alg", "typ", "kid"])
  const { iss: _, ...rest } = payload
  const claims = { ...rest, alg: protectedHeader.alg }
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [`jwt ${name}`, flat(value)]))
}

const flat = (value: unknown) => (Array.isArray(value) ? value.join(" ") : (value as string))
