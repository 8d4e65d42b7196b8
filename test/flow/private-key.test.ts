import { HOUR } from "../../src/kernel/time.ts"
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { removeApp, rotateAppSecret, updateApp } from "../../src/apps/app.ts"
import { assertRefused } from "../support/answers.ts"
import { codeFor, newVerifier, own, REDIRECT_URI, send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { tokenIdOf } from "../support/grant.ts"
import { keysOf, randomId, Signer } from "../support/signer.ts"
import { stateOf } from "../support/stored.ts"
import { answerDevice, DEVICE_GRANT, started } from "../oauth/device/device.ts"
import { OPERATOR } from "../support/test-server.ts"

const signer = await Signer.make()
const { testServer, bob, app } = await fixture({
  rateLimit: "off",
  accounts: ["bob"],
  browsers: ["bob"],
  apps: { app: { keys: signer.keys, stepUp: true, resourceServer: true } },
})

const proof = (claims: Record<string, unknown> = {}, from = signer, by = app) =>
  from.authenticates(by.clientId, testServer.issuer, testServer.clock.now(), claims)

/** Returns the body of an exchange with a new assertion. */
async function exchangeBody(more: Record<string, string> = {}): Promise<Record<string, string>> {
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(bob, app, challenge)
  const grant = {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  }
  return { ...grant, ...(await proof()), ...more }
}

const token = (body: Record<string, string>) => send(testServer, "/oauth/token", body)

async function connected(): Promise<TokenResponse> {
  const answer = await token(await exchangeBody())
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as unknown as TokenResponse
}

const refreshBody = async (held: Pick<TokenResponse, "refresh_token">) => ({
  grant_type: "refresh_token",
  refresh_token: held.refresh_token,
  ...(await proof()),
})

async function isActive(accessToken: string): Promise<unknown> {
  const answer = await send(testServer, "/oauth/introspect", { token: accessToken, ...(await proof()) })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body["active"]
}

describe("KEY-1 an app that holds a key authenticates with an assertion", () => {
  test("at the token, introspection and revocation endpoints", async () => {
    const held = await connected()
    const next = await token(await refreshBody(held))
    assert.equal(next.status, 200)
    const accessToken = String(next.body["access_token"])
    assert.equal(await isActive(accessToken), true)
    const revoked = await send(testServer, "/oauth/revoke", { token: accessToken, ...(await proof()) })
    assert.deepEqual([revoked.status, revoked.body], [200, {}])
    assert.equal(await isActive(accessToken), false)
  })

  test("in the device flow", async () => {
    const answer = await send(testServer, "/oauth/device-authorization", await proof())
    assert.equal(answer.status, 200)
    const grant = started(answer.body)
    await answerDevice(bob, grant, "authorize")
    const polled = await token({
      grant_type: DEVICE_GRANT,
      device_code: grant.deviceCode,
      ...(await proof()),
    })
    assert.equal(polled.status, 200)
    assert.equal(await isActive(String(polled.body["access_token"])), true)
  })

  for (const alg of ["ES256", "EdDSA", "PS256", "RS256"] as const)
    test(`with ${alg}`, async () => {
      const one = await Signer.make(alg)
      const other = await testServer.addApp({ keys: one.keys })
      for (const named of [{}, { client_id: other.clientId }]) {
        const body = { token: "lka_unknown", ...named, ...(await proof({}, one, other)) }
        assert.equal((await send(testServer, "/oauth/revoke", body)).status, 200)
      }
    })

  test("and in no other way: its client_id, a secret and Basic are refused at every endpoint", async () => {
    const secret = { clientId: app.clientId, secret: "lks_any" }
    const basic = { authorization: `Basic ${btoa(`${app.clientId}:x`)}` }
    for (const path of [
      "/oauth/token",
      "/oauth/revoke",
      "/oauth/introspect",
      "/oauth/device-authorization",
    ]) {
      const body = { grant_type: "refresh_token", refresh_token: "x", token: "x" }
      for (const [fields, headers] of [
        [{ client_id: app.clientId }, {}],
        [own(secret), {}],
        [{}, basic],
      ] as const)
        assertRefused(
          await send(testServer, path, { ...body, ...fields }, headers),
          401,
          "invalid_client",
          path,
        )
      const two = { ...body, ...(await proof()), client_secret: "x" }
      assertRefused(await send(testServer, path, two), 400, "invalid_request", path)
      assertRefused(
        await send(testServer, path, { ...body, ...(await proof()) }, basic),
        400,
        "invalid_request",
      )
    }
    const rotated = await rotateAppSecret(testServer.latchkey, app.clientId, OPERATOR)
    assert.equal(rotated.ok, false)
  })

  test("an app without a key is not authenticated by an assertion", async () => {
    for (const type of ["public", "confidential"] as const) {
      const other = await testServer.addApp({ type })
      const body = { token: "x", ...(await proof({}, signer, other)) }
      assertRefused(await send(testServer, "/oauth/revoke", body), 401, "invalid_client")
    }
  })
})

describe("KEY-3 keys are replaced at once", () => {
  test("the old key is refused, the new one works, also in place of a secret", async () => {
    const [first, second] = [await Signer.make(), await Signer.make("PS256")]
    const other = await testServer.addApp({ type: "confidential" })
    const revoke = async (from: Signer) =>
      (await send(testServer, "/oauth/revoke", { token: "x", ...(await proof({}, from, other)) })).status
    const by = { address: null, owner: null }
    assert.equal(await revoke(first), 401)
    for (const keys of [first.keys, second.keys])
      assert.equal((await updateApp(testServer.latchkey, other.clientId, { keys }, by)).ok, true)
    assert.deepEqual([await revoke(first), await revoke(second)], [401, 200])
    const bySecret = await send(testServer, "/oauth/revoke", { ...own(other), token: "x" })
    assertRefused(bySecret, 401, "invalid_client")
  })

  test("a point that is not on its curve is not registered", async () => {
    const jwk = { ...signer.publicJwk, y: signer.publicJwk.x }
    await assert.rejects(testServer.addApp({ keys: keysOf({ keys: [jwk] }) }), /Key 1 of jwks is not valid/)
  })
})

describe("KEY-5 an assertion works once at an endpoint", () => {
  test("with another body it is refused, and nothing is consumed", async () => {
    const held = await connected()
    const used = await proof()
    assert.equal((await send(testServer, "/oauth/revoke", { token: "x", ...used })).status, 200)
    assertRefused(
      await send(testServer, "/oauth/revoke", { token: held.access_token, ...used }),
      401,
      "invalid_client",
    )
    assert.equal(await isActive(held.access_token), true)
    // Each endpoint checks repeats separately.
    assert.equal((await send(testServer, "/oauth/introspect", { token: "x", ...used })).status, 200)
  })

  test("a refused request uses it up too", async () => {
    const used = await proof()
    const body = { grant_type: "refresh_token", ...used }
    assertRefused(await token({ ...body, refresh_token: "lkr_unknown" }), 400, "invalid_grant")
    const held = await connected()
    assertRefused(await token({ ...body, refresh_token: held.refresh_token }), 401, "invalid_client")
    const incomplete = await proof()
    assertRefused(await token({ grant_type: "refresh_token", ...incomplete }), 400, "invalid_request")
    const completed = { ...(await refreshBody(held)), ...incomplete }
    assertRefused(await token(completed), 401, "invalid_client")
    assert.equal((await token(await refreshBody(held))).status, 200)
  })

  test("of a hundred different requests with one assertion, one is answered", async () => {
    const used = await proof()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, place) =>
        send(testServer, "/oauth/revoke", { token: `lka_${place}`, ...used }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test("the same jti of another app is its own", async () => {
    const one = await Signer.make()
    const other = await testServer.addApp({ keys: one.keys })
    const jti = randomId()
    const revoke = async (fields: Record<string, string>) =>
      (await send(testServer, "/oauth/revoke", { token: "x", ...fields })).status
    assert.equal(await revoke(await proof({ jti })), 200)
    assert.equal(await revoke(await proof({ jti }, one, other)), 200)
    assert.equal(await revoke(await proof({ jti, exp: testServer.clock.now() + 70 })), 401)
  })

  test("it is forgotten an hour after it has expired, and refused as expired from then on", async () => {
    const body = { token: "x", ...(await proof()) }
    assert.equal((await send(testServer, "/oauth/revoke", body)).status, 200)
    testServer.clock.advance(90)
    assertRefused(await send(testServer, "/oauth/revoke", body), 401, "invalid_client")
    const kept = async () =>
      Number((await testServer.database.rows("SELECT count(*) AS n FROM spent_assertion"))[0]?.["n"])
    assert.ok((await kept()) > 0)
    testServer.clock.advance(HOUR)
    while ((await testServer.store.sweep(testServer.clock.now(), 1000)) > 0);
    assert.equal(await kept(), 0)
    assertRefused(await send(testServer, "/oauth/revoke", body), 401, "invalid_client")
  })
})

describe("KEY-6 the same bytes again", () => {
  test("a refresh inside its window gets the same pair, and none after it", async () => {
    const held = await connected()
    const body = await refreshBody(held)
    const [first, again] = [await token(body), await token(body)]
    assert.deepEqual([first.status, again.status], [200, 200])
    assert.equal(again.body["refresh_token"], first.body["refresh_token"])
    testServer.clock.advance(61)
    assertRefused(await token(body), 401, "invalid_client")
    // A late repeat does not prove an attack, so it ends nothing.
    assert.equal(await stateOf(testServer, held.token_id), "active")
  })

  test("a hundred at once get the same pair", async () => {
    const body = await refreshBody(await connected())
    const answers = await Promise.all(Array.from({ length: 100 }, () => token(body)))
    const pairs = new Set(answers.map((answer) => String(answer.body["refresh_token"])))
    assert.deepEqual([pairs.size, answers.every(({ status }) => status === 200)], [1, true])
  })

  test("a refresh whose first answer was a refusal is not rotated by its repeat", async () => {
    const held = await connected()
    const body = { ...(await refreshBody(held)), scope: "files:unknown" }
    assertRefused(await token(body), 400, "invalid_scope")
    assertRefused(await token(body), 401, "invalid_client")
    assert.equal((await token(await refreshBody(held))).status, 200)
  })

  test("a revocation is answered again", async () => {
    const held = await connected()
    const body = { token: held.refresh_token, ...(await proof()) }
    for (let i = 0; i < 2; i++) assert.equal((await send(testServer, "/oauth/revoke", body)).status, 200)
    assert.equal(await stateOf(testServer, held.token_id), "revoked")
  })

  test("CODE-3 an exchange is one of a consumed code: its credential is revoked", async () => {
    const body = await exchangeBody()
    const first = await token(body)
    assert.equal(first.status, 200)
    assertRefused(await token(body), 400, "invalid_grant")
    assert.equal(await stateOf(testServer, tokenIdOf(String(first.body["access_token"]))), "revoked")
  })

  test("with another body it is no exchange at all: nothing is revoked", async () => {
    const body = await exchangeBody()
    const first = await token(body)
    assertRefused(await token({ ...body, more: "x" }), 401, "invalid_client")
    assert.equal(await stateOf(testServer, tokenIdOf(String(first.body["access_token"]))), "active")
  })

  test("a poll is answered as the first was, and fetches nothing", async () => {
    const grant = started((await send(testServer, "/oauth/device-authorization", await proof())).body)
    const fields = { grant_type: DEVICE_GRANT, device_code: grant.deviceCode }
    const body = { ...fields, ...(await proof()) }
    assertRefused(await token(body), 400, "authorization_pending")
    testServer.clock.advance(5)
    assertRefused(await token(body), 400, "authorization_pending")
    await answerDevice(bob, grant, "authorize")
    testServer.clock.advance(5)
    assertRefused(await token(body), 400, "authorization_pending")
    assert.equal((await token({ ...fields, ...(await proof()) })).status, 200)
    assertRefused(await token(body), 400, "invalid_grant")
  })

  test("SERVICE-3 client_credentials never: a second answer would be a second token", async () => {
    const one = await Signer.make("EdDSA")
    await testServer.addServiceAccount("pods")
    const bound = await testServer.addBoundApp("pods", { keys: one.keys })
    const body = { grant_type: "client_credentials", ...(await proof({}, one, bound)) }
    assert.equal((await token(body)).status, 200)
    assertRefused(await token(body), 401, "invalid_client")
  })

  test("device authorization and introspection answer once", async () => {
    const body = { token: "x", ...(await proof()) }
    for (const path of ["/oauth/device-authorization", "/oauth/introspect"]) {
      assert.equal((await send(testServer, path, body)).status, 200, path)
      assertRefused(await send(testServer, path, body), 401, "invalid_client", path)
    }
  })
})

test("KEY-7 the metadata name the method while an app holds a key, and leave no trace of it otherwise", async (t) => {
  const { testServer: other } = await fixture({ span: t })
  const metadata = async () => {
    other.clock.advance(1)
    return (await fetch(`${other.url}/.well-known/oauth-authorization-server`)).text()
  }
  const bare = await metadata()
  assert.doesNotMatch(bare, /private_key_jwt|signing_alg/)
  const { clientId } = await other.addApp({ keys: signer.keys })
  assert.match(
    await metadata(),
    /"token_endpoint_auth_signing_alg_values_supported":\["ES256","EdDSA","PS256","RS256"\]/,
  )
  await removeApp(other.latchkey, clientId, OPERATOR)
  assert.equal(await metadata(), bare)
  await other.set("registration.open", "on")
  assert.match(await metadata(), /private_key_jwt/)
})

test("KEY-2 an app registers itself with its key, and is refused with an address of it", async (t) => {
  const { testServer: other } = await fixture({ settings: { "registration.open": "on" }, span: t })
  const register = (members: object) =>
    fetch(`${other.url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        redirect_uris: [REDIRECT_URI],
        token_endpoint_auth_method: "private_key_jwt",
        ...members,
      }),
    })
  const answer = await register({ jwks: { keys: [signer.publicJwk] } })
  const body = (await answer.json()) as Record<string, unknown>
  assert.equal(answer.status, 201)
  assert.deepEqual(body["jwks"], { keys: [signer.publicJwk] })
  assert.equal(body["token_endpoint_auth_method"], "private_key_jwt")
  assert.equal("client_secret" in body || "client_secret_expires_at" in body, false)
  const clientId = String(body["client_id"])
  const signed = await signer.authenticates(clientId, other.issuer, other.clock.now())
  assert.equal((await send(other, "/oauth/revoke", { token: "x", ...signed })).status, 200)
  for (const members of [
    { jwks_uri: "https://app.example/keys" },
    {},
    { jwks: { keys: [{ ...signer.publicJwk, y: signer.publicJwk.x }] } },
  ]) {
    const refused = await register(members)
    const { error } = (await refused.json()) as Record<string, unknown>
    assert.deepEqual([refused.status, error], [400, "invalid_client_metadata"])
  }
})
