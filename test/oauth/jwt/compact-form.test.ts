import { test } from "node:test"
import assert from "node:assert/strict"
import type { KeyId } from "../../../src/kernel/ids.ts"
import { JWT_LENGTH_AT_MOST } from "../../../src/kernel/limits.ts"
import { accessTokenOf, issueJwt, unsignedJwt } from "../../../src/oauth/jwt/access-token.rules.ts"
import { headerOf, isJwt, readJwt, signingInput } from "../../../src/oauth/jwt/compact-form.ts"
import { account, consent, hash, NOW, permissions, TOKEN_ID } from "../../support/core-sample.ts"

const KID = "01kb3w5f6y8m2q4r7t9v1x3z5k" as KeyId
const FILES = { resource: "https://files.example", algorithm: "ES256", seconds: 300 } as const
const issued = issueJwt(FILES, consent, NOW) ?? assert.fail()
const unsigned = unsignedJwt(issued, hash(1), consent, account, permissions("files:read"))

function text(header: unknown, claims: unknown): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
  return `${part(header)}.${part(claims)}.c2lnbmVk`
}

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
