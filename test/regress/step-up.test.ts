/** Tests known flaws of other servers in second factors and step-up. README.md, "Device, consent, step-up". */
import { beforeEach, test } from "node:test"
import assert from "node:assert/strict"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { addTotp } from "../../src/accounts/factors/totp.ts"
import type { Browser } from "../support/browser.ts"
import { hiddenFields } from "../support/browser.ts"
import { authorizePath, newVerifier, send } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { PASSWORD, OPERATOR } from "../support/test-server.ts"
import { assertRefused } from "../support/answers.ts"
import { openCode, poll, type Started, started, startDevice } from "../oauth/device/device.ts"
import {
  accountWithTotp,
  codeAt,
  halfSignedIn,
  isRightCode,
  isSignedIn,
} from "../accounts/factors/factors.ts"
import { grant } from "../support/grant.ts"
import { call } from "../support/signed-in.ts"
import { credentialRow, everything } from "../support/stored.ts"

const CONSENT = "/oauth/consent"

const { testServer, bob, app } = await fixture({
  rateLimit: "off",
  accounts: ["bob"],
  browsers: ["bob"],
  apps: { app: { permissions: ["account:read", "credentials:write"], stepUp: true } },
})
const added = await addTotp(testServer.latchkey, "bob", OPERATOR)
assert.ok(added.ok)
const secret = added.value.secret
const carlSecret = await accountWithTotp(testServer, "carl")
beforeEach(() => testServer.clock.advance(600))

async function opened({ access_token }: TokenResponse): Promise<Started> {
  const answer = await send(testServer, "/oauth/step-up", {}, { authorization: `Bearer ${access_token}` })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return started(answer.body)
}

/**
 * Checks that the credential is not elevated, that its step-up is still pending, and that operations that need
 * elevation are refused.
 */
async function assertNotElevated(held: TokenResponse, ceremony: Started): Promise<void> {
  assert.equal((await credentialRow(testServer, held.token_id))["elevated_until"], null)
  testServer.clock.advance(6)
  assertRefused(await poll(testServer, app, ceremony), 400, "authorization_pending")
  const response = await fetch(`${testServer.url}/api/credentials/${"0".repeat(26)}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${held.access_token}` },
  })
  assert.equal(response.headers.get("service-elevation-required"), "1")
  assert.equal((await call(testServer, "/api/credential", held.access_token)).body["elevated_until"], null)
}

test("GHSA-hp74-gm6m-2qm5: a proof weaker than the account's factor is refused, and signing in is not a proof", async () => {
  const held = await grant(testServer, bob, app)
  const ceremony = await opened(held)
  const page = await openCode(bob, ceremony.userCode)
  const weaker: Record<string, string>[] = [
    { password: PASSWORD },
    { password: PASSWORD, code: "" },
    { password: PASSWORD, method: "password", factor: "password" },
    { code: PASSWORD },
    { code: codeAt(testServer, carlSecret) },
    { code: codeAt(testServer, secret, -10) },
    { response: "{}", challenge: "x" },
    { elevated: "true" },
  ]
  for (const proof of weaker) {
    // A code that is valid by chance now is wrong a minute later.
    while (isRightCode(testServer, secret, proof["code"] ?? "")) testServer.clock.advance(60)
    await bob.submit(page, CONSENT, { decision: "authorize", ...proof })
    await assertNotElevated(held, ceremony)
    testServer.clock.advance(60)
  }
  const fresh = await signedInHow()
  await openCode(fresh, ceremony.userCode)
  assert.equal((await credentialRow(testServer, held.token_id))["elevated_until"], null)
})

/** Returns a browser in which Bob has just sent his password and a code. */
async function signedInHow(): Promise<Browser> {
  testServer.clock.advance(60)
  const { browser, page } = await halfSignedIn(testServer, "bob")
  await browser.submit(page, "/sign-in/code", { code: codeAt(testServer, secret) })
  assert.equal(await isSignedIn(browser), true)
  return browser
}

test("GHSA-hp74-gm6m-2qm5: the proof of one ceremony, or of signing in, is not one of another", async () => {
  const [held, other] = [await grant(testServer, bob, app), await grant(testServer, bob, app)]
  const [first, second] = [await opened(held), await opened(other)]
  const code = codeAt(testServer, secret)
  const page = await openCode(bob, first.userCode)
  await bob.submit(page, CONSENT, { decision: "authorize", code })
  assert.deepEqual((await poll(testServer, app, first)).body, { elevated: true })
  const next = await openCode(bob, second.userCode)
  await bob.submit(next, CONSENT, { decision: "authorize", code })
  // The form of the first step-up is sent again for the second.
  await bob.post(CONSENT, {
    ...hiddenFields(page.text, CONSENT),
    decision: "authorize",
    code,
    user_code: second.userCode,
  })
  await assertNotElevated(other, second)
})

test("CVE-2026-54730, CVE-2026-49443: an empty form proves nothing and decides nothing in favour", async () => {
  const held = await grant(testServer, bob, app)
  const ceremony = await opened(held)
  const page = await openCode(bob, ceremony.userCode)
  const { ticket = "", csrf = "" } = hiddenFields(page.text, CONSENT)
  for (const fields of [
    { decision: "authorize" },
    { decision: "authorize", code: "" },
    { decision: "authorize", code: " " },
    { decision: "authorize", code: ["", ""] },
    { decision: "authorize", code: ["000000", codeAt(testServer, secret)] },
    { decision: "authorize", response: "" },
    { decision: "authorize", password: "" },
  ]) {
    const answer = await bob.post(CONSENT, { ticket, csrf, ...fields })
    assert.notEqual(answer.status, 303)
    await assertNotElevated(held, ceremony)
    testServer.clock.advance(60)
  }
  for (const fields of [{}, { ticket }, { csrf }, { decision: "authorize" }, { csrf, decision: "authorize" }])
    assert.equal((await bob.post(CONSENT, fields)).status, 403)
  await assertNotElevated(held, ceremony)
})

test("CVE-2026-54730, CVE-2026-49443: the second step of signing in is not passed by an empty or a skipped form", async () => {
  const { browser, page } = await halfSignedIn(testServer, "carl")
  const attempts: Record<string, string>[] = [
    {},
    { code: "" },
    { code: " " },
    { skip: "1" },
    { response: "" },
  ]
  for (const fields of attempts) {
    const answer = await browser.submit(page, "/sign-in/code", fields)
    assert.deepEqual([answer.status, answer.location], [403, null])
    testServer.clock.advance(60)
  }
  await browser.submit(page, "/sign-in/passkey", { response: "" })
  for (const path of ["/sign-in/code", "/account", "/account/security"]) await browser.get(path)
  assert.equal(await isSignedIn(browser), false)
  assert.equal(browser.cookie("latchkey_session"), undefined)
})

test("better-auth #9198: between password and second factor there is no consent and no code", async () => {
  const path = authorizePath(app, newVerifier().challenge)
  const device = await startDevice(testServer, app)
  const { browser, page } = await halfSignedIn(testServer, "carl")
  const held = (await everything(testServer))["credential"]
  for (const where of [path, `/oauth/device?user_code=${device.userCode}`]) {
    const asked = await browser.get(where)
    assert.match(asked.text, /name="password"/)
    assert.doesNotMatch(asked.text, /name="decision"/)
  }
  // The ticket of the second step is sent as the ticket of the consent form, and the other way round.
  const { ticket = "", csrf = "" } = hiddenFields(page.text, "/sign-in/code")
  for (const fields of [
    { ticket, csrf },
    { ticket, csrf, code: codeAt(testServer, carlSecret) },
  ]) {
    const answer = await browser.post(CONSENT, { ...fields, decision: "authorize" })
    assert.deepEqual([answer.status, answer.location], [403, null])
  }
  const consent = hiddenFields((await bob.get(path)).text, CONSENT)
  const swapped = await browser.post("/sign-in/code", {
    csrf,
    ticket: consent["ticket"] ?? "",
    code: codeAt(testServer, carlSecret),
  })
  assert.equal(swapped.status, 403)
  assert.equal(await isSignedIn(browser), false)
  assert.deepEqual((await everything(testServer))["credential"], held)
})
