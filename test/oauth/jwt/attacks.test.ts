/** Texts that are no access token of this service, or not one for the place where they are shown. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { createHmac, createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import { sealedThings } from "../../../src/model/sealed.rules.ts"
import { refresh, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { call, introspected } from "../../support/signed-in.ts"
import { stateOf } from "../../support/stored.ts"
import { type Body, FILES, granted, laterNode, MAIL, resourceServers } from "./jwt-service.ts"

const { testServer, ada, app, server } = await fixture({
  resourceServers,
  rateLimit: "off",
  accounts: ["ada"],
  browsers: ["ada"],
  settings: { "openid.enabled": "on" },
  apps: {
    app: { stepUp: true },
    server: { type: "confidential", resourceServer: true },
  },
})

const signIn = await testServer.addApp({ permissions: ["openid", "groups", "account:read"] })

type Parts = {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Body
  readonly signature: string
}

function partsOf(token: unknown): Parts {
  const [header = "", payload = "", signature = ""] = String(token).split(".")
  const read = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString()) as Body
  return { header: read(header), claims: read(payload), signature }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const inputOf = (header: object, claims: object) => `${encoded(header)}.${encoded(claims)}`

const isActive = async (token: string) => (await introspected(testServer, server, token)).body["active"]

async function publishedJwk(kid: unknown): Promise<JsonWebKey> {
  const { keys } = (await (await fetch(`${testServer.url}/oauth/jwks`)).json()) as { keys: JsonWebKey[] }
  return keys.find((key) => key["kid"] === kid) ?? assert.fail("the key is not published")
}

test("JWT-4, JWT-6 no changed header, key, algorithm or claim makes a token live or ends a credential", async () => {
  const rsa = await granted(testServer, ada, app, [FILES])
  const ec = await granted(testServer, ada, app, [MAIL])
  const [files, mail] = [partsOf(rsa["access_token"]), partsOf(ec["access_token"])]
  const { header, claims, signature } = files
  const jwk = await publishedJwk(header["kid"])
  const own = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const ownJwk = own.publicKey.export({ format: "jwk" })
  const signed = (changed: object, said: object = claims) => {
    const input = inputOf(changed, said)
    return `${input}.${sign("sha256", Buffer.from(input), own.privateKey).toString("base64url")}`
  }
  const hmac = (key: string | Buffer) => {
    const input = inputOf({ ...header, alg: "HS256" }, claims)
    return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`
  }
  const attacks = {
    "alg none": `${inputOf({ ...header, alg: "none" }, claims)}.`,
    "alg none with the signature": `${inputOf({ ...header, alg: "none" }, claims)}.${signature}`,
    "HS256 with the modulus": hmac(Buffer.from(String(jwk.n), "base64url")),
    "HS256 with the published key": hmac(JSON.stringify(jwk)),
    "the algorithm of another key": `${inputOf({ ...header, alg: "ES256" }, claims)}.${mail.signature}`,
    "a key of another algorithm": `${inputOf({ ...header, kid: mail.header["kid"] }, claims)}.${signature}`,
    "a key of its own": signed(header),
    jwk: signed({ ...header, jwk: ownJwk }),
    jku: signed({ ...header, jku: "https://evil.example/jwks" }),
    x5u: signed({ ...header, x5u: "https://evil.example/x5u" }),
    "an unknown kid": signed({ ...header, kid: "01kb3w5f6y8m2q4r7t9v1x3z5k" }),
    "another scope": `${inputOf(header, { ...claims, scope: "account:read files:write" })}.${signature}`,
    "another end": `${inputOf(header, { ...claims, exp: Number(claims["exp"]) + 900 })}.${signature}`,
    "another credential": `${inputOf(header, { ...claims, token_id: ec["token_id"] })}.${signature}`,
    "another spelling": `${inputOf(header, claims)}.${signature}A`,
    "no signature": `${inputOf(header, claims)}.`,
    "an empty signature of zeros": `${inputOf(header, claims)}.${"A".repeat(512)}`,
  }
  for (const [name, token] of Object.entries(attacks)) {
    assert.equal(await isActive(token), false, name)
    assert.equal(
      (await send(testServer, "/oauth/revoke", { client_id: app.clientId, token })).status,
      200,
      name,
    )
  }
  for (const held of [rsa, ec]) {
    assert.equal(await stateOf(testServer, String(held["token_id"])), "active")
    assert.equal(await isActive(String(held["access_token"])), true)
  }
})

test("JWT-4 a header that this service does not write is refused even with a right signature", async () => {
  const { access_token: token } = await granted(testServer, ada, app, [MAIL])
  const { header, claims } = partsOf(token)
  const { signingKeys } = await testServer.store.read({ signingKeys: true })
  const stored = signingKeys?.find(({ kid }) => kid === header["kid"]) ?? assert.fail()
  const purpose = sealedThings.signingKey.purpose(stored.kid)
  const text = testServer.latchkey.keys.open(purpose, stored.sealedPrivate ?? "") ?? assert.fail(purpose)
  const key = createPrivateKey(text)
  const signed = (changed: object, said: object = claims) => {
    const input = inputOf(changed, said)
    const bytes = sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" })
    return `${input}.${bytes.toString("base64url")}`
  }
  assert.equal(await isActive(signed(header)), true)
  for (const changed of [
    { ...header, typ: "JWT" },
    { ...header, typ: undefined },
    { ...header, crit: ["exp"] },
    { ...header, b64: false },
    { ...header, zip: "DEF" },
  ])
    assert.equal(await isActive(signed(changed)), false, JSON.stringify(changed))
  assert.equal(await isActive(signed(header, { ...claims, iss: "https://evil.example" })), false)
})

test("JWT-7 our own API takes only a JWT whose audience is ours, and step-up any", async (t) => {
  const files = String((await granted(testServer, ada, app, [FILES]))["access_token"])
  for (const path of ["/api/account", "/api/credential", "/oauth/userinfo"])
    assert.equal((await call(testServer, path, files)).status, 401, path)
  const bearer = { authorization: `Bearer ${files}` }
  assert.equal((await send(testServer, "/oauth/step-up", "", bearer)).status, 200)
  assert.equal(
    (await send(testServer, "/oauth/step-up", "", { authorization: `${bearer.authorization}A` })).status,
    401,
  )

  const ours = { name: "Accounts", jwt: { algorithm: "ES256", seconds: 60 } } as const
  const later = await laterNode(testServer, t, [[testServer.issuer, ours]])
  const plain = await granted(testServer, ada, app, [])
  const { body } = await refresh(later, app, String(plain["refresh_token"]), { resource: testServer.issuer })
  assert.equal(partsOf(body["access_token"]).claims["aud"], testServer.issuer)
  assert.equal((await call(testServer, "/api/account", String(body["access_token"]))).status, 200)
})

test("JWT-3, JWT-7 an id_token is no access token, and an access token no id_token", async () => {
  const scope = "openid groups account:read"
  const body = await granted(testServer, ada, signIn, [MAIL], { scope })
  const idToken = String(body["id_token"])
  assert.equal(await isActive(idToken), false)
  assert.equal((await call(testServer, "/oauth/userinfo", idToken)).status, 401)
  assert.equal(
    (await send(testServer, "/oauth/revoke", { client_id: signIn.clientId, token: idToken })).status,
    200,
  )
  assert.equal(await stateOf(testServer, String(body["token_id"])), "active")

  // As a hint, an id_token signs the person out at once.
  await ada.get(`/oauth/end-session?id_token_hint=${String(body["access_token"])}`)
  assert.equal((await ada.get("/account")).status, 200)
  await ada.get(`/oauth/end-session?id_token_hint=${idToken}`)
  assert.equal((await ada.get("/account")).status, 303)

  const { claims } = partsOf(body["access_token"])
  assert.deepEqual([claims["groups"], claims["acr"], claims["nonce"]], [[], "1", undefined])
  assert.equal(claims["auth_time"], partsOf(idToken).claims["auth_time"])
  const jwks = (await (await fetch(`${testServer.url}/oauth/jwks`)).json()) as JSONWebKeySet
  const asIdToken = {
    issuer: testServer.issuer,
    audience: signIn.clientId,
    currentDate: new Date(testServer.clock.now() * 1000),
  }
  await jwtVerify(idToken, createLocalJWKSet(jwks), asIdToken)
  await assert.rejects(jwtVerify(String(body["access_token"]), createLocalJWKSet(jwks), asIdToken), /aud/)
})

test("JWT-1, SIGN-2 the keys are published while a resource server has JWTs, for each of its algorithms", async () => {
  await testServer.set("openid.enabled", "off")
  const metadata = await (await fetch(`${testServer.url}/.well-known/oauth-authorization-server`)).json()
  assert.equal((metadata as Body)["jwks_uri"], `${testServer.issuer}/oauth/jwks`)
  const { keys } = (await (await fetch(`${testServer.url}/oauth/jwks`)).json()) as { keys: JsonWebKey[] }
  assert.deepEqual(new Set(keys.map(({ alg }) => alg)), new Set(["RS256", "ES256"]))
})
