/**
 * Tests assertions that must not authenticate: forged, altered, expired, from the future, for others, or used before.
 */
import assert from "node:assert/strict"
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto"
import { test } from "node:test"
import fc from "fast-check"
import { exportJWK, type JWK } from "jose"
import { send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { ASSERTION_TYPE, keysOf, randomId, Signer } from "../support/signer.ts"

const [ec, rsa] = [await Signer.make("ES256"), await Signer.make("RS256")]
const { testServer, app } = await fixture({
  rateLimit: "off",
  apps: { app: { keys: keysOf({ keys: [ec.publicJwk, rsa.publicJwk] }) } },
})

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

function claims(more: Record<string, unknown> = {}) {
  const now = testServer.clock.now()
  const own = { iss: app.clientId, sub: app.clientId, aud: testServer.issuer, iat: now, exp: now + 60 }
  return { ...own, jti: randomId(), ...more }
}

async function statusOf(jwt: string): Promise<number> {
  const body = { token: "x", client_assertion_type: ASSERTION_TYPE, client_assertion: jwt }
  return (await send(testServer, "/oauth/revoke", body)).status
}

/** Builds a JWT with this header. `signature` signs it. */
function forged(
  header: Record<string, unknown>,
  signature: (input: string) => Buffer | string,
  payload: Record<string, unknown> = claims(),
): string {
  const input = `${encoded(header)}.${encoded(payload)}`
  const signed = signature(input)
  return `${input}.${typeof signed === "string" ? signed : signed.toString("base64url")}`
}

const keyOf = (jwk: JWK): KeyObject => createPublicKey({ key: jwk as never, format: "jwk" })

test("KEY-4 the assertion that the others are made of is accepted", async () => {
  for (const signer of [ec, rsa]) assert.equal(await statusOf(await signer.sign(claims())), 200)
})

test("KEY-4 no signature, a shared secret made of public keys, and other algorithms", async () => {
  const secrets = [ec, rsa].flatMap(({ publicJwk }) => {
    const key = keyOf(publicJwk)
    const pem = key.export({ type: "spki", format: "pem" })
    const der = key.export({ type: "spki", format: "der" })
    return [
      pem,
      der,
      JSON.stringify(publicJwk),
      Buffer.from(publicJwk.n ?? publicJwk.x ?? "", "base64url"),
      "",
    ]
  })
  for (const { kid } of [ec, rsa]) {
    for (const alg of ["none", "None", "NONE", "", undefined, null])
      for (const signature of ["", "AA", "e30"])
        assert.equal(await statusOf(forged({ alg, kid }, () => signature)), 401)
    for (const alg of ["HS256", "ES256", "RS256", "EdDSA", "PS256"])
      for (const secret of secrets) {
        const mac = (input: string) => createHmac("sha256", secret).update(input).digest()
        assert.equal(await statusOf(forged({ alg, kid }, mac)), 401)
      }
  }
})

test("KEY-4 a key of another client, a key that the header brings, and algorithm and key mixed up", async () => {
  for (const own of [ec, rsa]) {
    const stranger = await Signer.make(own.alg)
    const jwk = await exportJWK(keyOf(stranger.publicJwk))
    for (const header of [
      { kid: own.kid },
      { kid: own.kid, jwk },
      { kid: stranger.kid, jwk },
      { kid: undefined, jwk },
      { kid: own.kid, jku: "https://stranger.example/keys", x5u: "https://stranger.example/x5u" },
      { kid: `../../${own.kid}` },
    ])
      assert.equal(await statusOf(await stranger.sign(claims(), header)), 401, JSON.stringify(header))
  }
  for (const [signer, other] of [
    [ec, rsa],
    [rsa, ec],
  ] as const) {
    assert.equal(await statusOf(await signer.sign(claims(), { kid: other.kid })), 401)
    const jwt = await signer.sign(claims())
    const [, payload = "", signature = ""] = jwt.split(".")
    for (const alg of ["ES256", "RS256", "PS256", "EdDSA"].filter((one) => one !== signer.alg))
      for (const { kid } of [signer, other])
        assert.equal(await statusOf(`${encoded({ alg, kid })}.${payload}.${signature}`), 401, `${alg} ${kid}`)
  }
})

test("KEY-4 an EC signature in the form of certificates, cut, or empty numbers", async () => {
  const header = { alg: "ES256", kid: ec.kid }
  const key = await keyObjectOf(ec)
  const der = (input: string) => sign("sha256", Buffer.from(input), key)
  const raw = (input: string) => sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" })
  assert.equal(await statusOf(forged(header, raw)), 200)
  for (const signature of [
    der,
    (input: string) => raw(input).subarray(0, 63),
    (input: string) => Buffer.concat([raw(input), Buffer.from([0])]),
    () => Buffer.alloc(64),
    () => Buffer.alloc(64, 255),
    () => Buffer.concat([Buffer.alloc(31), Buffer.from([1]), Buffer.alloc(31), Buffer.from([1])]),
  ])
    assert.equal(await statusOf(forged(header, signature)), 401)
})

test("KEY-4 signed claims and headers that are not for this request", async () => {
  const now = testServer.clock.now()
  const wrong: readonly Record<string, unknown>[] = [
    { exp: now - 30, iat: now - 90 },
    { exp: now + 601 },
    { exp: undefined },
    { exp: `${now + 60}` },
    { iat: now + 31 },
    { nbf: now + 31 },
    { iat: now - 600, exp: now + 1 },
    { aud: undefined },
    { aud: `${testServer.issuer}/` },
    { aud: [testServer.issuer, "https://other.example"] },
    { aud: "https://other.example" },
    { sub: "x" },
    { iss: "x", sub: "x" },
    { iss: "x" },
    { jti: undefined },
    { jti: 7 },
  ]
  for (const more of wrong)
    assert.equal(await statusOf(await ec.sign(claims(more))), 401, JSON.stringify(more))
  for (const header of [
    { typ: "at+jwt" },
    { typ: "dpop+jwt" },
    { typ: "logout+jwt" },
    { alg: ec.alg, crit: ["exp"], exp: now },
  ])
    assert.equal(await statusOf(forgedBy(await keyObjectOf(ec), header)), 401, JSON.stringify(header))
})

test("KEY-5 what was accepted is not accepted again with another body, in any spelling of its signature", async () => {
  const jwt = await ec.sign(claims())
  assert.equal(await statusOf(jwt), 200)
  const last = jwt.at(-1) ?? ""
  for (const other of ALPHABET)
    if (other !== last) assert.equal(await statusOf(jwt.slice(0, -1) + other), 401)
})

test("KEY-4 any change of one character", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.constantFrom(...ALPHABET, ".", "=", " ", "+", "/"),
      async (place, character) => {
        const jwt = await (place % 2 === 0 ? ec : rsa).sign(claims())
        const at = place % jwt.length
        const altered = jwt.slice(0, at) + character + jwt.slice(at + 1)
        // Some bits of a signature's last characters have no meaning.
        fc.pre(bytesOf(altered) !== bytesOf(jwt))
        assert.equal(await statusOf(altered), 401, altered)
      },
    ),
    { numRuns: 300 },
  )
})

test("KEY-4 texts that are no assertion", async () => {
  const part = fc.oneof(
    fc.base64String(),
    fc.string(),
    fc.json().map((text) => Buffer.from(text).toString("base64url")),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      const jwt = parts.join(".")
      const status = await statusOf(jwt)
      // An empty parameter counts as missing, so only the type is present.
      assert.equal(status, 401, jwt)
    }),
    { numRuns: 200 },
  )
  assert.equal(await statusOf("a".repeat(20_000)), 401)
})

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

function bytesOf(jwt: string): string {
  const [header, payload, signature = "", ...more] = jwt.split(".")
  return JSON.stringify([header, payload, Buffer.from(signature, "base64url").toString("hex"), more])
}

function forgedBy(key: KeyObject, header: Record<string, unknown>): string {
  const signature = (input: string) => sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" })
  return forged({ alg: ec.alg, kid: ec.kid, ...header }, signature)
}

async function keyObjectOf(signer: Signer): Promise<KeyObject> {
  return createPrivateKey(await signer.pem())
}
