/** An application is the only way to sign in, and administrators still have theirs. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { invite } from "../../../src/accounts/invitations/invite.ts"
import { PASSWORD_TRIES, PROVIDER_TRIES } from "../../../src/kernel/account-limits.ts"
import type { ApplicationProvider, SignInProvider } from "../../../src/model/sign-in/provider.rules.ts"
import { Authenticator } from "../../support/authenticator.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { testClock } from "../../support/clock.ts"
import { authorizePath, newVerifier, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { MailServer } from "../../support/mail-server.ts"
import { leadsTo, providerAt, TRUSTED } from "../../support/oidc.ts"
import { Product } from "../../support/product.ts"
import { wholeFile } from "../../support/spawn.ts"
import { OPERATOR, PASSWORD } from "../../support/test-server.ts"
import { addPasskey, halfSignedIn, passkeyOptions } from "../factors/factors.ts"

type Page = Awaited<ReturnType<Browser["get"]>>

const OURS = "/sign-in?with=password"

const clock = testClock()
const product = new Product(() => clock.now())
const providers = new Map<string, SignInProvider>()
const offer = (more: Partial<ApplicationProvider> = {}) =>
  providers.set("shop", product.provider({ only: true, ...more }))
const mails = await MailServer.open()
wholeFile().after(() => mails.close())
const { testServer: server, app } = await fixture({
  admins: ["chief"],
  accounts: ["ada"],
  apps: { app: {} },
  mail: mails.config(),
  outgoing: TRUSTED,
  providers,
  clock,
})

/** Follows redirects within the service, as a browser does. */
async function visit(browser: Browser, path: string): Promise<Page> {
  const page = await browser.get(path)
  return page.location?.startsWith("/") === true ? visit(browser, page.location) : page
}
const hasForm = ({ text }: Page) => text.includes('type="password"')
const isForm = (page: Page) => page.status === 200 && hasForm(page)

function assertLeaves(page: Page): URL {
  assert.equal(hasForm(page), false)
  const url = new URL(leadsTo(page))
  assert.equal(url.origin + url.pathname, "https://shop.example/oauth-login")
  assert.equal(url.searchParams.get("return_to"), `${server.issuer}/sign-in/with/shop/callback`)
  return url
}

test("LOGIN-12 whatever needs a sign-in leads to the application at once, and has no page of ours between", async () => {
  offer()
  const paths = [
    "/",
    "/sign-in",
    "/account",
    "/account/security",
    "/account/activity",
    authorizePath(app, newVerifier().challenge),
    "/oauth/device",
    "/oauth/device?user_code=ABCD-EFGH",
    "/account/apps",
    "/sign-in/code",
    "/sign-in/with/shop",
  ]
  for (const path of paths) {
    const page = await visit(new Browser(server.url), path)
    const challenge = assertLeaves(page).searchParams.get("challenge")
    assert.equal(challenge?.length, 43, path)
    assert.doesNotMatch(page.text, /with=password/)
  }
})

test("LOGIN-12 a request that only looks ahead begins nothing, and its page leads on by a click", async () => {
  offer()
  const begins = async (headers: Record<string, string>, method = "GET") => {
    const response = await fetch(`${server.url}/sign-in`, { method, headers })
    const text = await response.text()
    const { headers: sent } = response
    assert.equal(response.status, 200)
    if (method === "GET" && !sent.has("refresh")) assert.match(text, /<a class="button" href="\/sign-in"/)
    assert.equal(sent.has("set-cookie"), sent.has("refresh"))
    return sent.has("refresh")
  }
  for (let number = 0; number < 2 * PROVIDER_TRIES.network.requests; number += 4) {
    assert.equal(await begins({}, "HEAD"), false)
    assert.equal(await begins({ "sec-purpose": "prefetch" }), false)
    assert.equal(await begins({ "sec-purpose": "prefetch;prerender", "sec-fetch-dest": "document" }), false)
    assert.equal(await begins({ "sec-fetch-dest": "image" }), false)
  }
  assert.equal(await begins({ "sec-fetch-dest": "document" }), true)
})

test("LOGIN-12 UP-5 a product that sends browsers back again and again is left with a page, and ends no session", async () => {
  offer()
  clock.advance(3600)
  const browser = new Browser(server.url)
  for (let number = 0; number < PROVIDER_TRIES.one.requests; number += 1)
    assertLeaves(await visit(browser, "/account"))
  const page = await visit(browser, "/account/security")
  assert.deepEqual([page.status, hasForm(page)], [429, false])
  assert.ok(Number(page.headers.get("retry-after")) > 0)
  assert.match(page.text, /Too many attempts/)
  assert.match(page.text, /action="\/sign-in\/with\/shop"/)
  clock.advance(PROVIDER_TRIES.one.seconds)
  assertLeaves(await browser.submit(page, "/sign-in/with/shop", {}))
})

test("LOGIN-12 who signed out here is asked by the application, until the next sign-in in that browser", async () => {
  offer()
  clock.advance(3600)
  const browser = new Browser(server.url)
  const ageAsked = async (path: string, from = browser) =>
    assertLeaves(await visit(from, path)).searchParams.get("max_age")
  const answer = async (more: object, from = browser) => {
    const asked = leadsTo(await visit(from, "/account"))
    const url = await product.answer(asked, { sub: "u-12", username: "uma", ...more })
    return from.get(url.slice(server.issuer.length))
  }
  const signIn = async () => {
    assert.equal((await answer({ auth_time: clock.now() })).location, "/account")
  }
  assert.equal(await ageAsked("/account"), null)
  assert.equal((await answer({})).location, "/account")
  const out = await browser.submit(await browser.get("/account"), "/sign-out", {})
  assert.match(out.text, /You are signed out/)
  const authorize = authorizePath(app, newVerifier().challenge)
  for (const path of ["/sign-in", "/account", authorize]) assert.equal(await ageAsked(path), "0", path)
  assert.equal(await ageAsked("/account", new Browser(server.url)), null)
  // An answer that proves no sign-in since then leads to a page with the way back, which asks for it again.
  const before = await answer({ auth_time: clock.now() - 61 })
  assert.match(before.text, /The shop.* does not confirm that you have just signed in there/)
  assert.deepEqual([before.status, hasForm(before)], [403, false])
  assert.equal((await browser.get("/account")).location, "/sign-in")
  const back = await browser.submit(before, "/sign-in/with/shop", {})
  assert.equal(assertLeaves(back).searchParams.get("max_age"), "0")
  assert.equal((await answer({}, new Browser(server.url))).location, "/account")
  await signIn()
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  assert.equal((await answer({})).location, "/account", "one that says no time is trusted")
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  await signIn()
  // "Not you?" on a consent page leads to the same place.
  const consent = await browser.get(authorize)
  const left = await browser.submit(consent, "/sign-out", {})
  assert.equal(await ageAsked(left.location ?? assert.fail()), "0")
  await signIn()
  clock.advance(601)
  assert.equal(await ageAsked("/account"), null)
})

test("LOGIN-13 our form admits administrators alone, and the right password of another is a wrong one", async () => {
  offer()
  const page = await new Browser(server.url).get(OURS)
  assert.ok(isForm(page))
  assert.match(page.text, /This form is for administrators\. All other people continue with <bdi>The shop/)
  const sign = async (username: string, password: string, browser = new Browser(server.url)) =>
    browser.submit(await browser.get(OURS), "/sign-in", { username, password })
  const chief = new Browser(server.url)
  assert.equal((await sign("chief", PASSWORD, chief)).location, "/account")
  assert.equal((await chief.get("/account")).status, 200)
  const plain = ({ status, text }: Page) => [status, text.replace(/^.*<body/s, "").replaceAll(/<[^>]*>/g, "")]
  const right = await sign("ada", PASSWORD)
  assert.deepEqual(plain(right), plain(await sign("ada", "a wrong password")))
  assert.match(right.text, /The username or password is not correct/)
  assert.equal(right.status, 403)
  // It counts as a wrong one.
  const tries: number[] = []
  for (let number = 2; number <= PASSWORD_TRIES.account.requests; number += 1)
    tries.push((await sign("ada", PASSWORD)).status)
  assert.deepEqual(new Set(tries.slice(0, -1)), new Set([403]))
  assert.equal(tries.at(-1), 429)
})

test("LOGIN-13 a passkey signs in administrators alone, and a second step is not done for another", async () => {
  providers.clear()
  clock.advance(3600)
  const [eve, frank] = [new Authenticator(), new Authenticator()]
  const add = async (name: string, authenticator: Authenticator, admin: boolean) => {
    await server.addAccount(name, admin)
    assert.equal(
      (await addPasskey(server, await signedInBrowser(server, name), authenticator)).location,
      "/account/security",
    )
  }
  await add("eve", eve, false)
  await add("frank", frank, true)
  const half = await halfSignedIn(server, "eve")
  offer()
  const alone = async (authenticator: Authenticator) => {
    const browser = new Browser(server.url)
    const page = await browser.get(OURS)
    const response = authenticator.get(passkeyOptions(page.text), { origin: server.issuer })
    return browser.submit(page, "/sign-in/passkey", { response })
  }
  const refused = await alone(eve)
  assert.deepEqual([refused.status, hasForm(refused)], [403, true])
  assert.match(refused.text, /That passkey did not work/)
  assert.equal((await alone(frank)).location, "/account")
  // The password was right before the configuration changed.
  const response = eve.get(passkeyOptions(half.page.text), { origin: server.issuer })
  const answer = await half.browser.submit(half.page, "/sign-in/code", { response })
  assert.deepEqual([answer.status, answer.location], [303, "/sign-in"])
})

test("LOGIN-12 a page that follows the application has a way back to the app that waits, which gets access_denied", async () => {
  offer()
  clock.advance(3600)
  const authorize = authorizePath(app, newVerifier().challenge)
  const state = new URL(authorize, server.issuer).searchParams.get("state")
  const assertDenied = ({ status, location }: Page) => {
    const { searchParams } = new URL(location ?? assert.fail())
    const [error, iss] = [searchParams.get("error"), searchParams.get("iss")]
    assert.deepEqual(
      [status, error, searchParams.get("state"), iss],
      [303, "access_denied", state, server.issuer],
    )
  }
  const arrive = async (claims: object, path = authorize) => {
    const browser = new Browser(server.url)
    const url = await product.answer(leadsTo(await visit(browser, path)), { ...claims })
    return { browser, page: await browser.get(url.slice(server.issuer.length)) }
  }
  const named = await arrive({ sub: "u-14", username: "ada" })
  const form = "/sign-in/with/shop/username"
  assert.match(named.page.text, /name="cancel" value="yes">Cancel/)
  const refused = await named.browser.submit(named.page, form, { cancel: "yes" })
  assertDenied(refused)
  const foreign = await named.browser.post(form, {
    ...hiddenFields(named.page.text, form),
    csrf: "x",
    cancel: "yes",
  })
  assert.equal(foreign.location?.includes("access_denied") ?? false, false)
  // A request of a device has no app to go back to.
  const device = await arrive({ sub: "u-14", username: "ada" }, "/oauth/device")
  assert.match(device.page.text, /Choose a username/)
  assert.doesNotMatch(device.page.text, /Cancel/)

  providers.clear()
  const frank = new Browser(server.url)
  const credentials = { username: "frank", password: PASSWORD }
  const half = await frank.submit(await frank.get(authorize), "/sign-in", credentials)
  offer()
  const step = await frank.submit(half, "/sign-in/code", { code: "000000" })
  assert.match(step.text, /name="cancel" value="yes">Cancel/)
  assertDenied(await frank.submit(step, "/sign-in/code", { cancel: "yes" }))
})

test("LOGIN-12 a page that follows the application offers no way that only leads back to it", async () => {
  offer()
  clock.advance(3600)
  const browser = new Browser(server.url)
  const url = await product.answer(leadsTo(await visit(browser, "/account")), {
    sub: "u-13",
    username: "ada",
  })
  const pathOf = (whole: string) => whole.slice(server.issuer.length)
  const page = await browser.get(pathOf(url))
  assert.match(page.text, /Choose a username.*This username is taken\. Choose another one/s)
  assert.doesNotMatch(page.text, /Cancel|href="\/sign-in/)
  const form = "/sign-in/with/shop/username"
  const again = await browser.submit(page, form, { username: "ada" })
  assert.deepEqual([again.status, /Cancel/.test(again.text)], [422, false])
  offer({ only: false })
  assert.match((await browser.submit(again, form, { username: "ada" })).text, /href="\/sign-in">Cancel/)
  const half = await halfSignedIn(server, "frank")
  assert.match(half.page.text, /Start over with another account/)
  offer()
  const wrong = await half.browser.submit(half.page, "/sign-in/code", { code: "000000" })
  assert.equal(wrong.status, 403)
  assert.doesNotMatch(wrong.text, /Start over|href="\/sign-in/)
})

test("LOGIN-12 a session of before authorizes nothing while an application is the only way, unless it is an administrator's", async () => {
  providers.clear()
  clock.advance(3600)
  const ada = await signedInBrowser(server, "ada")
  const chief = await signedInBrowser(server, "chief")
  const account = await ada.get("/account/security/browsers")
  offer()
  assertLeaves(await visit(ada, "/account"))
  assert.equal((await chief.get("/account")).status, 200)
  const late = await ada.submit(account, "/account/security/browsers", {})
  assert.equal(late.status, 403)
  assert.match(late.text, /This page was open for a while/)
  assert.ok(isForm(await ada.get("/console")))
  offer({ only: false })
  assert.equal((await ada.get("/account")).status, 200)
  offer()
  const out = await ada.submit(account, "/sign-out", {})
  assert.match(out.text, /You are signed out/)
  offer({ only: false })
  assert.equal((await ada.get("/account")).location, "/sign-in")
})

test("LOGIN-13 the console leads to our form, and its other pages too", async () => {
  offer()
  clock.advance(3600)
  for (const path of ["/console", "/console/accounts?page=2"]) {
    const chief = new Browser(server.url)
    const page = await chief.get(path)
    assert.ok(isForm(page), path)
    const wrong = await chief.submit(page, "/sign-in", { username: "chief", password: "wrong" })
    assert.deepEqual([wrong.status, hasForm(wrong)], [403, true])
    const done = await chief.submit(wrong, "/sign-in", { username: "chief", password: PASSWORD })
    assert.equal(done.location, path)
    assert.equal((await chief.get(path)).status, 200)
    assert.equal((await chief.get(OURS)).location, "/account")
  }
})

test("LOGIN-13 a recovery link is mailed to administrators alone, and the answer is the same", async () => {
  offer()
  const ask = async (name: string) => {
    await setEmailByOperator(server.latchkey, name, `${name}@example.org`, OPERATOR)
    await server.sendMails()
    mails.mails.splice(0)
    const browser = new Browser(server.url)
    const page = await browser.get(OURS)
    assert.match(page.text, /<a href="\/recover">Forgot your password/)
    const { status, text } = await browser.submit(await browser.get("/recover"), "/recover", { name })
    await server.latchkey.background.idle()
    await server.sendMails()
    return { answer: [status, text], to: mails.mails.flatMap(({ recipients }) => recipients) }
  }
  const [chief, ada] = [await ask("chief"), await ask("ada")]
  assert.deepEqual([chief.to, ada.to], [["chief@example.org"], []])
  assert.ok(chief.answer.join() === ada.answer.join())
})

test("LOGIN-13 an invitation is accepted through the application, and an administrator's also here", async () => {
  offer()
  const open = async (admin: boolean) => {
    const input = { username: "grace", email: null, groups: [], days: 7, language: null, admin }
    const made = await invite(server.latchkey, input, OPERATOR)
    const secret = (made.ok ? made.value.secret : null) ?? assert.fail()
    const browser = new Browser(server.url)
    return { browser, page: await browser.get(`/invitation?link=${secret}`) }
  }
  const { browser, page } = await open(false)
  assert.deepEqual([page.status, hasForm(page)], [200, false])
  assert.doesNotMatch(page.text, /value="passkey"/)
  const asked = { username: "grace", password: "a long password" }
  assert.equal((await browser.submit(page, "/invitation", asked)).status, 410)
  assertLeaves(await browser.submit(page, "/invitation/with", { provider: "shop", username: "grace" }))
  const boss = await open(true)
  assert.ok(isForm(boss.page))
  assert.equal((await boss.browser.submit(boss.page, "/invitation", asked)).location, "/account")
  assert.equal((await boss.browser.get("/console")).status, 200)
})

test("LOGIN-14 an application whose keys do not answer leads to a page with one action, and administrators sign in", async () => {
  clock.advance(3600)
  const browser = new Browser(server.url)
  const begin = async () => leadsTo(await visit(browser, "/account"))
  const back = async (asked: string) => {
    const url = await product.answer(asked, { sub: "u-9", username: "joan" })
    return browser.get(url.slice(server.issuer.length))
  }
  offer({ keys: { kind: "url", jwksUri: "https://missing.example/jwks", allowedRanges: null } })
  const away = await back(await begin())
  assert.deepEqual([away.status, hasForm(away)], [503, false])
  assert.match(away.text, /The shop.* cannot be checked right now/)
  assert.deepEqual(away.text.match(/<button class="[^"]*"/g), ['<button class="primary"'])
  assert.doesNotMatch(away.text, /another way|with=password/)
  const chief = new Browser(server.url)
  await chief.submit(await chief.get(OURS), "/sign-in", { username: "chief", password: PASSWORD })
  assert.equal((await chief.get("/console")).status, 200)
  offer()
  assert.equal(
    (await back(leadsTo(await browser.submit(away, "/sign-in/with/shop", {})))).location,
    "/account",
  )
  assert.equal((await browser.get("/account")).status, 200)
})

test("LOGIN-12 the account pages of a person who has the application alone offer nothing that leads nowhere", async () => {
  offer()
  clock.advance(3600)
  const browser = new Browser(server.url)
  const asked = leadsTo(await visit(browser, "/account"))
  const url = await product.answer(asked, { sub: "u-10", username: "mary", auth_time: clock.now() })
  await browser.get(url.slice(server.issuer.length))
  const corp = providerAt("https://corp.example", { name: "corp", label: "Corp" })
  providers.set("corp", corp)
  const page = await browser.get("/account/security")
  assert.match(page.text, /The shop/)
  assert.doesNotMatch(page.text, /account\/security\/(?:password|connect|disconnect)"|Corp/)
  const { csrf = "" } = hiddenFields(page.text, "/sign-out")
  const [identity] = await server.database.rows("SELECT identity_hash FROM identity WHERE subject = 'u-10'")
  const id = String(identity?.["identity_hash"])
  const last = await browser.post("/account/security/disconnect", { csrf, id })
  assert.equal(last.status, 409)
  // An administrator keeps them.
  const chief = new Browser(server.url)
  await chief.submit(await chief.get(OURS), "/sign-in", { username: "chief", password: PASSWORD })
  assert.match((await chief.get("/account/security")).text, /security\/password".*security\/connect".*Corp/s)
  providers.delete("corp")
})

test("LOGIN-13 another provider signs in administrators alone, and ends its failures at our form", async () => {
  offer()
  providers.set("corp", providerAt("https://missing.example", { name: "corp", label: "Corp" }))
  const browser = new Browser(server.url)
  const page = await browser.get(OURS)
  const failed = await browser.submit(page, "/sign-in/with/corp", {})
  assert.deepEqual([failed.status, hasForm(failed)], [503, true])
  assert.match(failed.text, /Corp.* does not answer/)
  providers.delete("corp")
})
