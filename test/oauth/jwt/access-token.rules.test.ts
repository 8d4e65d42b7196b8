import { test } from "node:test"
import assert from "node:assert/strict"
import type { KeyId } from "../../../src/kernel/ids.ts"
import { JWT_LENGTH_AT_MOST } from "../../../src/kernel/limits.ts"
import { openidFacts } from "../../../src/model/openid-facts.rules.ts"
import {
  accessTokenOf,
  headerOf,
  isJwt,
  issueJwt,
  readJwt,
  signingInput,
  unsignedJwt,
} from "../../../src/oauth/jwt/access-token.rules.ts"
import { account, consent, hash, NOW, permissions, TOKEN_ID } from "../../support/core-sample.ts"

const KID = "01kb3w5f6y8m2q4r7t9v1x3z5k" as KeyId
const FILES = { resource: "https://files.example", algorithm: "ES256", seconds: 300 } as const
const issued = issueJwt(FILES, consent, NOW) ?? assert.fail()
const unsigned = unsignedJwt(issued, hash(1), consent, account, permissions("files:read"))

function text(header: unknown, claims: unknown): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${part(header)}.${part(claims)}.c2lnbmVk`
}

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

test("JWT-4 what is signed is read again, and other texts are not", () => {
  const input = signingInput(KID, unsigned, "https://id.example")
  assert.ok(isJwt(`${input}.c2lnbmVk`))
  const read = readJwt(`${input}.c2lnbmVk`) ?? assert.fail()
  assert.deepEqual(read, {
    header: headerOf(KID, "ES256"),
    kid: KID,
    input,
    signature: "c2lnbmVk",
    claims: { iss: "https://id.example", ...unsigned.claims },
  })
  assert.deepEqual(accessTokenOf(read.claims), {
    hash: hash(1),
    issuedAt: NOW,
    expiresAt: NOW + 300,
    narrowedTo: permissions("files:read"),
    resources: [FILES.resource],
  })
  for (const other of [
    "",
    "lka_x",
    input,
    `${input}.`,
    `${input}.a b`,
    `${input}.c2ln=`,
    `${input}.c.d`,
    `${input}.c\n`,
  ])
    assert.equal(isJwt(other), false, other)
  assert.equal(isJwt(`${input}.${"a".repeat(JWT_LENGTH_AT_MOST)}`), false)
})

test("JWT-4 a text whose claims name no row is not read", () => {
  const header = { alg: "ES256", typ: "at+jwt", kid: KID }
  const claims = { token_id: TOKEN_ID, jti: hash(1) }
  assert.ok(readJwt(text(header, claims)))
  for (const [badHeader, badClaims] of [
    [{ ...header, kid: undefined }, claims],
    [{ ...header, kid: 7 }, claims],
    [{ ...header, kid: "../key" }, claims],
    [[KID], claims],
    [null, claims],
    [header, { ...claims, token_id: "x" }],
    [header, { ...claims, token_id: [TOKEN_ID] }],
    [header, { ...claims, jti: "x" }],
    [header, { ...claims, jti: null }],
    [header, null],
    [header, "eyJ"],
  ])
    assert.equal(readJwt(text(badHeader, badClaims)), null, JSON.stringify([badHeader, badClaims]))
  assert.equal(readJwt("eyJhIjox.eyJhIjox.eyJh"), null)
})
