/** Tests known flaws of other servers in the use of a code. README.md, "Code, PKCE, redirect". */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { resealed } from "../support/checksum.ts"
import type { Browser } from "../support/browser.ts"
import { exchange, newVerifier, own, refresh, send, signedInBrowser } from "../support/connect.ts"
import { assertRefused } from "../support/answers.ts"
import { answerDevice, DEVICE_GRANT, fetched, poll, startDevice } from "../oauth/device/device.ts"
import { fixture } from "../support/fixture.ts"
import { issueCode, tokenIdOf } from "../support/grant.ts"
import { call } from "../support/signed-in.ts"
import { credentialRow, everything, stateOf } from "../support/stored.ts"

let bob: Browser
let eve: Browser

const { testServer, app, other, server } = await fixture({
  rateLimit: "off",
  accounts: ["bob", "eve"],
  apps: { app: {}, other: { name: "Other" }, server: { type: "confidential" } },
})
;[bob, eve] = await Promise.all([signedInBrowser(testServer, "bob"), signedInBrowser(testServer, "eve")])

const liveOf = (answer: { readonly body: Record<string, unknown> }) =>
  call(testServer, "/api/credential", String(answer.body["access_token"])).then(({ status }) => status)

test("GHSA-7w99-5wm4-3g79, supabase/auth #2613, keycloak #22448, everruns #2427: of many exchanges at once one gets tokens, the others hear what a second one hears, and nothing lives", async () => {
  for (const who of [app, server]) {
    const { code, verifier } = await issueCode(bob, who)
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => exchange(testServer, who, code, verifier)),
    )
    const [won, ...more] = answers.filter(({ status }) => status === 200)
    assert.ok(won)
    assert.deepEqual(more, [])
    for (const answer of answers) if (answer !== won) assertRefused(answer, 400, "invalid_grant")
    assert.equal(await stateOf(testServer, tokenIdOf(code)), "revoked")
    assert.equal(await liveOf(won), 401)
    assertRefused(await refresh(testServer, who, String(won.body["refresh_token"])), 400, "invalid_grant")
  }
})

test("GHSA-7w99-5wm4-3g79: right and wrong exchanges at once: the wrong ones get nothing and take nothing before the right one", async () => {
  const { code, verifier } = await issueCode(bob, app)
  const wrong = () => exchange(testServer, app, code, newVerifier().verifier)
  const foreign = () => exchange(testServer, other, code, verifier)
  const early = await Promise.all([wrong(), foreign(), wrong(), foreign(), wrong(), foreign()])
  for (const answer of early) assertRefused(answer, 400, "invalid_grant")
  const [won, ...strangers] = await Promise.all([
    exchange(testServer, app, code, verifier),
    ...Array.from({ length: 10 }, foreign),
  ])
  for (const answer of strangers) assertRefused(answer, 400, "invalid_grant")
  assert.equal(won?.status, 200)
  assert.equal(await stateOf(testServer, tokenIdOf(code)), "active")
})

test("CVE-2026-26232, CVE-2024-22403: a code ends after ten minutes, used or not, and was good for one use", async () => {
  const { code, verifier } = await issueCode(bob, app)
  assert.equal((await exchange(testServer, app, code, verifier)).status, 200)
  assertRefused(await exchange(testServer, app, code, verifier), 400, "invalid_grant")
  const late = await issueCode(bob, app)
  testServer.clock.advance(601)
  assertRefused(await exchange(testServer, app, late.code, late.verifier), 400, "invalid_grant")
  await testServer.restart()
  bob = await signedInBrowser(testServer, "bob")
  eve = await signedInBrowser(testServer, "eve")
  testServer.clock.setWall(testServer.clock.now() - 300)
  assertRefused(await exchange(testServer, app, late.code, late.verifier), 400, "invalid_grant")
  assertRefused(await exchange(testServer, app, code, verifier), 400, "invalid_grant")
  testServer.clock.setWall(testServer.clock.now() + 300)
})

test("oauthjs/node-oauth2-server #637: a code that comes again ends what it gave, refreshed or not", async () => {
  const { code, verifier } = await issueCode(bob, app)
  const first = await exchange(testServer, app, code, verifier)
  const second = await refresh(testServer, app, String(first.body["refresh_token"]))
  assertRefused(await exchange(testServer, app, code, verifier), 400, "invalid_grant")
  for (const answer of [first, second]) {
    assert.equal(await liveOf(answer), 401)
    assertRefused(await refresh(testServer, app, String(answer.body["refresh_token"])), 400, "invalid_grant")
  }
})

test("CVE-2026-16089, CVE-2026-4282: a code spliced from two, or pointed at another credential, is no code", async () => {
  const mine = await issueCode(eve, other)
  const victims = await issueCode(bob, app)
  const rows = await Promise.all(
    [mine, victims].map(({ code }) => credentialRow(testServer, tokenIdOf(code))),
  )
  const aimed = resealed(mine.code, () => victims.code.slice(0, 30) + mine.code.slice(30, -6))
  const spliced = resealed(mine.code, () => mine.code.slice(0, 30) + victims.code.slice(30, -6))
  for (const code of [aimed, spliced]) {
    for (const who of [app, other]) {
      for (const { verifier } of [mine, victims])
        assertRefused(await exchange(testServer, who, code, verifier), 400, "invalid_grant")
    }
  }
  assert.deepEqual(
    await Promise.all([mine, victims].map(({ code }) => credentialRow(testServer, tokenIdOf(code)))),
    rows,
  )
  const tokens = (await exchange(testServer, other, mine.code, mine.verifier))
    .body as unknown as TokenResponse
  assert.equal(tokens.username, "eve")
})

test("GHSA-xqxv-4jc2-x56x: no grant is taken from the app that it was made for", async () => {
  const issued = await issueCode(bob, app)
  const device = await startDevice(testServer, app)
  await answerDevice(bob, device, "authorize")
  for (const thief of [other, server]) {
    assertRefused(await exchange(testServer, thief, issued.code, issued.verifier), 400, "invalid_grant")
    assertRefused(await poll(testServer, thief, device), 400, "invalid_grant")
    // The body has the id of one app, and the header authenticates another.
    const forged = { ...own(app), grant_type: DEVICE_GRANT, device_code: device.deviceCode }
    const basic = { authorization: `Basic ${btoa(`${thief.clientId}:${thief.secret ?? ""}`)}` }
    assertRefused(await send(testServer, "/oauth/token", forged, basic), 400, "invalid_request")
  }
  const held = await exchange(testServer, app, issued.code, issued.verifier)
  const refreshToken = String(held.body["refresh_token"])
  for (const thief of [other, server])
    assertRefused(await refresh(testServer, thief, refreshToken), 400, "invalid_grant")
  assert.equal((await refresh(testServer, app, refreshToken)).status, 200)
  await fetched(testServer, app, device)
})

test("CVE-2026-4282, CVE-2026-4325: a secret of one kind is refused as another, under every parameter name", async () => {
  const issued = await issueCode(bob, app)
  const spent = await issueCode(bob, app)
  const held = (await exchange(testServer, app, spent.code, spent.verifier)).body as unknown as TokenResponse
  const device = await startDevice(testServer, app)
  const secrets = {
    lka_: held.access_token,
    lkr_: held.refresh_token,
    lkc_: issued.code,
    lkd_: device.deviceCode,
    lks_: server.secret ?? "",
  }
  const stored = await everything(testServer)
  for (const [kind, secret] of Object.entries(secrets)) {
    for (const prefix of Object.keys(secrets)) {
      const renamed = resealed(secret, (text) => prefix + text.slice(4))
      const texts = kind === prefix ? [] : [secret, renamed]
      for (const text of texts) {
        if (prefix === "lkc_")
          assertRefused(await exchange(testServer, app, text, issued.verifier), 400, "invalid_grant")
        if (prefix === "lkr_") assertRefused(await refresh(testServer, app, text), 400, "invalid_grant")
        if (prefix === "lkd_") {
          const answer = await poll(testServer, app, { deviceCode: text })
          assertRefused(answer, 400, "invalid_grant")
        }
        if (prefix === "lka_") assert.equal((await call(testServer, "/api/account", text)).status, 401)
        if (prefix === "lks_")
          assertRefused(await refresh(testServer, { ...server, secret: text }, "x"), 401, "invalid_client")
      }
    }
  }
  const left = await everything(testServer)
  for (const table of ["credential", "device_grant", "client"]) assert.deepEqual(left[table], stored[table])
})

test("workers-oauth-provider #225: the id that a code shows revokes nothing", async () => {
  const { code, verifier } = await issueCode(bob, app)
  const held = (await exchange(testServer, app, code, verifier)).body as unknown as TokenResponse
  const id = tokenIdOf(code)
  const forged = [
    resealed(code, () => `lkc_${id}${"A".repeat(43)}`),
    resealed(code, (text) => `${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`),
    `lkc_${id}`,
    id,
    code.slice(0, -1),
  ]
  for (const text of forged)
    for (const who of [app, other])
      assertRefused(await exchange(testServer, who, text, verifier), 400, "invalid_grant")
  assertRefused(await exchange(testServer, other, code, verifier), 400, "invalid_grant")
  assert.equal(await stateOf(testServer, held.token_id), "active")
  assert.equal((await refresh(testServer, app, held.refresh_token)).status, 200)
})
