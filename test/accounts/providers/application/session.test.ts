/** A session that an application vouches for: its minutes, its renewal, and its end. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { addTotp } from "../../../../src/accounts/factors/totp.ts"
import type { AppOptions } from "../../../support/test-server.ts"
import { type Browser, hiddenFields } from "../../../support/browser.ts"
import {
  type AppIdentity,
  authorizePath,
  codeFor,
  exchange,
  newVerifier,
  refresh,
} from "../../../support/connect.ts"
import { leadsTo } from "../../../support/oidc.ts"
import { ProductVisits } from "../../../support/product-visits.ts"
import { OPERATOR } from "../../../support/test-server.ts"
import { answerDevice, fetched, openCode, poll, startDevice } from "../../../oauth/device/device.ts"
import { codeAt } from "../../factors/factors.ts"

const MINUTES = 600
const BYE = "https://app.example/bye"

const visits = await ProductVisits.open({ settings: { "openid.enabled": "on" }, rateLimit: "off" })
const { server, clock } = visits
// A request reads the setting.
await fetch(`${server.url}/oauth/jwks`)
const APP: AppOptions = { endsWithSession: true, permissions: ["openid", "account:read"] }
const app = await server.addApp({ ...APP, postLogoutRedirectUris: [BYE] })

const ada = { sub: "u-1", username: "ada" }
const bob = { sub: "u-2", username: "bob" }

const isIn = async (browser: Browser) => (await browser.get("/account")).status === 200
const sessions = async () => await server.database.rows("SELECT * FROM session ORDER BY created_at")
const kinds = async (kind: string) =>
  (await server.database.rows("SELECT kind FROM event WHERE kind = ?", kind)).length
const cookieOf = (browser: Browser) => browser.cookie("latchkey_session")

async function tokensOf(browser: Browser, of: AppIdentity = app) {
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(browser, of, challenge, { scope: "openid account:read" })
  const { body } = await exchange(server, of, code, verifier)
  return body as { readonly id_token: string; readonly refresh_token: string }
}
const isAlive = async ({ refresh_token: token }: { readonly refresh_token: string }) =>
  (await refresh(server, app, token)).status === 200

async function arrived(claims = ada) {
  clock.advance(3600)
  await server.database.rows("DELETE FROM session")
  const { browser, page } = await visits.arrive(claims)
  assert.equal(page.status, 303, page.text.slice(0, 300))
  return browser
}
/** Goes to the product and comes back, in the same browser. */
async function again(browser: Browser, claims: object = ada, path = "/sign-in") {
  const { page } = await visits.arrive({ ...claims }, browser, path)
  return page
}

test("LOGIN-10 a session authorizes for its minutes, and what ends with it lives on until it is over", async () => {
  const browser = await arrived()
  const tokens = await tokensOf(browser)
  clock.advance(MINUTES)
  assert.ok(await isIn(browser))
  clock.advance(1)
  assert.equal(await isIn(browser), false)
  for (const path of ["/account/security", authorizePath(app, newVerifier().challenge), "/oauth/device"])
    assert.match((await browser.get(path)).text, /action="\/sign-in\/with\/shop"/, path)
  const silent = authorizePath(app, newVerifier().challenge, { scope: "openid account:read", prompt: "none" })
  assert.match((await browser.get(silent)).location ?? "", /error=login_required/)
  assert.equal((await sessions()).length, 1)
  assert.ok(await isAlive(tokens))
})

test("LOGIN-11 an assertion for the same subject renews the same session, without another sign-in", async () => {
  const browser = await arrived()
  const tokens = await tokensOf(browser)
  const [before] = await sessions()
  const [cookie, signedIn] = [cookieOf(browser), await kinds("signed-in")]
  for (let times = 0; times < 3; times += 1) {
    clock.advance(MINUTES + 1)
    assert.equal((await again(browser)).location, "/account")
    assert.ok(await isIn(browser))
  }
  const [after, ...others] = await sessions()
  assert.deepEqual(others, [])
  assert.deepEqual({ ...after, vouched_at: 0, seen_at: 0 }, { ...before, vouched_at: 0, seen_at: 0 })
  assert.equal(after?.["vouched_at"], clock.now())
  assert.equal(cookieOf(browser), cookie)
  assert.equal(await kinds("signed-in"), signedIn)
  assert.ok(await isAlive(tokens))
  // The `sid` of the id_token is still that of the session, which ends without a question.
  clock.advance(MINUTES + 1)
  const query = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE })
  assert.equal((await browser.get(`/oauth/end-session?${query.toString()}`)).location, BYE)
  assert.deepEqual([await sessions(), await isAlive(tokens)], [[], false])
})

test("LOGIN-11 another subject ends the session, and begins one of its own", async () => {
  const browser = await arrived()
  const tokens = await tokensOf(browser)
  const cookie = cookieOf(browser)
  clock.advance(MINUTES + 1)
  assert.equal((await again(browser, bob)).location, "/account")
  assert.notEqual(cookieOf(browser), cookie)
  assert.equal((await sessions()).length, 1)
  assert.match((await browser.get("/account")).text, /bob/)
  assert.equal(await isAlive(tokens), false)
})

test("LOGIN-11 two tabs that went to the product renew one session, the second within its minutes", async () => {
  const browser = await arrived()
  clock.advance(MINUTES + 1)
  const tabs = [await visits.begin(browser), await visits.begin(browser)]
  for (const tab of tabs) {
    assert.equal((await browser.get(await visits.answer(tab, ada))).location, "/account")
    assert.equal((await sessions()).length, 1)
    clock.advance(60)
  }
})

test("LOGIN-10 a sign-out ends a session that authorizes nothing, in its own browser and from another", async () => {
  const browser = await arrived()
  const page = await browser.get("/account/security/browsers")
  const tokens = await tokensOf(browser)
  clock.advance(MINUTES + 1)
  const foreign = await browser.post("/sign-out", { csrf: "x" })
  assert.deepEqual([foreign.status, (await sessions()).length], [403, 1])
  assert.match((await browser.submit(page, "/sign-out", {})).text, /You are signed out/)
  assert.deepEqual([await sessions(), await isAlive(tokens)], [[], false])

  const other = await arrived()
  const { browser: mine } = await visits.arrive(ada)
  await other.get("/account")
  clock.advance(MINUTES + 1)
  await again(mine)
  const list = await mine.get("/account/security/browsers")
  const [, reference = ""] = /name="reference" value="([^"]*)"/.exec(list.text) ?? []
  await mine.submit(list, "/account/security/browsers", { reference })
  assert.equal((await sessions()).length, 1)
})

test("LOGIN-10 an app without a hint asks before it signs such a session out", async () => {
  const browser = await arrived()
  clock.advance(MINUTES + 1)
  const page = await browser.get("/oauth/end-session")
  assert.match(page.text, /Sign out/)
  assert.equal((await sessions()).length, 1)
  await browser.submit(page, "/oauth/end-session?", {})
  assert.deepEqual(await sessions(), [])
})

test("LOGIN-10 a consent that is submitted after the minutes changes nothing, and starts again", async () => {
  visits.offer({ sessionSeconds: 60 })
  const browser = await arrived()
  const { challenge, verifier } = newVerifier()
  const path = authorizePath(app, challenge)
  const page = await browser.get(path)
  clock.advance(61)
  const late = await browser.submit(page, "/oauth/consent", { decision: "authorize" })
  assert.equal(late.status, 403)
  assert.match(late.text, /This page was open for a while.*Nothing was changed/)
  assert.doesNotMatch(late.text, /another tab/)
  assert.ok(late.text.includes("/oauth/authorize?"))
  assert.equal((await again(browser, ada, path)).location, path)
  // The page that was open is of the same session, so it works again.
  const done = await browser.submit(page, "/oauth/consent", { decision: "authorize" })
  const code = new URL(done.location ?? "").searchParams.get("code") ?? ""
  assert.equal((await exchange(server, app, code, verifier)).status, 200)
  visits.offer()
})

test("LOGIN-10 a device that is confirmed after the minutes starts again, and goes on after the product", async () => {
  visits.offer({ sessionSeconds: 60 })
  const browser = await arrived()
  const device = await startDevice(server, app)
  const page = await openCode(browser, device.userCode)
  clock.advance(61)
  const late = await browser.submit(page, "/oauth/consent", { decision: "authorize" })
  assert.match(late.text, /This page was open for a while/)
  assert.equal((await poll(server, app, device)).body["error"], "authorization_pending")
  const path = `/oauth/device?user_code=${device.userCode}`
  assert.equal((await again(browser, ada, path)).location, path)
  await answerDevice(browser, device, "authorize")
  clock.advance(10)
  assert.ok(await fetched(server, app, device))
  visits.offer()
})

test("LOGIN-11 a second step that was done is not asked for at a renewal, but in another browser", async () => {
  await arrived()
  const added = await addTotp(server.latchkey, "ada", OPERATOR)
  const secret = added.ok ? added.value.secret : assert.fail(added.error)
  const browser = visits.browser()
  const step = await again(browser)
  assert.match(step.text, /action="\/sign-in\/code"/)
  const done = await browser.submit(step, "/sign-in/code", { code: codeAt(server, secret) })
  assert.equal(done.location, "/account")
  clock.advance(MINUTES + 1)
  assert.equal(await isIn(browser), false)
  assert.equal((await again(browser)).location, "/account")
  assert.ok(await isIn(browser))
  assert.match((await again(visits.browser())).text, /action="\/sign-in\/code"/)
  clock.advance(MINUTES + 1)
  assert.equal((await again(browser, bob)).location, "/account")
  clock.advance(MINUTES + 1)
  assert.match((await again(browser)).text, /action="\/sign-in\/code"/)
})

test("LOGIN-11 a request for a new proof begins another session of the person, to which what ends with it passes on", async () => {
  const browser = await arrived(bob)
  const tokens = await tokensOf(browser)
  const cookie = cookieOf(browser)
  clock.advance(60)
  const path = authorizePath(app, newVerifier().challenge, { scope: "openid account:read", prompt: "login" })
  const asked = await visits.begin(browser, path)
  assert.equal(new URL(asked).searchParams.get("max_age"), "0")
  const back = await browser.get(await visits.answer(asked, { ...bob, auth_time: clock.now() }))
  assert.notEqual(cookieOf(browser), cookie)
  assert.match((await browser.get(back.location ?? "")).text, /action="\/oauth\/consent"/)
  assert.deepEqual([(await sessions()).length, await isAlive(tokens)], [1, true])
  // A product that proves nothing new is not asked again and again.
  const unproven = await visits.begin(browser, path)
  const once = await browser.get(await visits.answer(unproven, bob))
  assert.match((await browser.get(once.location ?? "")).location ?? "", /error=login_required/)
})

test("LOGIN-11 a confirmation that took longer than the minutes renews the session, and of another subject does not", async () => {
  visits.offer({ sessionSeconds: 60 })
  const browser = await arrived(bob)
  const { csrf = "" } = hiddenFields((await browser.get("/account/security")).text, "/sign-out")
  const leave = () => browser.post("/account/prove/with", { csrf, provider: "shop" })
  const [first, second] = [leadsTo(await leave()), leadsTo(await leave())]
  clock.advance(61)
  assert.equal(await isIn(browser), false)
  const foreign = await browser.get(await visits.answer(first, { ...ada, auth_time: clock.now() }))
  assert.deepEqual([foreign.status, await isIn(browser)], [403, false])
  const done = await browser.get(await visits.answer(second, { ...bob, auth_time: clock.now() }))
  assert.deepEqual([done.status, done.location], [303, "/account/security"])
  assert.ok(await isIn(browser))
  visits.offer()
})

test("LOGIN-10 the minutes are those of the configuration now, and no session outlives its application", async () => {
  const browser = await arrived(bob)
  clock.advance(MINUTES + 1)
  visits.offer({ sessionSeconds: 3600 })
  assert.ok(await isIn(browser))
  visits.offer({ sessionSeconds: 60 })
  assert.equal(await isIn(browser), false)
  visits.offer({ sessionSeconds: 3600 })
  visits.providers.delete("shop")
  assert.equal(await isIn(browser), false)
  visits.offer({ sessionSeconds: 3600 })
  assert.ok(await isIn(browser))
  visits.offer()
})

test("LOGIN-12 with an only application a proof leads to it at once, and a live session is not signed in twice", async () => {
  visits.offer({ only: true })
  const browser = visits.browser()
  const visit = async (path: string): ReturnType<Browser["get"]> => {
    const page = await browser.get(path)
    return page.location?.startsWith("/") === true ? visit(page.location) : page
  }
  const path = authorizePath(app, newVerifier().challenge, { scope: "openid account:read" })
  assert.equal((await browser.get(await visits.answer(leadsTo(await visit(path)), bob))).location, path)
  assert.match((await browser.get(path)).text, /action="\/oauth\/consent"/)
  assert.equal((await browser.get("/sign-in")).location, "/account")
  const asked = new URL(leadsTo(await visit(`${path}&prompt=login`)))
  assert.equal(asked.searchParams.get("max_age"), "0")
  const back = await browser.get(await visits.answer(asked.href, { ...bob, auth_time: clock.now() }))
  assert.match((await browser.get(back.location ?? "")).text, /action="\/oauth\/consent"/)
  clock.advance(MINUTES + 1)
  // Signed out at the product: what the browser brings back is no assertion, and nothing goes on.
  const away = leadsTo(await visit(path))
  const refused = await browser.get("/sign-in/with/shop/callback")
  assert.ok(refused.status >= 400 && refused.text.includes('action="/sign-in/with/shop"'))
  assert.equal((await browser.get("/account")).location, "/sign-in")
  assert.equal((await browser.get(await visits.answer(away, bob))).location, path)
  visits.offer()
})
