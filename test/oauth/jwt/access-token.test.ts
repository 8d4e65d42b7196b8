/** JWT access tokens from issue to end, verified by `jose` with the published keys. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { setAccountEnabled } from "../../../src/accounts/accounts.ts"
import { updateApp } from "../../../src/apps/app.ts"
import { assertRefused } from "../../support/answers.ts"
import { type Listening, own, refresh, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { introspected } from "../../support/signed-in.ts"
import { eventKinds, stateOf } from "../../support/stored.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { answerDevice, fetched, startDevice } from "../device/device.ts"
import {
  type Body,
  FILES,
  granted,
  laterNode,
  MAIL,
  PLAIN,
  resourceServers,
  verified,
  withdrawKey,
} from "./jwt-service.ts"

const { testServer, ada, app, other, server, userIds } = await fixture({
  resourceServers,
  rateLimit: "off",
  accounts: ["ada"],
  browsers: ["ada"],
  apps: { app: {}, other: {}, server: { type: "confidential", resourceServer: true } },
})
await testServer.addServiceAccount("ci")
const bound = await testServer.addBoundApp("ci", { permissions: ["files:read"] })

const isJwt = ({ access_token: token }: Body) => String(token).startsWith("eyJ")
const refreshed = async (of: Body, more: Record<string, string> = {}) =>
  (await refresh(testServer, app, String(of["refresh_token"]), more)).body
const asked = async ({ access_token: token }: Body) =>
  (await introspected(testServer, server, String(token))).body
const revoke = (who: typeof app, { access_token: token }: Body) =>
  send(testServer, "/oauth/revoke", { ...own(who), token: String(token) })

test("JWT-2, JWT-3 an exchange for exactly one API with JWTs gives one that the published keys verify", async () => {
  const at = testServer.clock.now()
  const body = await granted(testServer, ada, app, ["HTTPS://files.example"])
  assert.deepEqual([body["expires_in"], body["token_type"], body["unsigned"]], [300, "Bearer", undefined])
  const { payload, protectedHeader } = await verified(testServer, body, FILES)
  assert.deepEqual(Object.keys(protectedHeader), ["alg", "typ", "kid"])
  assert.equal(protectedHeader.alg, "RS256")
  const { jti, ...claims } = payload
  assert.match(String(jti), /^[\w-]{43}$/)
  assert.deepEqual(claims, {
    iss: testServer.issuer,
    sub: userIds.ada,
    aud: FILES,
    client_id: app.clientId,
    token_id: body["token_id"],
    iat: at,
    exp: at + 300,
    scope: body["scope"],
  })
  assert.deepEqual(await asked(body), {
    active: true,
    scope: body["scope"],
    client_id: app.clientId,
    username: "ada",
    account_type: "person",
    groups: [],
    token_type: "Bearer",
    exp: at + 300,
    iat: at,
    sub: userIds.ada,
    aud: [FILES],
    iss: testServer.issuer,
    token_id: body["token_id"],
  })
})

test("JWT-2 every other audience has an opaque token, and a refresh may name the one API", async () => {
  for (const resources of [[], [PLAIN], [FILES, MAIL], [testServer.issuer]])
    assert.equal(isJwt(await granted(testServer, ada, app, resources)), false, resources.join())
  const both = await granted(testServer, ada, app, [FILES, MAIL])
  const mail = await refreshed(both, { resource: MAIL, scope: "account:read" })
  assert.equal(mail["expires_in"], 60)
  const { payload, protectedHeader } = await verified(testServer, mail, MAIL)
  assert.deepEqual([protectedHeader.alg, payload["scope"]], ["ES256", "account:read"])
  assert.equal((await asked(mail))["scope"], "account:read")
  assert.equal(isJwt(await refreshed(mail)), false)
})

test("JWT-5 a repeat within its window has the first jti, iat and exp, and the scope that is left", async (t) => {
  const both = await granted(testServer, ada, other, [FILES, MAIL])
  const later = await laterNode(testServer, t)
  const ask = (more: Record<string, string> = {}, at: Listening = later) =>
    refresh(at, other, String(both["refresh_token"]), more)
  const first = (await ask({ resource: FILES }, testServer)).body
  testServer.clock.advance(20)
  await updateApp(testServer.latchkey, other.clientId, { removePermissions: ["files:write"] }, OPERATOR)
  const again = (await ask()).body
  assert.deepEqual([again["refresh_token"], again["expires_in"]], [first["refresh_token"], 280])
  const payloads = await Promise.all([first, again].map((one) => verified(testServer, one, FILES)))
  const [one, two] = payloads.map(({ payload: { scope, iss, ...claims } }) => ({ scope, iss, claims }))
  assert.deepEqual(two?.claims, one?.claims)
  assert.deepEqual([one?.scope, two?.scope], [first["scope"], again["scope"]])
  assert.notEqual(first["scope"], again["scope"])
  assertRefused(await ask({ resource: MAIL }), 400, "invalid_target")
  assert.equal((await ask({ resource: FILES })).status, 200)
  assert.deepEqual(await testServer.store.verify(), [])
})

test("JWT-5 it is not stored, and ends no other access token of its credential", async () => {
  const opaque = await granted(testServer, ada, app, [FILES, PLAIN])
  let last = opaque
  for (let i = 0; i < 40; i++) last = await refreshed(last, { resource: FILES })
  const { credential } = await testServer.store.read({ credential: opaque["token_id"] as TokenId })
  assert.ok(credential?.life.state === "active")
  assert.equal(credential.life.family.accessTokens.length, 1)
  assert.equal((await asked(opaque))["active"], true)
})

test("JWT-2 a device and a service account get one, and the service account's keeps its row", async () => {
  const device = await startDevice(testServer, app, { resource: MAIL })
  await answerDevice(ada, device, "authorize")
  await verified(testServer, { ...(await fetched(testServer, app, device)) }, MAIL)

  const ask = { ...own(bound), grant_type: "client_credentials", resource: FILES }
  const [one, two] = [
    await send(testServer, "/oauth/token", ask),
    await send(testServer, "/oauth/token", ask),
  ]
  const { payload } = await verified(testServer, one.body, FILES)
  assert.equal(payload["client_id"], bound.clientId)
  assert.equal((await asked(one.body))["account_type"], "service")
  assert.equal((await revoke(bound, one.body)).status, 200)
  assert.deepEqual(await asked(one.body), { active: false })
  assert.equal((await asked(two.body))["active"], true)
})

test("JWT-6 revocation knows it in full, expired or with a withdrawn key, and ends the credential", async () => {
  for (const late of [0, 400]) {
    const held = await granted(testServer, ada, app, [FILES])
    testServer.clock.advance(late)
    const [header, payload] = String(held["access_token"]).split(".")
    const forged = { access_token: `${header}.${payload}.${"A".repeat(512)}` }
    assert.equal((await revoke(app, forged)).status, 200)
    assert.equal(await stateOf(testServer, String(held["token_id"])), "active")
    assertRefused(await revoke(other, held), 401, "invalid_client")
    assert.equal((await revoke(app, held)).status, 200)
    assert.equal(await stateOf(testServer, String(held["token_id"])), "revoked")
    assert.deepEqual(await asked(held), { active: false })
  }
  const held = await granted(testServer, ada, app, [MAIL])
  await withdrawKey(testServer, "ES256")
  assert.deepEqual(await asked(held), { active: false })
  assert.equal((await revoke(app, held)).status, 200)
  assert.equal(await stateOf(testServer, String(held["token_id"])), "revoked")
  assert.equal((await eventKinds(testServer)).at(-1), "credential-revoked")
  assert.equal(isJwt(await granted(testServer, ada, app, [MAIL])), true)
})

test("JWT-4 it is live while its end and its credential are, also after a restart", async (t) => {
  const held = await granted(testServer, ada, app, [FILES])
  const later = await laterNode(testServer, t)
  const token = String(held["access_token"])
  assert.equal((await send(later, "/oauth/introspect", { ...own(server), token })).body["active"], true)
  await updateApp(testServer.latchkey, app.clientId, { removePermissions: ["files:write"] }, OPERATOR)
  assert.doesNotMatch(String((await asked(held))["scope"]), /files:write/)
  await updateApp(testServer.latchkey, app.clientId, { addPermissions: ["files:write"] }, OPERATOR)
  await setAccountEnabled(testServer.latchkey, "ada", false, OPERATOR)
  assert.deepEqual(await asked(held), { active: false })
  await setAccountEnabled(testServer.latchkey, "ada", true, OPERATOR)
  testServer.clock.advance(300)
  assert.equal((await asked(held))["active"], true)
  testServer.clock.advance(1)
  assert.deepEqual(await asked(held), { active: false })
  assert.deepEqual(await testServer.store.verify(), [])
})
