/** Step-up by a new sign-in at a provider, with a provider that says what the test wants. */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Browser } from "../../support/browser.ts"
import { send } from "../../support/connect.ts"
import { grant } from "../../support/grant.ts"
import { leadsTo } from "../../support/oidc.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { call } from "../../support/signed-in.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { headingOf, openCode, poll, type Started, started } from "../device/device.ts"

const visits = await ProviderVisits.open({ rateLimit: "off", admins: ["chief"] })
const { server, clock, upstream } = visits
const app = await server.addApp({ permissions: ["account:read"], stepUp: true })

type Page = Awaited<ReturnType<Browser["get"]>>
type Held = Awaited<ReturnType<typeof grant>>

/** A person without a password and without a second factor, and a credential of theirs. */
async function newcomer() {
  visits.offer({ createAccounts: { domains: [], claim: null } })
  const sub = visits.newName()
  const { browser } = await visits.arrive({ sub, preferred_username: sub, auth_time: clock.now() })
  return { sub, browser, held: await grant(server, browser, app) }
}

async function opened(held: Held): Promise<Started> {
  const answer = await send(server, "/oauth/step-up", {}, { authorization: `Bearer ${held.access_token}` })
  assert.equal(answer.status, 200)
  return started(answer.body)
}

const leave = (browser: Browser, page: Page) =>
  browser.submit(page, "/oauth/consent", { decision: "authorize", provider: "corp" })

async function elevatedUntil({ access_token }: Held): Promise<unknown> {
  return (await call(server, "/api/credential", access_token)).body["elevated_until"]
}

/** Opens a step-up, goes to the provider and comes back with these claims. */
async function stepUp({ sub, browser, held }: Awaited<ReturnType<typeof newcomer>>, claims: object = {}) {
  const ceremony = await opened(held)
  const between = await leave(browser, await openCode(browser, ceremony.userCode))
  return { ceremony, between, page: await visits.comeBack(browser, between, { sub, ...claims }) }
}

test("LOGIN-15 an account without a factor here is elevated by signing in at its provider again", async (t) => {
  visits.restoreAfter(t)
  const person = await newcomer()
  clock.advance(1800)
  const ceremony = await opened(person.held)
  const page = await openCode(person.browser, ceremony.userCode)
  assert.match(page.text, /Continue with <bdi>Work<\/bdi>/)
  assert.doesNotMatch(page.text, /name="password"|has no password/)
  assert.doesNotMatch(page.headers.get("content-security-policy") ?? "", /form-action/)
  const between = await leave(person.browser, page)
  const sent = new URL(leadsTo(between)).searchParams
  assert.deepEqual([sent.get("prompt"), sent.get("max_age")], ["login", "0"])
  assert.doesNotMatch(between.headers.get("content-security-policy") ?? "", /form-action/)
  clock.advance(30)
  const claims = { sub: person.sub, auth_time: clock.now() }
  const done = await visits.comeBack(person.browser, between, claims)
  assert.deepEqual([done.status, headingOf(done)], [200, "Confirmed"])
  assert.equal(await elevatedUntil(person.held), clock.now() + 900)
  assert.deepEqual((await poll(server, app, ceremony)).body, { elevated: true })
  const [event] = await server.store.events({ kinds: ["elevated"] }, { limit: 1 })
  assert.equal(event?.detail, "through corp")
  const again = await openCode(person.browser, ceremony.userCode)
  assert.equal(again.status, 400)
})

test("LOGIN-15 the person may refuse there, and may cancel at the provider and start again", async (t) => {
  visits.restoreAfter(t)
  const person = await newcomer()
  const ceremony = await opened(person.held)
  const between = await leave(person.browser, await openCode(person.browser, ceremony.userCode))
  const state = new URL(leadsTo(between)).searchParams.get("state") ?? ""
  const canceled = await person.browser.get(
    `/sign-in/with/corp/callback?${new URLSearchParams({ error: "access_denied", state }).toString()}`,
  )
  assert.equal(canceled.status, 403)
  assert.match(canceled.text, new RegExp(`href="/oauth/device\\?user_code=${ceremony.userCode}"`))
  const page = await openCode(person.browser, ceremony.userCode)
  const refused = await person.browser.submit(page, "/oauth/consent", { decision: "refuse" })
  assert.match(headingOf(refused), /No access|Refused|refused/i)
  assert.equal((await poll(server, app, ceremony)).body["error"], "access_denied")
})

test("LOGIN-16 what comes back must be of the connected account, and say that the sign-in is new", async (t) => {
  visits.restoreAfter(t)
  const person = await newcomer()
  clock.advance(1800)
  const old = clock.now() - 61
  for (const [claims, words] of [
    [{}, /does not say when you signed in/],
    [{ auth_time: String(clock.now()) }, /could not be verified/],
    [{ auth_time: old }, /does not confirm that you have just signed in/],
    [{ auth_time: clock.now() + 61 }, /does not confirm that you have just signed in/],
    [{ auth_time: clock.now(), sub: "another" }, /not connected to your account/],
  ] as const) {
    const { page, ceremony } = await stepUp(person, claims)
    assert.ok(page.status === 403 || page.status === 502, `${page.status}`)
    assert.equal(headingOf(page), "Not confirmed")
    assert.match(page.text, words)
    assert.match(page.text, new RegExp(`href="/oauth/device\\?user_code=${ceremony.userCode}"`))
    assert.equal((await poll(server, app, ceremony)).body["error"], "authorization_pending")
  }
  assert.equal(await elevatedUntil(person.held), null)
  const [refused] = await server.store.events({ kinds: ["factor-refused"] }, { limit: 1, newestFirst: true })
  assert.equal(refused?.detail, "corp: not the connected account")
  const within = await stepUp(person, { auth_time: clock.now() - 60 })
  assert.equal(headingOf(within.page), "Confirmed")
})

test("LOGIN-17 it works once, in the browser and the session that began, for its step-up alone", async (t) => {
  visits.restoreAfter(t)
  const ada = await newcomer()
  const bob = await newcomer()
  const ceremony = await opened(ada.held)
  const other = await opened(ada.held)
  const between = await leave(ada.browser, await openCode(ada.browser, ceremony.userCode))
  upstream.idToken = { sub: ada.sub, auth_time: clock.now() }
  const back = `/sign-in/with/corp/callback?${upstream.visit(leadsTo(between))}`
  assert.equal((await bob.browser.get(back)).status, 403, "another browser")
  const cookies = ada.browser.cookies()
  assert.equal((await ada.browser.get(back)).status, 200)
  const replay = await fetch(server.url + back, { headers: { cookie: cookies }, redirect: "manual" })
  assert.equal(replay.status, 403)
  assert.match(await replay.text(), /used before/)
  assert.equal((await poll(server, app, other)).body["error"], "authorization_pending")

  clock.advance(6)
  const late = await leave(ada.browser, await openCode(ada.browser, other.userCode))
  const security = await ada.browser.get("/account/security")
  await ada.browser.submit(security, "/sign-out", {})
  await visits.arrive({ sub: bob.sub, auth_time: clock.now() }, ada.browser)
  const ofBob = await visits.comeBack(ada.browser, late, { sub: ada.sub, auth_time: clock.now() })
  assert.equal(ofBob.status, 403)
  assert.match(ofBob.text, /Start again/)
  assert.equal((await poll(server, app, other)).body["error"], "authorization_pending")
})

test("LOGIN-17 a step-up that ended while the person was at the provider is not confirmed", async (t) => {
  visits.restoreAfter(t)
  const person = await newcomer()
  const ceremony = await opened(person.held)
  const page = await openCode(person.browser, ceremony.userCode)
  const between = await leave(person.browser, page)
  await person.browser.submit(page, "/oauth/consent", { decision: "refuse" })
  const late = await visits.comeBack(person.browser, between, { sub: person.sub, auth_time: clock.now() })
  assert.equal(late.status, 409)
  assert.equal(await elevatedUntil(person.held), null)
  assert.equal((await leave(person.browser, page)).status, 409)
})

test("LOGIN-18 an account with a second factor is elevated only by a provider that proves one", async (t) => {
  visits.restoreAfter(t)
  const person = await newcomer()
  assert.ok((await addTotp(server.latchkey, person.sub, OPERATOR)).ok)
  const { userCode } = await opened(person.held)
  const page = await openCode(person.browser, userCode)
  assert.doesNotMatch(page.text, /Continue with/)
  const forced = await leave(person.browser, page)
  assert.equal(forced.status, 400)
  visits.offer({ secondFactor: { acr: [], amr: ["mfa"] } })
  const weak = await stepUp(person, { auth_time: clock.now(), amr: ["pwd"] })
  assert.match(weak.page.text, /did not confirm one/)
  assert.equal(await elevatedUntil(person.held), null)
  const strong = await stepUp(person, { auth_time: clock.now(), amr: ["pwd", "mfa"] })
  assert.equal(headingOf(strong.page), "Confirmed")
})

test("LOGIN-18 “Confirm that it’s you” takes a second factor of the provider too, and nothing less", async (t) => {
  visits.restoreAfter(t)
  const { sub, browser } = await newcomer()
  assert.ok((await addTotp(server.latchkey, sub, OPERATOR)).ok)
  visits.offer({ secondFactor: { acr: [], amr: ["mfa"] } })
  clock.advance(600)
  const again = async (amr: readonly string[]) => {
    const asked = await browser.get("/account/security/password")
    const between = await browser.submit(asked, "/account/prove/with", { provider: "corp" })
    return visits.comeBack(browser, between, { sub, auth_time: clock.now(), amr })
  }
  assert.match((await again(["pwd"])).text, /did not confirm one/)
  assert.equal((await again(["mfa"])).location, "/account/security/password")
  assert.match((await browser.get("/account/security/password")).text, /name="password"/)
})

test("LOGIN-15 GitHub, which never says when it asked, and a provider without a connection are not offered", async (t) => {
  visits.restoreAfter(t)
  const person = await newcomer()
  visits.offer({ preset: "github" })
  visits.offer({ issuer: "https://elsewhere.example" }, "other")
  const page = await openCode(person.browser, (await opened(person.held)).userCode)
  assert.match(page.text, /has no password/)
  assert.doesNotMatch(page.text, /Continue with/)
})
