import assert from "node:assert/strict"
import { afterEach, test } from "node:test"
import { linkAccount, unlinkAccount } from "../../../src/accounts/providers/link.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { FRESH_PROOF_SECONDS } from "../../../src/kernel/account-limits.ts"
import { Browser } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { leadsTo, providerAt } from "../../support/oidc.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"
import { providerFixture } from "../../support/provider-visits.ts"
import type { OpenIdProvider } from "../../../src/model/sign-in/provider.rules.ts"

let made = 0

const { clock, host, upstream, providers, server } = await providerFixture({ admins: ["chief"] })
providers.set("corp", providerAt(host.url))

afterEach(() => {
  upstream.reset()
  providers.set("corp", providerAt(host.url))
  clock.advance(3600)
})

/** Adds an account and signs it in by its password. */
async function person() {
  const name = `person${++made}`
  await server.addAccount(name)
  return { name, browser: await signedInBrowser(server, name) }
}

async function connect(browser: Browser, sub: string) {
  const page = await browser.get("/account/security")
  const between = await browser.submit(page, "/account/security/connect", { provider: "corp" })
  upstream.idToken = { sub, email: `${sub}@example.org` }
  return browser.get(`/sign-in/with/corp/callback?${upstream.visit(leadsTo(between))}`)
}

async function arrive(sub: string, more: object = {}) {
  const browser = new Browser(server.url)
  const between = await browser.submit(await browser.get("/sign-in"), "/sign-in/with/corp", {})
  upstream.idToken = { sub, ...more }
  return {
    browser,
    page: await browser.get(`/sign-in/with/corp/callback?${upstream.visit(leadsTo(between))}`),
  }
}

/** A person whom the provider has brought, without a password. */
async function newcomer(more: Partial<OpenIdProvider> = {}) {
  const sub = `new${++made}`
  providers.set("corp", providerAt(host.url, { createAccounts: { domains: [], claim: null }, ...more }))
  const { browser, page } = await arrive(sub, { preferred_username: sub })
  assert.equal(page.status, 303, page.text)
  return { sub, browser }
}

test("UP-9 a signed-in person connects an account, signs in with it, and disconnects it", async () => {
  const { name, browser } = await person()
  assert.equal((await connect(browser, "s1")).location, "/account/security")
  const page = await browser.get("/account/security")
  assert.match(page.text, /s1@example\.org/)
  const arrived = await arrive("s1")
  assert.match((await arrived.browser.get("/account")).text, new RegExp(name))
  const gone = await browser.submit(page, "/account/security/disconnect", {})
  assert.equal(gone.location, "/account/security")
  assert.match((await arrive("s1")).page.text, /No account here is connected/)
  const kinds = (await server.store.events({}, { limit: 20 })).map(({ kind }) => kind)
  assert.ok(kinds.includes("identity-linked") && kinds.includes("identity-unlinked"))
})

test("UP-9 connecting and disconnecting ask for a recent factor", async () => {
  const { browser } = await person()
  clock.advance(FRESH_PROOF_SECONDS + 1)
  const page = await browser.get("/account/security")
  const asked = await browser.submit(page, "/account/security/connect", { provider: "corp" })
  assert.match(asked.text, /To <strong>connect an account/)
  const between = await browser.submit(asked, "/account/security/connect", { password: PASSWORD })
  assert.ok(leadsTo(between).startsWith(host.url))
})

test("UP-9 what another session began is not connected to this one", async () => {
  const { browser } = await person()
  const page = await browser.get("/account/security")
  const between = await browser.submit(page, "/account/security/connect", { provider: "corp" })
  upstream.idToken = { sub: "s2" }
  const query = upstream.visit(leadsTo(between))
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  assert.equal((await browser.signIn("chief", PASSWORD)).status, 303)
  const refused = await browser.get(`/sign-in/with/corp/callback?${query}`)
  assert.equal(refused.status, 403)
  assert.match((await arrive("s2")).page.text, /No account here is connected/)
})

test("UP-9 a subject that is connected to another account is refused, and a second time of one's own is not", async () => {
  const first = await person()
  await connect(first.browser, "s3")
  const second = await person()
  const refused = await connect(second.browser, "s3")
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Another account here is connected to it/)
})

test("UP-9 a service account and an unknown one are never linked", async () => {
  await server.addServiceAccount("robot")
  const provider = providerAt(host.url)
  for (const name of ["robot", "unknown"])
    assert.equal((await linkAccount(server.latchkey, provider, name, "s4", OPERATOR)).ok, false)
})

test("UP-10 the last way to sign in stays, until there is a password", async () => {
  const { browser } = await newcomer()
  const page = await browser.get("/account/security")
  const refused = await browser.submit(page, "/account/security/disconnect", {})
  assert.equal(refused.status, 409)
  assert.match(refused.text, /the only way to sign in/)
  assert.match(page.text, /Set a password/)
  const form = await browser.get("/account/security/password")
  const set = await browser.submit(form, "/account/security/password", {
    password: "a password of many words",
  })
  assert.equal(set.location, "/account/security")
  assert.equal((await browser.submit(page, "/account/security/disconnect", {})).location, "/account/security")
})

test("UP-11 a person without a password confirms by signing in there again, now", async () => {
  const { sub, browser } = await newcomer()
  clock.advance(FRESH_PROOF_SECONDS + 1)
  const asked = await browser.get("/account/security/password")
  assert.doesNotMatch(asked.text, /name="password"/)
  const again = async (idToken: Record<string, unknown>) => {
    const between = await browser.submit(asked, "/account/prove/with", { provider: "corp" })
    const url = leadsTo(between)
    assert.equal(new URL(url).searchParams.get("max_age"), "0")
    upstream.idToken = idToken
    return browser.get(`/sign-in/with/corp/callback?${upstream.visit(url)}`)
  }
  assert.match((await again({ sub, auth_time: clock.now() - 3600 })).text, /does not confirm/)
  assert.match(
    (await again({ sub: "another", auth_time: clock.now() })).text,
    /not connected to your account/,
  )
  assert.equal((await again({ sub, auth_time: clock.now() })).location, "/account/security/password")
  assert.match((await browser.get("/account/security/password")).text, /name="password"/)
})

test("UP-11 a sign-in that the provider made without asking is no recent factor", async () => {
  const { name, browser } = await person()
  await connect(browser, "s5")
  const silent = await arrive("s5", { auth_time: clock.now() - 3600 })
  assert.match((await silent.browser.get("/account/security/password")).text, /Confirm that it’s you/)
  const unsaid = await arrive("s5")
  assert.match((await unsaid.browser.get("/account/security/password")).text, /Confirm that it’s you/, name)
})

test("UP-12 a sign-in is a second factor only where acr or amr is mapped", async () => {
  const { name, browser } = await person()
  await connect(browser, "s6")
  assert.ok((await addTotp(server.latchkey, name, OPERATOR)).ok)
  const local = await arrive("s6", { amr: ["mfa"], acr: "phr" })
  assert.match(local.page.text, /One more step/)
  assert.match((await local.browser.get("/account/security")).text, /name="password"/)
  providers.set("corp", providerAt(host.url, { secondFactor: { acr: [], amr: ["mfa"] } }))
  assert.equal((await arrive("s6", { amr: ["pwd", "mfa"] })).page.status, 303)
  assert.match((await arrive("s6", { amr: ["pwd"] })).page.text, /One more step/)
  providers.set("corp", providerAt(host.url, { secondFactor: { acr: ["phr"], amr: [] } }))
  assert.equal((await arrive("s6", { acr: "phr" })).page.status, 303)
})

test("UP-13 administration follows the rule at each sign-in, and the audit trail says so", async () => {
  const administrators = { name: "groups", value: "admins" }
  const { sub, browser } = await newcomer({ administrators })
  const isAdmin = async () => (await server.store.read({ accountByName: sub })).accountByName?.admin
  assert.equal(await isAdmin(), false)
  await arrive(sub, { groups: ["staff", "admins"] })
  assert.equal(await isAdmin(), true)
  await arrive(sub, { groups: ["staff"] })
  assert.equal(await isAdmin(), false)
  const events = await server.store.events(
    { kinds: ["administration-granted", "administration-withdrawn"] },
    { limit: 2 },
  )
  assert.deepEqual(
    events.map(({ detail }) => detail),
    ["by the rule of corp", "by the rule of corp"],
  )
  assert.equal((await browser.get("/console/accounts")).status, 404)
})

test("UP-13 disconnecting takes back what the rule gave, so that connecting again does not keep it", async () => {
  const administrators = { name: "groups", value: "admins" }
  const { sub } = await newcomer({ administrators })
  const { browser } = await arrive(sub, { groups: ["admins"] })
  const isAdmin = async () => (await browser.get("/console/accounts")).status === 200
  assert.ok(await isAdmin())
  const page = await browser.get("/account/security/password")
  const set = await browser.submit(page, "/account/security/password", { password: PASSWORD })
  assert.equal(set.status, 303, set.text)
  const security = await browser.get("/account/security")
  const gone = await browser.submit(security, "/account/security/disconnect", {})
  assert.equal(gone.status, 303, gone.text)
  assert.ok(!(await isAdmin()))
  const [event] = await server.store.events({ kinds: ["administration-withdrawn"] }, { limit: 1 })
  assert.equal(event?.detail, "by the rule of corp")
})

test("UP-13 UP-15 so does the operator's unlink, which signs out who came in by the link", async () => {
  const administrators = { name: "groups", value: "admins" }
  const { sub } = await newcomer({ administrators })
  const { browser } = await arrive(sub, { groups: ["admins"] })
  assert.equal((await browser.get("/console/accounts")).status, 200)
  const from = { address: null }
  assert.ok((await unlinkAccount(server.latchkey, providerAt(host.url), sub, sub, from)).ok)
  assert.match((await browser.get("/account/security")).text, /name="password"/)
  const { accountByName } = await server.store.read({ accountByName: sub })
  assert.equal(accountByName?.admin, false)
})

test("UP-13 the rule takes no administration that it did not give", async () => {
  const name = `chief${++made}`
  await server.addAccount(name, true)
  const browser = await signedInBrowser(server, name)
  await connect(browser, "s7")
  providers.set("corp", providerAt(host.url, { administrators: { name: "groups", value: "admins" } }))
  assert.equal((await arrive("s7", { groups: [] })).page.status, 303)
  assert.equal((await server.store.read({ accountByName: name })).accountByName?.admin, true)
})

test("UP-13 an address that a person edited at the provider gives no administration", async () => {
  const administrators = { name: "email", value: "chief@example.org" }
  const { sub } = await newcomer({ administrators })
  const isAdministrator = async () =>
    (await server.store.read({ accountByName: sub })).accountByName?.admin === true
  const edited = { email: "chief@example.org" }
  for (const claims of [
    edited,
    { ...edited, email_verified: false },
    { ...edited, email_verified: "true" },
  ]) {
    assert.equal((await arrive(sub, claims)).page.status, 303)
    assert.equal(await isAdministrator(), false, JSON.stringify(claims))
  }
  upstream.userinfo = { email: "mallory@example.org", email_verified: true }
  assert.equal((await arrive(sub, edited)).page.status, 303)
  assert.equal(await isAdministrator(), false, "the mark of another address")
  upstream.userinfo = { email: "chief@example.org", email_verified: true }
  assert.equal((await arrive(sub, edited)).page.status, 303)
  assert.equal(await isAdministrator(), true, "userinfo verifies the address of the ID token")
  upstream.userinfo = {}
  assert.equal((await arrive(sub, edited)).page.status, 303)
  assert.equal(await isAdministrator(), false, "the next sign-in takes it back")
})
