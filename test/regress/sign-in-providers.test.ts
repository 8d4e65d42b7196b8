/** Tests known takeovers by sign-in providers of other servers. README.md, "Sign-in providers". */
import assert from "node:assert/strict"
import { afterEach, test } from "node:test"
import { setAccountEnabled } from "../../src/accounts/accounts.ts"
import { linkAccount } from "../../src/accounts/providers/link.ts"
import type { OpenIdProvider } from "../../src/model/sign-in/provider.rules.ts"
import { Browser } from "../support/browser.ts"
import { signedInBrowser } from "../support/connect.ts"
import { leadsTo, providerAt } from "../support/oidc.ts"
import { providerFixture } from "../support/provider-visits.ts"
import { OPERATOR } from "../support/test-server.ts"

let made = 0

const { clock, host, upstream, providers, server } = await providerFixture({ admins: ["chief"] })

afterEach(() => {
  upstream.reset()
  providers.clear()
  clock.advance(3600)
})

function offer(more: Partial<OpenIdProvider> = {}, name = "corp"): OpenIdProvider {
  const provider = providerAt(host.url, { name, ...more })
  providers.set(name, provider)
  return provider
}

async function victim() {
  const name = `victim${++made}`
  return { name, userId: await server.addAccount(name) }
}

async function beginConnect(browser: Browser) {
  const page = await browser.get("/account/security")
  return leadsTo(await browser.submit(page, "/account/security/connect", { provider: "corp" }))
}

const callback = (query: string, name = "corp") => `/sign-in/with/${name}/callback?${query}`

async function arrive(claims: Record<string, unknown>, name = "corp") {
  const browser = new Browser(server.url)
  const between = await browser.submit(await browser.get("/sign-in"), `/sign-in/with/${name}`, {})
  upstream.idToken = claims
  return { browser, page: await browser.get(callback(upstream.visit(leadsTo(between)), name)) }
}

const links = async (userId: string) =>
  (await server.store.read({ identities: userId as never })).identities ?? []

async function isSignedInAs(browser: Browser, name: string): Promise<boolean> {
  return (await browser.get("/account")).text.includes(name)
}

test("CVE-2026-9087, keycloak #49175, CVE-2026-15571, keycloak #51832: a proof for one subject links no other, and nothing about a link can be guessed", async () => {
  offer()
  const { name, userId } = await victim()
  const browser = await signedInBrowser(server, name)
  const first = await beginConnect(browser)
  const second = await beginConnect(browser)
  upstream.idToken = { sub: "first" }
  const query = upstream.visit(first)
  // The state of one flow with the token of the other: its nonce is another.
  upstream.visit(second)
  assert.equal((await browser.get(callback(query))).status, 502)
  const invented = new URLSearchParams({ code: "a-code", state: "s".repeat(43) }).toString()
  assert.equal((await browser.get(callback(invented))).status, 403)
  assert.deepEqual(await links(userId), [])
  const path = "/account/security/connect"
  assert.equal((await browser.post(path, { provider: "corp", sub: "x", csrf: "x" })).status, 403)
})

test("CVE-2026-82968, keycloak #52321: a person without a username or an address lands in no account", async () => {
  offer({ createAccounts: { domains: [], claim: null } })
  for (const claims of [
    {},
    { preferred_username: null, email: null },
    { preferred_username: "", email: "" },
  ]) {
    const { browser, page } = await arrive({ sub: `nameless ${++made}`, ...claims })
    assert.match(page.text, /Choose a username/)
    assert.equal(await isSignedInAs(browser, "Sign out"), false)
  }
  upstream.idToken = {}
  const nameless = await arrive({ sub: "", preferred_username: "chief" })
  assert.equal(nameless.page.status, 502, "a subject is required")
})

test("CVE-2026-16442, keycloak #51470: a provider that creates no accounts signs in only those who are linked", async () => {
  offer()
  const { name } = await victim()
  for (const claims of [
    { preferred_username: name },
    { email: `${name}@example.org`, email_verified: true },
  ]) {
    const { page } = await arrive({ sub: `stranger ${++made}`, ...claims })
    assert.match(page.text, /No account here is connected/)
  }
  const forged = await new Browser(server.url).post("/sign-in/with/corp/username", {
    ticket: "x",
    username: "eve",
  })
  assert.equal(forged.status, 403)
  assert.equal((await server.store.read({ accountByName: "eve" })).accountByName, null)
})

test("econumo #238, agentcore #903: a link that an attacker began does nothing in the browser of a victim", async () => {
  offer()
  const attacker = await victim()
  const attacking = await signedInBrowser(server, attacker.name)
  const url = await beginConnect(attacking)
  const { name, userId } = await victim()
  const browser = await signedInBrowser(server, name)
  upstream.idToken = { sub: "of the attacker" }
  const asked = host.asked.length
  assert.equal((await browser.get(callback(upstream.visit(url)))).status, 403)
  assert.equal(host.asked.length, asked)
  assert.deepEqual([await links(userId), await links(attacker.userId)], [[], []])
  // The other way round: the victim follows the attacker's address of the provider, and comes back as themselves.
  upstream.idToken = { sub: "of the victim" }
  assert.equal((await new Browser(server.url).get(callback(upstream.visit(url)))).status, 403)
  assert.deepEqual(await links(attacker.userId), [])
})

test("plane #9289, Budibase #19384, Budibase #19385, karakeep #2921, switch #291: what a provider asserts about an address leads to no account, on no path", async () => {
  offer({ createAccounts: { domains: ["example.org"], claim: null } })
  const name = `mail${++made}@example.org`
  await server.addAccount(name)
  for (const email_verified of [undefined, false, "true", 1, "1", [true]]) {
    const { browser, page } = await arrive({
      sub: `plane ${++made}`,
      email: name,
      email_verified,
      preferred_username: name,
    })
    assert.match(page.text, /which organization/, String(email_verified))
    assert.equal(await isSignedInAs(browser, name), false)
  }
  upstream.userinfo = { email: name, email_verified: true, preferred_username: name }
  const verified = await arrive({ sub: `plane ${++made}` })
  assert.match(
    verified.page.text,
    /Choose a username/,
    "even a verified address leads to no account that exists",
  )
})

test("nOAuth: an address of Entra, which any tenant can set, decides nothing", async () => {
  offer({ preset: "entra", createAccounts: { domains: ["example.org"], claim: null } })
  const { page } = await arrive({ sub: `noauth ${++made}`, email: "chief@example.org", email_verified: true })
  assert.match(page.text, /which organization/)
})

test("everruns #2575, better-auth #9578: an account that an attacker named after a victim is not what the victim gets", async () => {
  offer({ createAccounts: { domains: [], claim: null } })
  const name = `early${++made}@example.org`
  await server.addAccount(name)
  const claims = { sub: `late ${made}`, preferred_username: name, email: name, email_verified: true }
  const { browser, page } = await arrive(claims)
  assert.match(page.text, /Choose a username/)
  const own = await browser.submit(page, "/sign-in/with/corp/username", { username: `own${made}` })
  assert.equal(own.status, 303)
  const { accountByName } = await server.store.read({ accountByName: `own${made}` })
  assert.equal((await links(accountByName?.userId ?? "")).length, 1)
})

test("jellyfin-plugin-sso #186, better-auth #10403: the same sub of another issuer is another person", async () => {
  const { name, userId } = await victim()
  const there = { ...providerAt("https://other.example", { name: "corp" }) }
  assert.ok((await linkAccount(server.latchkey, there, name, "shared-sub", OPERATOR)).ok)
  // The operator points the same name at another issuer.
  offer()
  const { browser, page } = await arrive({
    sub: "shared-sub",
    preferred_username: name,
    email_verified: true,
  })
  assert.match(page.text, /No account here is connected/)
  assert.equal(await isSignedInAs(browser, name), false)
  assert.equal((await links(userId))[0]?.issuer, "https://other.example")
})

test("RFC 9700 §4.4: a callback of one provider takes no answer of another", async () => {
  const corp = offer()
  offer({}, "other")
  const { name } = await victim()
  assert.ok((await linkAccount(server.latchkey, corp, name, "mixed", OPERATOR)).ok)
  const browser = new Browser(server.url)
  const between = await browser.submit(await browser.get("/sign-in"), "/sign-in/with/corp", {})
  upstream.idToken = { sub: "mixed" }
  const query = upstream.visit(leadsTo(between))
  const asked = host.asked.length
  assert.equal((await browser.get(callback(query, "other"))).status, 403)
  assert.equal(host.asked.length, asked)
})

test("GHSA-wv3h-x6c4-r867: a disabled account stays disabled at its provider's sign-in", async () => {
  const provider = offer()
  const { name } = await victim()
  assert.ok((await linkAccount(server.latchkey, provider, name, "disabled", OPERATOR)).ok)

  assert.ok((await setAccountEnabled(server.latchkey, name, false, OPERATOR)).ok)
  const { browser, page } = await arrive({ sub: "disabled" })
  assert.match(page.text, /Your account is disabled/)
  assert.equal(await isSignedInAs(browser, name), false)
})
