/** What proved a sign-in, for each way to sign in. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { Authenticator } from "../../support/authenticator.ts"
import { Browser } from "../../support/browser.ts"
import { REDIRECT_URI, signedInBrowser } from "../../support/connect.ts"
import { grant } from "../../support/grant.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { PASSWORD, type TestApp } from "../../support/test-server.ts"
import { accountWithTotp, addPasskey, codeAt, passkeyOptions } from "../../accounts/factors/factors.ts"

const visits = await ProviderVisits.open({ settings: { "openid.enabled": "on" } })
const { server } = visits
await fetch(`${server.url}/oauth/jwks`)
const app: TestApp = await server.addApp({ permissions: ["openid"], redirectUris: [REDIRECT_URI] })

async function factsFor(browser: Browser): Promise<readonly unknown[]> {
  const { id_token = "" } = (await grant(server, browser, app, { scope: "openid" })) as { id_token?: string }
  const payload = Buffer.from(id_token.split(".")[1] ?? "", "base64url").toString()
  const { acr, amr, auth_time } = JSON.parse(payload) as Record<string, unknown>
  return [acr, amr, auth_time]
}

const now = () => visits.clock.now()

test("OIDC-4 a password, and a one-time code after it or alone", async () => {
  const secret = await accountWithTotp(server, "ada")
  const ada = new Browser(server.url)
  const code = () => ({ code: codeAt(server, secret) })
  await ada.submit(await ada.signIn("ada", PASSWORD), "/sign-in/code", code())
  assert.deepEqual(await factsFor(ada), ["2", ["pwd", "otp", "mfa"], now()])
  visits.clock.advance(600)
  const page = await ada.get("/account/security/totp")
  const proven = await ada.submit(page, "/account/prove", code())
  assert.equal(proven.status, 303, proven.text)
  assert.deepEqual(await factsFor(ada), ["2", ["otp", "mfa"], now()])
})

test("OIDC-4 a passkey after a password, and one alone", async () => {
  await server.addAccount("bob")
  const authenticator = new Authenticator()
  const first = await signedInBrowser(server, "bob")
  assert.deepEqual(await factsFor(first), ["1", ["pwd"], now()])
  await addPasskey(server, first, authenticator)
  assert.deepEqual(await factsFor(first), ["2", ["hwk", "user", "mfa"], now()])
  const prove = async (browser: Browser, page: { readonly text: string }, path: string) => {
    const response = authenticator.get(passkeyOptions(page.text), { origin: server.issuer })
    const answer = await browser.submit(page as Awaited<ReturnType<Browser["get"]>>, path, {
      response,
      proof: "passkey",
    })
    assert.equal(answer.status, 303, answer.text)
  }
  const alone = new Browser(server.url)
  await prove(alone, await alone.get("/sign-in"), "/sign-in/passkey")
  assert.deepEqual(await factsFor(alone), ["2", ["hwk", "user", "mfa"], now()])
  const after = new Browser(server.url)
  await prove(after, await after.signIn("bob", PASSWORD), "/sign-in/code")
  assert.deepEqual(await factsFor(after), ["2", ["pwd", "hwk", "user", "mfa"], now()])
})

test("OIDC-4 a provider says what proved it, or there is nothing", async () => {
  await server.addAccount("cyd")
  await visits.link("cyd", "cyd")
  const silent = await visits.arrive({ sub: "cyd" })
  assert.deepEqual(await factsFor(silent.browser), ["1", undefined, undefined])
  const said = await visits.arrive({ sub: "cyd", auth_time: now() - 5, amr: ["pwd", 7, "x y", "sms"] })
  assert.deepEqual(await factsFor(said.browser), ["1", ["pwd", "sms"], now() - 5])
  visits.offer({ secondFactor: { acr: ["strong"], amr: [] } })
  const strong = await visits.arrive({ sub: "cyd", auth_time: now(), acr: "strong" })
  assert.deepEqual(await factsFor(strong.browser), ["2", ["mfa"], now()])
  visits.offer()
  const secret = await accountWithTotp(server, "dan")
  await visits.link("dan", "dan")
  const { browser, page } = await visits.arrive({ sub: "dan", amr: ["pwd"] })
  await browser.submit(page, "/sign-in/code", { code: codeAt(server, secret) })
  assert.deepEqual(await factsFor(browser), ["2", ["otp", "mfa"], now()])
})
