import { test } from "node:test"
import assert from "node:assert/strict"
import { openidFacts } from "../../../src/model/openid-facts.rules.ts"
import { issueJwt, unsignedJwt } from "../../../src/oauth/jwt/access-token.rules.ts"
import { account, consent, hash, NOW, permissions, TOKEN_ID } from "../../support/core-sample.ts"

const FILES = { resource: "https://files.example", algorithm: "ES256", seconds: 300 } as const
const issued = issueJwt(FILES, consent, NOW) ?? assert.fail()
const unsigned = unsignedJwt(issued, hash(1), consent, account, permissions("files:read"))

test("JWT-2 a JWT ends after its seconds, and never after its credential", () => {
  assert.equal(issueJwt(null, consent, NOW), null)
  assert.deepEqual(issued, {
    resource: FILES.resource,
    algorithm: "ES256",
    issuedAt: NOW,
    expiresAt: NOW + 300,
  })
  assert.equal(issueJwt(FILES, consent, consent.endsAt - 10)?.expiresAt, consent.endsAt)
})

test("JWT-3 it says what RFC 9068 asks for, the groups only with their permission, the sign-in where it is known", () => {
  const { userId, clientId } = consent
  const always = {
    ...{ sub: userId, aud: FILES.resource, client_id: clientId, token_id: TOKEN_ID },
    ...{ jti: hash(1), iat: NOW, exp: NOW + 300 },
  }
  assert.deepEqual(unsigned, { algorithm: "ES256", claims: { ...always, scope: "files:read" } })
  const openid = openidFacts({ proof: { by: "second-factor", at: NOW - 9 }, createdAt: NOW - 9 }, "n", "s")
  const grouped = { ...account, groups: ["staff"] }
  const scope = permissions("openid groups")
  assert.deepEqual(unsignedJwt(issued, hash(1), { ...consent, openid }, grouped, scope).claims, {
    ...always,
    ...{ scope: "openid groups", groups: ["staff"], auth_time: NOW - 9, acr: "2" },
  })
})
