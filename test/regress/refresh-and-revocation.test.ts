/**
 * Tests known flaws of other servers in refresh, revocation and the end of access. README.md, "Refresh and revocation".
 */
import { beforeEach, test } from "node:test"
import assert from "node:assert/strict"
import { removeAccount, setAccountEnabled } from "../../src/accounts/accounts.ts"
import { removeApp, setAppEnabled, updateApp } from "../../src/apps/app.ts"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import {
  authorizePath,
  exchange,
  newVerifier,
  own,
  refresh,
  send,
  signedInBrowser,
} from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { TestServer, type TestApp, OPERATOR } from "../support/test-server.ts"
import { assertRefused } from "../support/answers.ts"
import { answerDevice, openCode, poll, startDevice } from "../oauth/device/device.ts"
import { grant, issueCode } from "../support/grant.ts"
import { call, introspected, rotated } from "../support/signed-in.ts"
import { credentialRow, stateOf } from "../support/stored.ts"

const { testServer, app, other, server } = await fixture({
  rateLimit: "off",
  admins: ["root"],
  accounts: ["bob"],
  apps: {
    app: { stepUp: true },
    other: { name: "Other" },
    server: { type: "confidential", resourceServer: true },
  },
})
let bob = await signedInBrowser(testServer, "bob")
beforeEach(() => testServer.clock.advance(1))

function revoke(who: TestApp, token: string) {
  return send(testServer, "/oauth/revoke", { ...own(who), token })
}

function stepUp({ access_token }: Pick<TokenResponse, "access_token">) {
  return send(testServer, "/oauth/step-up", {}, { authorization: `Bearer ${access_token}` })
}

async function statusOf({ access_token }: Pick<TokenResponse, "access_token">): Promise<number> {
  return (await call(testServer, "/api/credential", access_token)).status
}

/** Checks that the credential is refused in every way in which credentials are used. */
async function assertDead(
  who: TestApp,
  held: TokenResponse,
  status = 400,
  error = "invalid_grant",
): Promise<void> {
  assertRefused(await refresh(testServer, who, held.refresh_token), status, error)
  assert.equal(await statusOf(held), 401)
  assert.equal((await stepUp(held)).status, 401)
  assert.deepEqual((await introspected(testServer, server, held.access_token)).body, { active: false })
}

test("CVE-2026-1035, GHSA-392p-2q2v-4372: one refresh token redeemed many times at once makes one successor", async () => {
  const first = await grant(testServer, bob, app)
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => refresh(testServer, app, first.refresh_token)),
  )
  const pairs = new Set(
    answers.map(({ body }) => JSON.stringify([body["access_token"], body["refresh_token"]])),
  )
  assert.equal(pairs.size, 1)
  // The next refresh and one with the previous token run at once. There is still only one line of successors.
  const second = answers[0]?.body as unknown as TokenResponse
  const mixed = await Promise.all(
    [first, second, first, second, first, second].map((one) => refresh(testServer, app, one.refresh_token)),
  )
  const thirds = mixed.filter(({ body }) => body["refresh_token"] !== second.refresh_token)
  const granted = thirds.filter(({ status }) => status === 200)
  assert.equal(new Set(granted.map(({ body }) => body["refresh_token"])).size, 1)
  for (const answer of thirds) if (answer.status !== 200) assertRefused(answer, 400, "invalid_grant")
  assert.equal(await stateOf(testServer, first.token_id), "active")
})

test("CVE-2026-9802: after a restart a retired token is as retired as before", async () => {
  const first = await grant(testServer, bob, app)
  const second = await rotated(testServer, app, first)
  const third = await rotated(testServer, app, second)
  await testServer.restart()
  bob = await signedInBrowser(testServer, "bob")
  assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
  assert.equal(await stateOf(testServer, first.token_id), "active")
  testServer.clock.advance(61)
  await testServer.restart()
  bob = await signedInBrowser(testServer, "bob")
  assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
  await assertDead(app, third)
})

test("keycloak #50999: two rotations within one second leave no token of before in force", async () => {
  const first = await grant(testServer, bob, app)
  const second = await rotated(testServer, app, first)
  const third = await rotated(testServer, app, second)
  assertRefused(await refresh(testServer, app, first.refresh_token), 400, "invalid_grant")
  assert.equal((await rotated(testServer, app, second)).refresh_token, third.refresh_token)
  const fourth = await rotated(testServer, app, third)
  for (const { refresh_token } of [first, second])
    assertRefused(await refresh(testServer, app, refresh_token), 400, "invalid_grant")
  assert.equal(await statusOf(fourth), 200)
})

test("keycloak #51312, GHSA-392p-2q2v-4372: whatever a refresh that races a revocation brings, nothing of it lives", async () => {
  for (let round = 0; round < 2; round++) {
    const first = await grant(testServer, bob, app)
    const early = Array.from({ length: 6 }, () => refresh(testServer, app, first.refresh_token))
    const token = round % 2 === 0 ? first.refresh_token : first.access_token
    const revocation = revoke(app, token)
    const late = Array.from({ length: 6 }, () => refresh(testServer, app, first.refresh_token))
    const answers = await Promise.all([...early, ...late])
    assert.equal((await revocation).status, 200)
    for (const { status, body } of answers) {
      if (status === 200) await assertDead(app, body as unknown as TokenResponse)
      else assert.equal(body["error"], "invalid_grant")
    }
    assert.equal(await stateOf(testServer, first.token_id), "revoked")
  }
})

test("GHSA-392p-2q2v-4372: what changes one credential at the same moment as another changes only its own", async () => {
  const held = await Promise.all([1, 2, 3, 4, 5, 6].map(() => grant(testServer, bob, app)))
  await Promise.all(
    held.map((one, at) =>
      at % 2 === 0 ? revoke(app, one.access_token) : refresh(testServer, app, one.refresh_token),
    ),
  )
  for (const [at, one] of held.entries())
    assert.equal(await stateOf(testServer, one.token_id), at % 2 === 0 ? "revoked" : "active")
})

test("GHSA-pw9m-5jxm-xr6h, GHSA-xqxv-4jc2-x56x: a refresh needs the app, and the app's secret", async () => {
  const held = await grant(testServer, bob, server)
  for (const who of [
    { ...server, secret: null },
    { ...server, secret: "lks_wrong" },
    { ...server, secret: held.refresh_token },
  ])
    assertRefused(await refresh(testServer, who, held.refresh_token), 401, "invalid_client")
  const withoutClient = { grant_type: "refresh_token", refresh_token: held.refresh_token }
  assertRefused(await send(testServer, "/oauth/token", withoutClient), 400, "invalid_request")
  for (const who of [app, other])
    assertRefused(await refresh(testServer, who, held.refresh_token), 400, "invalid_grant")
  assert.equal((await refresh(testServer, server, held.refresh_token)).status, 200)
})

test("django-oauth-toolkit #1617: the window of a lost answer is that of the last token, not of those before it", async () => {
  const pairs = [await grant(testServer, bob, app)]
  for (let n = 0; n < 4; n++) {
    testServer.clock.advance(5)
    pairs.push(await rotated(testServer, app, pairs.at(-1) as TokenResponse))
  }
  const row = await credentialRow(testServer, pairs[0]?.token_id ?? "")
  for (const old of pairs.slice(0, 3))
    assertRefused(await refresh(testServer, app, old.refresh_token), 400, "invalid_grant")
  assert.deepEqual(await credentialRow(testServer, pairs[0]?.token_id ?? ""), row)
})

test("django-oauth-toolkit #702: the answer that was lost comes again, with the successor and not with what is retired", async () => {
  const first = await grant(testServer, bob, app)
  const lost = await rotated(testServer, app, first)
  testServer.clock.advance(30)
  const again = await rotated(testServer, app, first)
  assert.deepEqual([again.access_token, again.refresh_token], [lost.access_token, lost.refresh_token])
  assert.equal(await statusOf(again), 200)
  assert.equal((await refresh(testServer, app, again.refresh_token)).status, 200)
})

test("CVE-2023-22492, CVE-2025-62175, CVE-2026-1609, GHSA-wv3h-x6c4-r867, CVE-2026-88770: a disabled account gets nothing more, by any grant and in any browser", async () => {
  await testServer.addAccount("carl")
  const carl = await signedInBrowser(testServer, "carl")
  const held = await grant(testServer, carl, app)
  const issued = await issueCode(carl, app)
  const [approved, pending] = [await startDevice(testServer, app), await startDevice(testServer, app)]
  await answerDevice(carl, approved, "authorize")
  const open = await openCode(carl, pending.userCode)
  const ceremony = await stepUp(held)
  const consent = await carl.get(authorizePath(app, newVerifier().challenge))
  await setAccountEnabled(testServer.latchkey, "carl", false, OPERATOR)

  await assertDead(app, held)
  assertRefused(await exchange(testServer, app, issued.code, issued.verifier), 400, "invalid_grant")
  assertRefused(await poll(testServer, app, approved), 400, "access_denied")
  const deviceCode = String(ceremony.body["device_code"])
  assert.equal((await poll(testServer, app, { deviceCode })).status, 400)
  assert.equal((await carl.submit(open, "/oauth/consent", { decision: "authorize" })).status, 403)
  assertRefused(await poll(testServer, app, pending), 400, "authorization_pending")
  const late = await carl.submit(consent, "/oauth/consent", { decision: "authorize" })
  assert.deepEqual([late.status, late.location], [403, null])
  assert.equal((await carl.get("/account")).status, 303)
})

test("CVE-2026-93999, CVE-2024-25619: a disabled app gets nothing more, by any grant", async () => {
  const who = await testServer.addApp({ stepUp: true })
  const held = await grant(testServer, bob, who)
  const issued = await issueCode(bob, who)
  const approved = await startDevice(testServer, who)
  await answerDevice(bob, approved, "authorize")
  const consent = await bob.get(authorizePath(who, newVerifier().challenge))
  await setAppEnabled(testServer.latchkey, who.clientId, false, OPERATOR)

  await assertDead(who, held, 401, "invalid_client")
  assertRefused(await exchange(testServer, who, issued.code, issued.verifier), 401, "invalid_client")
  assertRefused(await poll(testServer, who, approved), 401, "invalid_client")
  assertRefused(await send(testServer, "/oauth/device-authorization", own(who)), 401, "invalid_client")
  const pages = [
    await bob.get(authorizePath(who, newVerifier().challenge)),
    await bob.submit(consent, "/oauth/consent", { decision: "authorize" }),
  ]
  for (const { status, location } of pages) assert.deepEqual([status, location], [400, null])
})

test("CVE-2024-25619: an app that is removed takes everything along that it was given, whatever path asks for it", async () => {
  const who = await testServer.addApp({ stepUp: true })
  const held = await grant(testServer, bob, who)
  const issued = await issueCode(bob, who)
  const [approved, pending] = [await startDevice(testServer, who), await startDevice(testServer, who)]
  await answerDevice(bob, approved, "authorize")
  const page = await openCode(bob, pending.userCode)
  const consent = await bob.get(authorizePath(who, newVerifier().challenge))
  await removeApp(testServer.latchkey, who.clientId, OPERATOR)

  await assertDead(who, held, 401, "invalid_client")
  assertRefused(await exchange(testServer, who, issued.code, issued.verifier), 401, "invalid_client")
  for (const one of [approved, pending])
    assertRefused(await poll(testServer, who, one), 401, "invalid_client")
  assert.equal((await bob.submit(page, "/oauth/consent", { decision: "authorize" })).location, null)
  assert.equal((await bob.submit(consent, "/oauth/consent", { decision: "authorize" })).location, null)
  // The tokens also do not work for another app.
  for (const token of [held.refresh_token, held.access_token])
    assert.equal((await refresh(testServer, other, token)).body["error"], "invalid_grant")
  assert.notEqual(await stateOf(testServer, held.token_id), "active")
})

test("GHSA-895x-rfqp-jh5c: a permission that is taken from the app is taken from what it holds, at the next request", async () => {
  const who = await testServer.addApp({ permissions: ["account:read", "files:write"] })
  const held = await grant(testServer, bob, who)
  const change = (update: Parameters<typeof updateApp>[2]) =>
    updateApp(testServer.latchkey, who.clientId, update, OPERATOR)
  await change({ removePermissions: ["account:read"] })
  assert.equal((await call(testServer, "/api/account", held.access_token)).status, 403)
  const { scope } = (await introspected(testServer, server, held.access_token)).body
  assert.equal(String(scope).includes("account:read"), false)
  assertRefused(
    await refresh(testServer, who, held.refresh_token, { scope: "account:read" }),
    400,
    "invalid_scope",
  )
  const next = await rotated(testServer, who, held)
  assert.equal(next.scope.includes("account:read"), false)
  assert.equal((await call(testServer, "/api/account", next.access_token)).status, 403)
})

test("CVE-2022-3916: a credential stays with its account, whichever account is signed in or takes the name", async () => {
  await testServer.addAccount("dora")
  const dora = await signedInBrowser(testServer, "dora")
  const held = await grant(testServer, dora, app)
  // The next person uses the same browser.
  await dora.submit(await dora.get("/account"), "/sign-out", {})
  await dora.signIn("bob", "correct horse battery staple")
  const theirs = await grant(testServer, dora, app)
  const next = await rotated(testServer, app, held)
  assert.deepEqual([next.username, next.user_id, theirs.username], ["dora", held.user_id, "bob"])
  await removeAccount(testServer.latchkey, "dora", OPERATOR)
  await testServer.addAccount("dora")
  await assertDead(app, next)
  assert.equal(await statusOf(theirs), 200)
})

test("CVE-2020-15223, GHSA-7mqr-2v3q-v2wm: a revocation that could not be stored is not answered as done", async () => {
  const away = await TestServer.open()
  try {
    await away.addAccount("bob")
    const who = await away.addApp()
    const held = await grant(away, await signedInBrowser(away, "bob"), who)
    await away.store.close()
    for (const token of [held.refresh_token, held.access_token, "garbage"]) {
      const answer = await send(away, "/oauth/revoke", { ...own(who), token })
      assertRefused(answer, 503, "temporarily_unavailable")
      assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]/)
    }
    await away.restart()
    assert.equal((await call(away, "/api/credential", held.access_token)).status, 200)
    assert.equal((await send(away, "/oauth/revoke", { ...own(who), token: held.access_token })).status, 200)
    assert.equal((await call(away, "/api/credential", held.access_token)).status, 401)
  } finally {
    await away.close()
  }
})

test("CVE-2016-6582, CVE-2018-1000211, workers-oauth-provider #188: a public app revokes its own tokens, and no app revokes another's", async () => {
  const held = await grant(testServer, bob, app)
  const forged = await send(
    testServer,
    "/oauth/revoke",
    { ...own(app), token: held.refresh_token },
    { authorization: `Basic ${btoa(`${server.clientId}:${server.secret}`)}` },
  )
  assertRefused(forged, 400, "invalid_request")
  for (const who of [other, server]) {
    for (const token of [held.access_token, held.refresh_token])
      assertRefused(await revoke(who, token), 401, "invalid_client")
  }
  assertRefused(await send(testServer, "/oauth/revoke", { token: held.access_token }), 400, "invalid_request")
  assert.equal(await statusOf(held), 200)
  assert.equal((await revoke(app, held.access_token)).status, 200)
  await assertDead(app, held)
})

test("CVE-2026-27840: a token that is cut short, lengthened or padded is refused", async () => {
  const held = await grant(testServer, bob, app)
  const row = await credentialRow(testServer, held.token_id)
  for (const token of [held.access_token, held.refresh_token]) {
    const forms = [
      ...[token.length - 1, token.length - 7, 36].map((end) => token.slice(0, end)),
      ...["=", "A", "\u0000", token].map((more) => token + more),
      ` ${token}`,
      token.toLowerCase(),
    ]
    for (const form of forms) {
      const header = { authorization: `Bearer ${form}` }
      const isSendable = !/[^\x20-\x7e]/.test(form) && form.trim() === form
      if (isSendable)
        assert.equal((await fetch(`${testServer.url}/api/credential`, { headers: header })).status, 401, form)
      assertRefused(await refresh(testServer, app, form), 400, "invalid_grant", form)
      assert.deepEqual((await introspected(testServer, server, form)).body, { active: false })
      assert.deepEqual(
        [(await revoke(app, form)).status, await stateOf(testServer, held.token_id)],
        [200, "active"],
      )
    }
  }
  assert.deepEqual(await credentialRow(testServer, held.token_id), row)
  assert.equal(await statusOf(held), 200)
})
