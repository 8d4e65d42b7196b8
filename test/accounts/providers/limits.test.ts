/** What an address may begin and bring back, and what it gets back: RATE-2, UP-5. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { PROVIDER_TRIES } from "../../../src/kernel/account-limits.ts"
import { Browser } from "../../support/browser.ts"
import { leadsTo } from "../../support/oidc.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { accountWithTotp } from "../factors/factors.ts"

const MORE = PROVIDER_TRIES.one.requests + 1
const createAccounts = { domains: [], claim: null }
const visits = await ProviderVisits.open({ admins: ["chief"] })

/** The number of sign-ins that the address may still begin. */
async function startsLeft(): Promise<number> {
  for (let count = 0; ; count += 1) if ((await visits.begin()).status === 429) return count
}

test("UP-5 an office of many people behind one address signs in: what succeeds is given back", async (t) => {
  visits.restoreAfter(t)
  await visits.server.addAccount("ada")
  await visits.link("ada", "ada")
  for (let count = 0; count < MORE; count += 1)
    assert.equal((await visits.arrive({ sub: "ada" })).page.status, 303, `sign-in ${count}`)
  assert.equal(await startsLeft(), PROVIDER_TRIES.one.requests)
})

test("UP-5 so is a sign-in that goes on to the second step, and one that creates an account", async (t) => {
  visits.restoreAfter(t)
  await accountWithTotp(visits.server, "totp")
  await visits.link("totp", "totp", visits.offer({ createAccounts }))
  assert.match((await visits.arrive({ sub: "totp" })).page.text, /One more step/)
  assert.equal((await visits.arrive({ sub: "n1", preferred_username: "newcomer" })).page.status, 303)
  const { browser, page } = await visits.arrive({ sub: "n2", preferred_username: "newcomer" })
  const named = await browser.submit(page, "/sign-in/with/corp/username", { username: "newcomer2" })
  assert.equal(named.status, 303)
  assert.equal(await startsLeft(), PROVIDER_TRIES.one.requests)
})

test("UP-5 so are connecting and confirming", async (t) => {
  visits.restoreAfter(t)
  const { browser } = await visits.person()
  const security = await browser.get("/account/security")
  const claims = { sub: "again", auth_time: visits.clock.now() + 301 }
  for (let count = 0; count < MORE; count += 1) {
    const between = await browser.submit(security, "/account/security/connect", { provider: "corp" })
    assert.equal((await visits.comeBack(browser, between, claims)).status, 303, `connection ${count}`)
  }
  visits.clock.advance(301)
  const asked = await browser.get("/account/security/password")
  for (let count = 0; count < MORE; count += 1) {
    const between = await browser.submit(asked, "/account/prove/with", { provider: "corp" })
    assert.equal((await visits.comeBack(browser, between, claims)).status, 303, `proof ${count}`)
  }
  assert.equal(await startsLeft(), PROVIDER_TRIES.one.requests)
})

test("UP-5 what fails is not given back", async (t) => {
  visits.restoreAfter(t)
  for (let count = 0; count < PROVIDER_TRIES.one.requests; count += 1)
    assert.equal((await visits.arrive({ sub: "a stranger" })).page.status, 403)
  assert.equal(await startsLeft(), 0)
})

test("UP-5 an answer of 503 is no try of the person, at whichever request the provider fails", async (t) => {
  visits.restoreAfter(t)
  visits.offer({ createAccounts })
  for (const path of ["/token", "/jwks", "/me"]) {
    // Kept keys serve for a week.
    visits.clock.advance(8 * 86_400)
    visits.upstream.answer = (asked, response) => {
      if (asked !== path) return false
      response.writeHead(503).end()
      return true
    }
    assert.equal((await visits.arrive({ sub: "unanswered" })).page.status, 503, path)
    const counter = { key: "provider address:return 127.0.0.1", limit: PROVIDER_TRIES.one }
    const spent = await visits.server.latchkey.guesses.spendAll([counter])
    assert.ok(spent.admitted)
    assert.deepEqual(spent.counts, [1], path)
    await spent.giveBack()
  }
})

test("UP-5, UP-3 a callback that is sent again gives nothing back", async (t) => {
  visits.restoreAfter(t)
  await visits.server.addAccount("bob")
  await visits.link("bob", "bob")
  const browser = new Browser(visits.server.url)
  const between = await visits.begin(browser)
  visits.upstream.idToken = { sub: "bob" }
  const path = `/sign-in/with/corp/callback?${visits.upstream.visit(leadsTo(between))}`
  const cookie = browser.cookies()
  assert.equal((await browser.get(path)).status, 303)
  const replay = new Browser(visits.server.url, { cookie })
  for (let count = 0; count < PROVIDER_TRIES.one.requests; count += 1)
    assert.equal((await replay.get(path)).status, 403, `replay ${count}`)
  const waiting = await replay.get(path)
  assert.equal(waiting.status, 429, "each of them counts")
  assert.notEqual(waiting.headers.get("retry-after"), null)
  assert.equal(await startsLeft(), PROVIDER_TRIES.one.requests, "no more than what was counted")
})

test("UP-5 strangers behind its address do not keep out a browser that signed in before", async (t) => {
  visits.restoreAfter(t)
  await visits.server.addAccount("eve")
  await visits.link("eve", "eve")
  const { browser } = await visits.arrive({ sub: "eve" })
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  for (let count = 0; count < PROVIDER_TRIES.one.requests; count += 1)
    assert.equal((await visits.arrive({ sub: "a stranger" })).page.status, 403)
  assert.equal((await visits.begin()).status, 429)
  assert.equal((await visits.arrive({ sub: "eve" }, browser)).page.status, 303)
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  for (let count = 0; count < PROVIDER_TRIES.one.requests; count += 1)
    assert.equal((await visits.begin(browser)).status, 200)
  assert.equal((await visits.begin(browser)).status, 429, "a known browser has a limit of its own")
})

test("UP-5 a wide network does not use up the requests to a provider", async (t) => {
  const { server } = await ProviderVisits.open({ span: t, trustedProxies: ["127.0.0.0/8"] })
  const from = (number: number) =>
    new Browser(server.url, { "x-forwarded-for": `2001:db8:1:${number.toString(16)}::1` })
  const { requests } = PROVIDER_TRIES.network
  for (let count = 0; count < requests; count += 1)
    assert.equal((await visits.begin(from(count))).status, 200)
  assert.equal((await visits.begin(from(requests))).status, 429)
  assert.equal(
    (await visits.begin(new Browser(server.url, { "x-forwarded-for": "2001:db8:2::1" }))).status,
    200,
  )
})

test("UP-3 a confirmation works once", async (t) => {
  visits.restoreAfter(t)
  const { browser } = await visits.person()
  await visits.connect(browser, { sub: "once" })
  visits.clock.advance(301)
  const page = await browser.get("/account/security/password")
  const between = await browser.submit(page, "/account/prove/with", { provider: "corp" })
  const cookie = browser.cookies()
  assert.equal(
    (await visits.comeBack(browser, between, { sub: "once", auth_time: visits.clock.now() })).status,
    303,
  )
  visits.clock.advance(301)
  const replay = new Browser(visits.server.url, { cookie })
  const late = await visits.comeBack(replay, between, { sub: "once", auth_time: visits.clock.now() })
  assert.equal(late.status, 403)
  assert.match((await browser.get("/account/security/password")).text, /Confirm that it’s you/)
})
