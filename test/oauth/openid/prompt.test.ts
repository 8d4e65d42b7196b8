/** `prompt`, `max_age` and the hints, as apps send them and attackers change them. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { createHmac } from "node:crypto"
import { BEGAN } from "../../../src/accounts/sign-in/continuation.ts"
import { returned } from "../../support/answers.ts"
import { Browser } from "../../support/browser.ts"
import {
  type AppIdentity,
  authorizePath,
  codeFor,
  exchange,
  newVerifier,
  REDIRECT_URI,
  signedInBrowser,
} from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { withdrawKey } from "../jwt/jwt-service.ts"
import { accountWithTotp, codeAt } from "../../accounts/factors/factors.ts"

const SCOPE = "openid account:read"
const APP = { permissions: ["openid", "account:read"], redirectUris: [REDIRECT_URI] }

const { testServer } = await fixture({ accounts: ["ada", "bob"], settings: { "openid.enabled": "on" } })
// A request reads the setting.
await fetch(`${testServer.url}/oauth/jwks`)
const app = await testServer.addApp(APP)
const other = await testServer.addApp(APP)
const { clock } = testServer

type Page = Awaited<ReturnType<Browser["get"]>>
type Parameters = Record<string, string>

function pathOf(parameters: Parameters, of: AppIdentity = app): string {
  return authorizePath(of, newVerifier().challenge, { scope: SCOPE, ...parameters })
}

const isSignIn = (page: Page) => page.status === 200 && page.text.includes('name="password"')
const isConsent = (page: Page) => page.status === 200 && page.text.includes('value="authorize"')
const errorOf = (page: Page) => returned(page, REDIRECT_URI)["error"]

async function idTokenOf(browser: Browser, of: AppIdentity, more: Parameters = {}) {
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(browser, of, challenge, { scope: SCOPE, ...more })
  const { body } = await exchange(testServer, of, code, verifier)
  const text = (body as { id_token?: string }).id_token ?? assert.fail("there is no id_token")
  const claims = JSON.parse(Buffer.from(text.split(".")[1] ?? "", "base64url").toString()) as Record<
    string,
    unknown
  >
  return { text, claims }
}

/** Signs in on the page that a request shows. Returns where the browser goes on. */
async function signInOn(browser: Browser, page: Page, username: string): Promise<string> {
  const answer = await browser.submit(page, "/sign-in", { username, password: PASSWORD })
  return answer.location ?? assert.fail(answer.text)
}

test("OIDC-7 prompt=none goes back to the app, whether a person is signed in or not", async () => {
  const path = pathOf({ prompt: "none" })
  const stranger = await new Browser(testServer.url).get(path)
  const answer = returned(stranger, REDIRECT_URI)
  assert.deepEqual(
    [answer["error"], answer["state"], answer["iss"]],
    ["login_required", "st/ate +1", testServer.issuer],
  )
  assert.deepEqual(stranger.headers.getSetCookie(), [])
  const ada = await signedInBrowser(testServer, "ada")
  assert.equal(errorOf(await ada.get(path)), "consent_required")
  assert.equal(errorOf(await ada.get(pathOf({ prompt: "none login" }))), "invalid_request")
  const unregistered = await ada.get(pathOf({ prompt: "none", redirect_uri: "https://evil.example/" }))
  assert.deepEqual([unregistered.status, unregistered.location], [400, null])
})

test("OIDC-7 prompt=none is only what openid makes it", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  assert.ok(isConsent(await ada.get(pathOf({ prompt: "none", scope: "account:read" }))))
  await testServer.set("openid.enabled", "off")
  assert.ok(isConsent(await ada.get(pathOf({ prompt: "none" }))))
  await testServer.set("openid.enabled", "on")
})

test("OIDC-7 consent and select_account show the consent page, which offers another account", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  for (const prompt of ["consent", "select_account"]) {
    const page = await ada.get(pathOf({ prompt }))
    assert.ok(isConsent(page))
    assert.match(page.text, /ada/)
    assert.match(page.text, /action="\/sign-out"/)
  }
})

test("OIDC-8 prompt=login asks once, and auth_time is that of the new proof", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const before = await idTokenOf(ada, app)
  clock.advance(60)
  const path = pathOf({ prompt: "login" })
  const page = await ada.get(path)
  assert.ok(isSignIn(page))
  assert.match(page.text, /value="ada"/)
  assert.ok(isSignIn(await ada.get(path)))
  const next = await signInOn(ada, page, "ada")
  assert.ok(isConsent(await ada.get(next)))
  const answer = await ada.submit(await ada.get(next), "/oauth/consent", { decision: "authorize" })
  assert.ok(returned(answer, REDIRECT_URI)["code"])
  const after = await idTokenOf(ada, app)
  assert.equal(after.claims["auth_time"], Number(before.claims["auth_time"]) + 60)
  assert.ok(isSignIn(await ada.get(path)), "the request asks again when it begins again")
})

test("OIDC-8 a forged, moved or repeated address skips no proof", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const path = pathOf({ prompt: "login" })
  const bare = await ada.get(path)
  const next = await signInOn(ada, bare, "ada")
  assert.ok(isConsent(await ada.get(next)))
  const seal = next.slice(next.indexOf(`&${BEGAN}=`))
  assert.ok(isSignIn(await ada.get(`${path}&${BEGAN}=x`)))
  assert.ok(isSignIn(await ada.get(pathOf({ prompt: "login", state: "another" }) + seal)))
  assert.ok(isSignIn(await (await signedInBrowser(testServer, "ada")).get(next)))
  assert.equal(errorOf(await ada.get(next + seal)), "invalid_request")
  const waits = await signedInBrowser(testServer, "bob")
  const waiting = await waits.get(path)
  clock.advance(3601)
  assert.ok(isSignIn(await ada.get(next)), "an hour later")
  const late = await signInOn(waits, waiting, "bob")
  const again = await waits.get(late)
  assert.ok(isSignIn(again))
  assert.ok(isConsent(await waits.get(await signInOn(waits, again, "bob"))))
})

test("OIDC-8 an account with a second factor proves both again", async () => {
  const secret = await accountWithTotp(testServer, "cyd")
  const cyd = new Browser(testServer.url)
  const code = () => ({ code: codeAt(testServer, secret) })
  await cyd.submit(await cyd.signIn("cyd", PASSWORD), "/sign-in/code", code())
  clock.advance(60)
  const page = await cyd.get(pathOf({ prompt: "login" }))
  const second = await cyd.submit(page, "/sign-in", { username: "cyd", password: PASSWORD })
  assert.match(second.text, /name="code"/)
  assert.ok(isSignIn(await cyd.get(pathOf({ prompt: "login" }))))
  const done = await cyd.submit(second, "/sign-in/code", code())
  assert.ok(isConsent(await cyd.get(done.location ?? assert.fail(done.text))))
})

test("OIDC-8 max_age asks for a proof that is young enough", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  clock.advance(100)
  assert.ok(isConsent(await ada.get(pathOf({ max_age: "100" }))))
  assert.equal(errorOf(await ada.get(pathOf({ max_age: "99", prompt: "none" }))), "consent_required")
  for (const max_age of ["99", "0"]) {
    const next = await signInOn(ada, await ada.get(pathOf({ max_age })), "ada")
    clock.advance(5)
    assert.ok(isConsent(await ada.get(next)), max_age)
    clock.advance(100)
  }
  const stranger = new Browser(testServer.url)
  const next = await signInOn(stranger, await stranger.get(pathOf({ max_age: "0" })), "ada")
  clock.advance(5)
  assert.ok(isConsent(await stranger.get(next)))
})

test("OIDC-8 a provider is asked for a new proof, and one that gives none leads back to the app", async () => {
  const visits = await ProviderVisits.open({ settings: { "openid.enabled": "on" } })
  const { server } = visits
  const { name, browser } = await visits.person()
  await visits.link(name, "at-work")
  const wiki = await server.addApp(APP)
  const begin = async () => {
    visits.clock.advance(60)
    const page = await browser.get(pathOf({ prompt: "login" }, wiki))
    return browser.submit(page, "/sign-in/with/corp", {})
  }
  const between = await begin()
  assert.match(between.text, /prompt=login/)
  assert.match(between.text, /max_age=0/)
  const proven = await visits.comeBack(browser, between, { sub: "at-work", auth_time: visits.clock.now() })
  assert.ok(isConsent(await browser.get(proven.location ?? assert.fail(proven.text))))
  const old = await visits.comeBack(browser, await begin(), {
    sub: "at-work",
    auth_time: visits.clock.now() - 50,
  })
  assert.equal(errorOf(await browser.get(old.location ?? assert.fail(old.text))), "login_required")
})

test("LOGIN-19 a provider that was asked for a new proof and does not say when it got one has proven nothing", async () => {
  const visits = await ProviderVisits.open({ settings: { "openid.enabled": "on" } })
  const { server } = visits
  await visits.person()
  visits.offer({ createAccounts: { domains: [], claim: null } })
  const wiki = await server.addApp(APP)
  const { browser } = await visits.arrive({ sub: "at-work", preferred_username: "at-work" })
  visits.clock.advance(60)
  const fresh = async (claims: object) => {
    const page = await browser.get(pathOf({ prompt: "login" }, wiki))
    const between = await browser.submit(page, "/sign-in/with/corp", {})
    const back = await visits.comeBack(browser, between, { sub: "at-work", ...claims })
    return browser.get(back.location ?? assert.fail(back.text))
  }
  assert.equal(errorOf(await fresh({})), "login_required")
  assert.equal(errorOf(await fresh({ auth_time: visits.clock.now() - 3600.5 })), "login_required")
  assert.ok(isConsent(await fresh({ auth_time: visits.clock.now() + 0.5 })))
})

test("OIDC-9 login_hint is in the name field, as text", async () => {
  const page = await new Browser(testServer.url).get(pathOf({ login_hint: 'ada"><b>x</b>' }))
  assert.ok(isSignIn(page))
  assert.match(page.text, /value="ada&quot;&gt;&lt;b&gt;x&lt;\/b&gt;"/)
  assert.doesNotMatch(page.text, /<b>x/)
})

test("OIDC-9 a hint of another person asks for that person once", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const bob = await signedInBrowser(testServer, "bob")
  const { text: id_token_hint } = await idTokenOf(bob, app)
  clock.advance(7200)
  assert.ok(isConsent(await bob.get(pathOf({ id_token_hint }))), "an expired hint still names its account")
  assert.equal(errorOf(await bob.get(pathOf({ id_token_hint, prompt: "none" }))), "consent_required")
  assert.equal(errorOf(await ada.get(pathOf({ id_token_hint, prompt: "none" }))), "login_required")
  const page = await ada.get(pathOf({ id_token_hint }))
  assert.ok(isSignIn(page))
  assert.doesNotMatch(page.text, /value="(ada|bob)"/)
  assert.equal(errorOf(await ada.get(await signInOn(ada, page, "ada"))), "login_required")
  const once = await ada.get(pathOf({ id_token_hint }))
  assert.ok(isConsent(await ada.get(await signInOn(ada, once, "bob"))))
})

test("OIDC-9 a hint that is not an id_token for this app tells it nothing", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const { text: foreign } = await idTokenOf(ada, other)
  const { text: own } = await idTokenOf(ada, app)
  const [head = "", payload = "", signature = ""] = own.split(".")
  const encoded = (header: object) => Buffer.from(JSON.stringify(header)).toString("base64url")
  const { kid } = JSON.parse(Buffer.from(head, "base64url").toString()) as { kid: string }
  const jwks = await (await fetch(`${testServer.url}/oauth/jwks`)).text()
  const confused = `${encoded({ alg: "HS256", kid, typ: "JWT" })}.${payload}`
  const accessToken = `${encoded({ alg: "RS256", kid, typ: "at+jwt" })}.${payload}`
  const hints = {
    foreign,
    confused: `${confused}.${createHmac("sha256", jwks).update(confused).digest("base64url")}`,
    unsigned: `${encoded({ alg: "none", kid, typ: "JWT" })}.${payload}.`,
    "of another type": `${accessToken}.${signature}`,
    "without a known key": `${encoded({ alg: "RS256", kid: "x", typ: "JWT" })}.${payload}.${signature}`,
    changed: `${head}.${encoded({ sub: "x" })}.${signature}`,
    text: "x",
  }
  assert.equal(errorOf(await ada.get(pathOf({ prompt: "none", id_token_hint: own }))), "consent_required")
  for (const [name, id_token_hint] of Object.entries(hints)) {
    assert.equal(errorOf(await ada.get(pathOf({ prompt: "none", id_token_hint }))), "login_required", name)
    assert.ok(isConsent(await ada.get(pathOf({ id_token_hint }))), name)
  }
})

test("OIDC-9 a hint of a withdrawn key names no account, because another holder of the key may have signed it", async () => {
  const [ada, bob] = [await signedInBrowser(testServer, "ada"), await signedInBrowser(testServer, "bob")]
  const { text: own } = await idTokenOf(ada, app)
  const { text: ofBob } = await idTokenOf(bob, app)
  await withdrawKey(testServer, "RS256")
  for (const id_token_hint of [own, ofBob]) {
    assert.equal(errorOf(await ada.get(pathOf({ prompt: "none", id_token_hint }))), "login_required")
    assert.ok(isConsent(await ada.get(pathOf({ id_token_hint }))))
  }
})
