/** Step-up by going back to an application that has a sign-in of its own. */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { Browser } from "../../support/browser.ts"
import { send } from "../../support/connect.ts"
import { grant } from "../../support/grant.ts"
import { leadsTo } from "../../support/oidc.ts"
import type { AssertionClaims } from "../../support/product.ts"
import { ProductVisits } from "../../support/product-visits.ts"
import { recordLog } from "../../support/record-log.ts"
import { call } from "../../support/signed-in.ts"
import { headingOf, openCode, poll, started } from "../device/device.ts"

const { log, lines } = recordLog()
const visits = await ProductVisits.open({ rateLimit: "off", log })
const { server, clock, product } = visits
const app = await server.addApp({ permissions: ["account:read"], stepUp: true })

async function personOf(sub: string, from = visits.browser()) {
  const { browser } = await visits.arrive({ sub, username: sub }, from)
  return { sub, browser, held: await grant(server, browser, app) }
}

type Person = Awaited<ReturnType<typeof personOf>>

/** Opens a step-up and goes to the product. Returns the URL at the product. */
async function leave({ browser, held }: Person) {
  const asked = await send(server, "/oauth/step-up", {}, { authorization: `Bearer ${held.access_token}` })
  const ceremony = started(asked.body)
  const page = await openCode(browser, ceremony.userCode)
  assert.match(page.text, /Continue with <bdi>The shop<\/bdi>/)
  const chosen = { decision: "authorize", provider: "shop" }
  return { ceremony, url: leadsTo(await browser.submit(page, "/oauth/consent", chosen)) }
}

const back = async (browser: Browser, url: string, claims: AssertionClaims) =>
  browser.get(await visits.answer(url, claims))

async function elevatedUntil({ held }: Person): Promise<unknown> {
  return (await call(server, "/api/credential", held.access_token)).body["elevated_until"]
}

test("LOGIN-24 the application is asked with max_age=0, and its auth_time elevates", async () => {
  const person = await personOf("ada")
  clock.advance(300)
  const { ceremony, url } = await leave(person)
  assert.equal(new URL(url).searchParams.get("max_age"), "0")
  const done = await back(person.browser, url, { sub: "ada", auth_time: clock.now(), amr: ["pwd"] })
  assert.equal(headingOf(done), "Confirmed", done.text)
  assert.equal(await elevatedUntil(person), clock.now() + 900)
  assert.deepEqual((await poll(server, app, ceremony)).body, { elevated: true })
})

test("LOGIN-24 a sign-in without auth_time opens no account page, so no new password elevates", async () => {
  const { browser } = await visits.arrive({ sub: "hal", username: "hal" })
  const isOpen = async (of = browser) =>
    /name="password"/.test((await of.get("/account/security/password")).text)
  assert.equal(await isOpen(), false, "the first arrival")
  assert.equal(await isOpen((await visits.arrive({ sub: "hal" })).browser), false, "in again")
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  const before = { sub: "hal", auth_time: clock.now() - 61 }
  assert.equal((await visits.arrive(before, browser)).page.status, 403, "LOGIN-12")
  await visits.arrive({ sub: "hal" }, browser)
  assert.equal(await isOpen(), false, "out and in again")
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  await visits.arrive({ sub: "hal", auth_time: clock.now() }, browser)
  assert.equal(await isOpen(), true)
})

test("LOGIN-12 a sign-out ends what other tabs have under way at the application", async () => {
  const browser = visits.browser()
  const began = await visits.begin(browser)
  const person = await personOf("ivy", browser)
  const claims = { sub: "ivy", auth_time: clock.now() }
  const proof = await leave(person)
  const signOut = async () => browser.submit(await browser.get("/account"), "/sign-out", {})
  await signOut()
  for (const url of [began, proof.url]) assert.equal((await back(browser, url, claims)).status, 403)
  assert.equal((await browser.get("/account")).location, "/sign-in")
  assert.equal(await elevatedUntil(person), null)
  // A sign-in that begins after it goes on, and a later one does not bring the earlier ones back.
  const fresh = { sub: "ivy", auth_time: clock.now() }
  assert.equal((await visits.arrive(fresh, browser)).page.location, "/account")
  await signOut()
  await visits.arrive({ sub: "jan", username: "jan", auth_time: clock.now() }, browser)
  assert.equal((await back(browser, began, fresh)).status, 403)
  assert.match((await browser.get("/account")).text, /jan/)
})

test("LOGIN-24 an assertion without auth_time, an older one and one of another person elevate nothing", async () => {
  const person = await personOf("bob")
  await personOf("cyd")
  clock.advance(300)
  for (const [claims, words] of [
    [{ sub: "bob" }, /does not say when you signed in/],
    [{ sub: "bob", auth_time: clock.now() - 61 }, /does not confirm that you have just signed in/],
    [{ sub: "cyd", auth_time: clock.now() }, /not connected to your account/],
    [{ sub: "unknown", auth_time: clock.now() }, /not connected to your account/],
  ] as const) {
    const { url } = await leave(person)
    const page = await back(person.browser, url, claims)
    assert.equal(page.status, 403)
    assert.match(page.text, words)
    assert.match(page.text, /Start again/)
  }
  assert.equal(await elevatedUntil(person), null)
})

test("LOGIN-24 an assertion counts for its own challenge and browser, and once", async () => {
  const person = await personOf("dan")
  const other = await personOf("eve")
  const first = await leave(person)
  const second = await leave(person)
  const claims = { sub: "dan", auth_time: clock.now() }
  const assertion = await product.answer(first.url, claims)
  assert.equal((await other.browser.get(visits.pathOf(assertion))).status, 403)
  const wrong = await product.answer(second.url, { ...claims, challenge: "another" })
  assert.equal((await person.browser.get(visits.pathOf(wrong))).status, 403)
  assert.equal(await elevatedUntil(person), null)
  assert.equal(headingOf(await person.browser.get(visits.pathOf(assertion))), "Confirmed")
  assert.equal((await person.browser.get(visits.pathOf(assertion))).status, 403)
  assert.equal((await poll(server, app, second.ceremony)).body["error"], "authorization_pending")
})

test("LOGIN-24 once the minutes of the session are over, the person signs in first", async () => {
  const person = await personOf("fay")
  const { url } = await leave(person)
  clock.advance(601)
  const page = await back(person.browser, url, { sub: "fay", auth_time: clock.now() })
  assert.equal(page.status, 403)
  assert.equal(await elevatedUntil(person), null)
})

test("LOGIN-24 “Confirm that it’s you” takes auth_time of the application, and nothing without", async () => {
  const { browser } = await personOf("gus")
  clock.advance(400)
  const again = async (claims: AssertionClaims) => {
    const asked = await browser.get("/account/security/password")
    const between = await browser.submit(asked, "/account/prove/with", { provider: "shop" })
    return back(browser, leadsTo(between), { sub: "gus", ...claims })
  }
  assert.match((await again({})).text, /does not say when you signed in/)
  const old = clock.now() - 3600
  for (const auth_time of [old, old + 0.5, String(clock.now()), null, true, -1, clock.now() + 61])
    assert.match((await again({ auth_time })).text, /does not confirm that you have just/, String(auth_time))
  assert.equal((await again({ auth_time: clock.now() })).location, "/account/security/password")
  const [refused] = await server.store.events({ kinds: ["factor-refused"] }, { limit: 1 })
  assert.equal(refused?.detail, "shop: auth_time too early")
  const last = lines.findLast(({ kind }) => kind === "refused")
  assert.deepEqual([last?.["provider"], last?.["detail"]], ["shop", "not-recent"])
  assert.equal(typeof last?.["request_id"], "string")
})
