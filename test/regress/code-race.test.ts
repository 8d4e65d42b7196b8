/** Flaws of others around the use of a code, tried here. docs/conformance.md, "Code, PKCE, redirect". */
import { after, before, test } from "node:test"
import assert from "node:assert/strict"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { resealed } from "../support/checksum.ts"
import type { Browser } from "../support/browser.ts"
import { exchange, newVerifier, own, refresh, send, signedInBrowser } from "../support/connect.ts"
import { TestServer, type TestApp } from "../support/house.ts"
import { assertRefused } from "../http/answers.ts"
import { answerDevice, DEVICE_GRANT, fetched, poll, startDevice } from "../http/device.ts"
import { issueCode, tokenIdOf } from "../http/grant.ts"
import { call } from "../http/signed-in.ts"
import { credentialRow, everything, stateOf } from "../http/stored.ts"

let house: TestServer
let bob: Browser
let eve: Browser
let app: TestApp
let other: TestApp
let server: TestApp

before(async () => {
  house = await TestServer.open()
  await house.set("rate_limit.oauth_anonymous", "off")
  await house.addAccount("bob")
  await house.addAccount("eve")
  ;[bob, eve] = await Promise.all([signedInBrowser(house, "bob"), signedInBrowser(house, "eve")])
  app = await house.addApp()
  other = await house.addApp({ name: "Other" })
  server = await house.addApp({ type: "confidential" })
})
after(() => house.close())

const liveOf = (answer: { readonly body: Record<string, unknown> }) =>
  call(house, "/api/credential", String(answer.body["access_token"])).then(({ status }) => status)

test("GHSA-7w99-5wm4-3g79, supabase/auth #2613, keycloak #22448, everruns #2427: of many exchanges at once one gets tokens, the others hear what a second one hears, and nothing lives", async () => {
  for (const who of [app, server]) {
    const { code, verifier } = await issueCode(bob, who)
    const answers = await Promise.all(Array.from({ length: 25 }, () => exchange(house, who, code, verifier)))
    const [won, ...more] = answers.filter(({ status }) => status === 200)
    assert.ok(won)
    assert.deepEqual(more, [])
    for (const answer of answers) if (answer !== won) assertRefused(answer, 400, "invalid_grant")
    assert.equal(await stateOf(house, tokenIdOf(code)), "revoked")
    assert.equal(await liveOf(won), 401)
    assertRefused(await refresh(house, who, String(won.body["refresh_token"])), 400, "invalid_grant")
  }
})

test("GHSA-7w99-5wm4-3g79: right and wrong exchanges at once: the wrong ones get nothing and take nothing before the right one", async () => {
  const { code, verifier } = await issueCode(bob, app)
  const wrong = () => exchange(house, app, code, newVerifier().verifier)
  const foreign = () => exchange(house, other, code, verifier)
  const early = await Promise.all([wrong(), foreign(), wrong(), foreign(), wrong(), foreign()])
  for (const answer of early) assertRefused(answer, 400, "invalid_grant")
  const [won, ...strangers] = await Promise.all([
    exchange(house, app, code, verifier),
    ...Array.from({ length: 10 }, foreign),
  ])
  for (const answer of strangers) assertRefused(answer, 400, "invalid_grant")
  assert.equal(won?.status, 200)
  assert.equal(await stateOf(house, tokenIdOf(code)), "active")
})

test("CVE-2026-26232, CVE-2024-22403: a code ends after ten minutes, used or not, and was good for one use", async () => {
  const { code, verifier } = await issueCode(bob, app)
  assert.equal((await exchange(house, app, code, verifier)).status, 200)
  assertRefused(await exchange(house, app, code, verifier), 400, "invalid_grant")
  const late = await issueCode(bob, app)
  house.clock.advance(601)
  assertRefused(await exchange(house, app, late.code, late.verifier), 400, "invalid_grant")
  await house.restart()
  bob = await signedInBrowser(house, "bob")
  eve = await signedInBrowser(house, "eve")
  house.clock.setWall(house.clock.now() - 300)
  assertRefused(await exchange(house, app, late.code, late.verifier), 400, "invalid_grant")
  assertRefused(await exchange(house, app, code, verifier), 400, "invalid_grant")
  house.clock.setWall(house.clock.now() + 300)
})

test("oauthjs/node-oauth2-server #637: a code that comes again ends what it gave, refreshed or not", async () => {
  const { code, verifier } = await issueCode(bob, app)
  const first = await exchange(house, app, code, verifier)
  const second = await refresh(house, app, String(first.body["refresh_token"]))
  assertRefused(await exchange(house, app, code, verifier), 400, "invalid_grant")
  for (const answer of [first, second]) {
    assert.equal(await liveOf(answer), 401)
    assertRefused(await refresh(house, app, String(answer.body["refresh_token"])), 400, "invalid_grant")
  }
})

test("CVE-2026-16089, CVE-2026-4282: a code spliced from two, or pointed at another credential, is no code", async () => {
  const mine = await issueCode(eve, other)
  const victims = await issueCode(bob, app)
  const rows = await Promise.all([mine, victims].map(({ code }) => credentialRow(house, tokenIdOf(code))))
  const aimed = resealed(mine.code, () => victims.code.slice(0, 30) + mine.code.slice(30, -6))
  const spliced = resealed(mine.code, () => mine.code.slice(0, 30) + victims.code.slice(30, -6))
  for (const code of [aimed, spliced]) {
    for (const who of [app, other]) {
      for (const { verifier } of [mine, victims])
        assertRefused(await exchange(house, who, code, verifier), 400, "invalid_grant")
    }
  }
  assert.deepEqual(
    await Promise.all([mine, victims].map(({ code }) => credentialRow(house, tokenIdOf(code)))),
    rows,
  )
  const tokens = (await exchange(house, other, mine.code, mine.verifier)).body as unknown as TokenResponse
  assert.equal(tokens.username, "eve")
})

test("GHSA-xqxv-4jc2-x56x: no grant is taken from the app that it was made for", async () => {
  const issued = await issueCode(bob, app)
  const device = await startDevice(house, app)
  await answerDevice(bob, device, "authorize")
  for (const thief of [other, server]) {
    assertRefused(await exchange(house, thief, issued.code, issued.verifier), 400, "invalid_grant")
    assertRefused(await poll(house, thief, device), 400, "invalid_grant")
    // The id of the app in the body, the authentication of another in the header.
    const forged = { ...own(app), grant_type: DEVICE_GRANT, device_code: device.deviceCode }
    const basic = { authorization: `Basic ${btoa(`${thief.clientId}:${thief.secret ?? ""}`)}` }
    assertRefused(await send(house, "/oauth/token", forged, basic), 400, "invalid_request")
  }
  const held = await exchange(house, app, issued.code, issued.verifier)
  const refreshToken = String(held.body["refresh_token"])
  for (const thief of [other, server])
    assertRefused(await refresh(house, thief, refreshToken), 400, "invalid_grant")
  assert.equal((await refresh(house, app, refreshToken)).status, 200)
  await fetched(house, app, device)
})

test("CVE-2026-4282, CVE-2026-4325: a secret of one kind is none of another, under whatever name it comes", async () => {
  const issued = await issueCode(bob, app)
  const spent = await issueCode(bob, app)
  const held = (await exchange(house, app, spent.code, spent.verifier)).body as unknown as TokenResponse
  const device = await startDevice(house, app)
  const secrets = {
    lka_: held.access_token,
    lkr_: held.refresh_token,
    lkc_: issued.code,
    lkd_: device.deviceCode,
    lks_: server.secret ?? "",
  }
  const stored = await everything(house)
  for (const [kind, secret] of Object.entries(secrets)) {
    for (const prefix of Object.keys(secrets)) {
      const renamed = resealed(secret, (text) => prefix + text.slice(4))
      const texts = kind === prefix ? [] : [secret, renamed]
      for (const text of texts) {
        if (prefix === "lkc_")
          assertRefused(await exchange(house, app, text, issued.verifier), 400, "invalid_grant")
        if (prefix === "lkr_") assertRefused(await refresh(house, app, text), 400, "invalid_grant")
        if (prefix === "lkd_") {
          const answer = await poll(house, app, { deviceCode: text })
          assertRefused(answer, 400, "invalid_grant")
        }
        if (prefix === "lka_") assert.equal((await call(house, "/api/account", text)).status, 401)
        if (prefix === "lks_")
          assertRefused(await refresh(house, { ...server, secret: text }, "x"), 401, "invalid_client")
      }
    }
  }
  const left = await everything(house)
  for (const table of ["credential", "device_grant", "client"]) assert.deepEqual(left[table], stored[table])
})

test("workers-oauth-provider #225: the id that a code shows moves nobody to revoke", async () => {
  const { code, verifier } = await issueCode(bob, app)
  const held = (await exchange(house, app, code, verifier)).body as unknown as TokenResponse
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
      assertRefused(await exchange(house, who, text, verifier), 400, "invalid_grant")
  assertRefused(await exchange(house, other, code, verifier), 400, "invalid_grant")
  assert.equal(await stateOf(house, held.token_id), "active")
  assert.equal((await refresh(house, app, held.refresh_token)).status, 200)
})
