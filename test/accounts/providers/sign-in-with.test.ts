import assert from "node:assert/strict"
import { after, test } from "node:test"
import { callbackUrl } from "../../../src/accounts/providers/leave.ts"
import { linkAccount } from "../../../src/accounts/providers/link.ts"
import { Browser } from "../../support/browser.ts"
import type { OpenIdProvider, SignInProvider } from "../../../src/model/sign-in/provider.rules.ts"
import {
  answerDevice,
  fetched,
  headingOf,
  openCode,
  startDevice,
  started,
} from "../../oauth/device/device.ts"
import { authorizePath, connectIn, newVerifier, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import {
  comeBack,
  leadsTo,
  OidcProvider,
  ProviderHost,
  providerAt,
  signInWith,
  TRUSTED,
} from "../../support/oidc.ts"
import { testClock } from "../../support/clock.ts"

const providers = new Map<string, SignInProvider>()

function offer(more: Partial<OpenIdProvider> = {}): void {
  providers.set("corp", providerAt(host.url, more))
}

const host = await ProviderHost.open()
const upstream = new OidcProvider(host)
offer()
const { testServer: server } = await fixture({
  outgoing: TRUSTED,
  providers,
  clock: testClock(Math.floor(Date.now() / 1000)),
  accounts: ["ada"],
})
upstream.accept(callbackUrl(server.issuer, "corp"))
const linked = await linkAccount(server.latchkey, providerAt(host.url), "ada", "ada-at-work", {
  address: null,
})
assert.ok(linked.ok)

after(() => host.close())

test("UP-1 a person signs in to the account that is linked to issuer and subject", async () => {
  upstream.member = { sub: "ada-at-work" }
  const browser = new Browser(server.url)
  const answer = await signInWith(server, browser, await browser.get("/sign-in"))
  assert.equal(answer.status, 303, answer.text)
  assert.equal(answer.location, "/account")
  assert.match((await browser.get("/account")).text, /ada/)
})

test("UP-1 the authorization request that waits survives the way to the provider and back", async () => {
  upstream.member = { sub: "ada-at-work" }
  const app = await server.addApp()
  const state = "x".repeat(4000)
  const path = authorizePath(app, newVerifier().challenge, { state })
  const browser = new Browser(server.url)
  const answer = await signInWith(server, browser, await browser.get(path))
  assert.equal(answer.location, path)
  assert.match((await browser.get(path)).text, /Paperclip/)
})

test("UP-2 the answer to the button is a page that goes on by itself, with PKCE, state and nonce", async () => {
  const browser = new Browser(server.url)
  const between = await browser.submit(await browser.get("/sign-in"), "/sign-in/with/corp", {})
  const url = new URL(leadsTo(between))
  assert.equal(url.origin, host.url)
  assert.equal(url.searchParams.get("code_challenge_method"), "S256")
  for (const name of ["state", "nonce", "code_challenge"])
    assert.equal(url.searchParams.get(name)?.length, 43)
  assert.match(between.text, /Continue to/)
})

test("UP-1 a device flow that begins signed out passes through the provider, and the device gets its tokens", async () => {
  upstream.member = { sub: "ada-at-work" }
  const app = await server.addApp()
  const grant = await startDevice(server, app, { scope: "account:read" })
  const browser = new Browser(server.url)
  const answer = await signInWith(server, browser, await openCode(browser, grant.userCode))
  assert.equal(answer.status, 303)
  assert.match(answer.location ?? "", /^\/oauth\/device\?user_code=/)
  await answerDevice(browser, grant, "authorize")
  assert.equal((await fetched(server, app, grant)).scope, "account:read")
})

test("UP-12, STEP-2 a person without a password confirms a step-up at the provider, or learns how to become able to", async () => {
  const app = await server.addApp({ stepUp: true })
  offer({ createAccounts: { domains: [], claim: null } })
  upstream.member = { sub: "grace-at-work", claims: { preferred_username: "grace" } }
  const browser = new Browser(server.url)
  assert.equal((await signInWith(server, browser, await browser.get("/sign-in"))).status, 303)
  const { access_token } = await connectIn(browser, server, app)
  const opened = await send(server, "/oauth/step-up", {}, { authorization: `Bearer ${access_token}` })
  const { userCode } = started(opened.body)
  const page = await openCode(browser, userCode)
  const between = await browser.submit(page, "/oauth/consent", { provider: "corp" })
  providers.clear()
  const without = await openCode(browser, userCode)
  assert.match(without.text, /Your account has no password\. Set one or add a passkey/)
  offer()
  assert.equal(headingOf(await comeBack(server, browser, leadsTo(between))), "Confirmed")
})
