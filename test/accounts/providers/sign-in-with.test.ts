import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { callbackUrl } from "../../../src/accounts/providers/leave.ts"
import { linkAccount } from "../../../src/accounts/providers/link.ts"
import { Browser } from "../../support/browser.ts"
import { newVerifier, authorizePath } from "../../support/connect.ts"
import { leadsTo, OidcProvider, ProviderHost, providerAt, signInWith, TRUSTED } from "../../support/oidc.ts"
import { testClock } from "../../support/clock.ts"
import { TestServer } from "../../support/test-server.ts"

let host: ProviderHost
let upstream: OidcProvider
let server: TestServer

before(async () => {
  host = await ProviderHost.open()
  upstream = new OidcProvider(host)
  const work = providerAt(host.url)
  server = await TestServer.open({
    outgoing: TRUSTED,
    providers: new Map([[work.name, work]]),
    clock: testClock(Math.floor(Date.now() / 1000)),
  })
  upstream.accept(callbackUrl(server.issuer, "work"))
  await server.addAccount("ada")
  const linked = await linkAccount(server.latchkey, work, "ada", "ada-at-work", { address: null })
  assert.ok(linked.ok)
})

after(async () => {
  await server.close()
  await host.close()
})

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
  const between = await browser.submit(await browser.get("/sign-in"), "/sign-in/with/work", {})
  const url = new URL(leadsTo(between))
  assert.equal(url.origin, host.url)
  assert.equal(url.searchParams.get("code_challenge_method"), "S256")
  for (const name of ["state", "nonce", "code_challenge"])
    assert.equal(url.searchParams.get(name)?.length, 43)
  assert.match(between.text, /Continue to/)
})
