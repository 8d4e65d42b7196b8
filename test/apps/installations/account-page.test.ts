/** Tests GET /account and its buttons. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { authorizePath, connect, newVerifier, refresh, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"

const { testServer, ada, app } = await fixture({
  admins: ["ada"],
  accounts: ["bob"],
  browsers: ["ada"],
  apps: { app: { name: "Notebook" } },
})

test("the account page sends a stranger to sign in, and shows a person what holds access", async () => {
  const stranger = await fetch(`${testServer.url}/account`, { redirect: "manual" })
  assert.equal(stranger.status, 303)
  assert.equal(stranger.headers.get("location"), "/sign-in")

  await connect(testServer, app, "ada", { installation_name: "Ada's laptop" })
  const page = await ada.get("/account")
  assert.ok(page.text.includes("Notebook"))
  assert.ok(page.text.includes("Ada&#39;s laptop"))
})

test("CRED-3 the account holder ends what an app holds, at once and for good", async () => {
  const held = await connect(testServer, app, "ada")
  const page = await ada.get(`/account/end-access?token_id=${held.token_id}`)
  assert.equal(page.status, 200)
  assert.equal((await refresh(testServer, app, held.refresh_token)).status, 200)
  const answer = await ada.submit(page, "/account/end-access", {})
  assert.equal(answer.status, 303)
  assert.equal(answer.location, "/account?done=ended")
  const refused = await refresh(testServer, app, held.refresh_token)
  assert.equal(refused.body["error"], "invalid_grant")
  const api = await fetch(`${testServer.url}/api/credential`, {
    headers: { authorization: `Bearer ${held.access_token}` },
  })
  assert.equal(api.status, 401)
})

test("CRED-3 an account ends only its own credentials, and no other site ends anything", async () => {
  const held = await connect(testServer, app, "ada")
  const bob = await signedInBrowser(testServer, "bob")
  await connect(testServer, app, "bob")
  assert.equal((await bob.get(`/account/end-access?token_id=${held.token_id}`)).status, 404)
  const mine = await bob.get("/account/end-access?all=yes")
  const bobs = await bob.submit(mine, "/account/end-access", { token_id: held.token_id })
  assert.equal(bobs.status, 303)
  const foreign = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" }
  const forged = await ada.post("/account/end-access", { token_id: held.token_id }, foreign)
  assert.equal(forged.status, 403)
  assert.equal((await refresh(testServer, app, held.refresh_token)).status, 200)
})

test("SVC-3 after signing out on a consent page, the same request goes on once signed in again", async () => {
  const browser = await signedInBrowser(testServer, "bob")
  const consent = await browser.get(authorizePath(app, newVerifier().challenge, { state: "kept" }))
  const out = await browser.submit(consent, "/sign-out", {})
  assert.equal(out.status, 303)
  const signIn = await browser.get(out.location ?? "")
  assert.ok(signIn.text.includes('name="password"'))
  assert.ok(signIn.text.includes("Notebook"))
})
