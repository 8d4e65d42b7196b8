/** What an app learns about the account at the API, and what one learns that is for other groups. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { returned } from "../../support/answers.ts"
import { authorizePath, newVerifier, REDIRECT_URI } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"
import { setAppGroups, setGroups } from "../../support/groups.ts"
import { OPERATOR } from "../../support/test-server.ts"

const ADDRESS = "bob@example.org"
const permissions = ["openid", "email", "account:read"]

const { testServer, bob, eve } = await fixture({
  accounts: ["bob", "eve"],
  browsers: ["bob", "eve"],
  settings: { "openid.enabled": "on" },
})
const app = await testServer.addApp({ permissions, redirectUris: [REDIRECT_URI] })
assert.ok((await setEmailByOperator(testServer.latchkey, "bob", ADDRESS, OPERATOR)).ok)

async function emailFor(browser: typeof bob, scope: string): Promise<unknown> {
  const { access_token } = await grant(testServer, browser, app, { scope })
  const answer = await fetch(`${testServer.url}/api/account`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  assert.equal(answer.status, 200)
  return ((await answer.json()) as { email?: unknown }).email
}

test("OIDC-12 the account has its address for a token that reaches email, and for no other", async () => {
  assert.equal(await emailFor(bob, "account:read email"), ADDRESS)
  assert.equal(await emailFor(bob, "account:read openid"), undefined)
  assert.equal(await emailFor(eve, "account:read email"), undefined)
})

test("GROUP-5, OIDC-7 an app for a group refuses the others on a page that says whom to ask", async () => {
  const crew = await testServer.addApp({ name: "Crew Desk", permissions, redirectUris: [REDIRECT_URI] })
  await setAppGroups(testServer, crew, "crew")
  const path = (more = {}) =>
    authorizePath(crew, newVerifier().challenge, { scope: "openid email", nonce: "n", ...more })
  const page = await bob.get(path())
  assert.match(page.text, /ask the administrator of/)
  assert.doesNotMatch(page.text, /value="authorize"/)
  const answer = await bob.submit(page, "/oauth/consent", { decision: "refuse" })
  assert.equal(returned(answer, REDIRECT_URI)["error"], "access_denied")
  // Without a page, the app does not learn who is in its groups.
  const silent = async () => returned(await bob.get(path({ prompt: "none" })), REDIRECT_URI)["error"]
  assert.equal(await silent(), "consent_required")
  await setGroups(
    testServer,
    (await testServer.store.read({ accountByName: "bob" })).accountByName?.userId ?? "",
    "crew",
  )
  assert.equal(await silent(), "consent_required")
  assert.match((await bob.get(path())).text, /value="authorize"/)
})

test("OIDC-12 without OpenID Connect, the account has no address", async () => {
  const { access_token } = await grant(testServer, bob, app, { scope: "account:read email" })
  await testServer.set("openid.enabled", "off")
  const headers = { authorization: `Bearer ${access_token}` }
  const answer = await fetch(`${testServer.url}/api/account`, { headers })
  assert.equal("email" in ((await answer.json()) as object), false)
})
