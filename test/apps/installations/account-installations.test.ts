/** Tests GET /account and /account/end-access with many installations, and the facts that they show. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { refresh, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { grant, tokenIdOf } from "../../support/grant.ts"
import { credentialRow, everything } from "../../support/stored.ts"

const { testServer, notebook } = await fixture({
  rateLimit: "off",
  accounts: ["ada", "bob", "many"],
  apps: { notebook: { name: "Notebook" } },
})

const links = (text: string, start: string) =>
  [...text.matchAll(/href="([^"]*)"/g)]
    .map(([, to = ""]) => to.replaceAll("&amp;", "&"))
    .filter((to) => to.startsWith(start))
const live = async () =>
  (await everything(testServer))["credential"]?.filter((row) => row["state"] === "active").length

test("CRED-1 where an app was last used from is that of its last exchange or refresh", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const held = await grant(testServer, ada, notebook)
  const id = tokenIdOf(held.access_token)
  assert.equal((await credentialRow(testServer, id))["rotated_from"], "127.0.0.1")
  assert.match((await ada.get("/account")).text, /Network address<\/dt>\s*<dd><bdi>127\.0\.0\.1</)
  testServer.clock.advance(3600)
  assert.equal((await refresh(testServer, notebook, held.refresh_token)).status, 200)
  const row = await credentialRow(testServer, id)
  assert.deepEqual([row["rotated_at"], row["rotated_from"]], [testServer.clock.now(), "127.0.0.1"])
})

test("CRED-3 all installations of an app end together, those of other apps and other people stay", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const other = await testServer.addApp({ name: "Kept" })
  const bob = await signedInBrowser(testServer, "bob")
  const [kept, bobs] = [await grant(testServer, ada, other), await grant(testServer, bob, notebook)]
  const held = [await grant(testServer, ada, notebook), await grant(testServer, ada, notebook)]
  const page = await ada.get(`/account/end-access?app=${notebook.clientId}`)
  const answer = await ada.submit(page, "/account/end-access", {})
  assert.deepEqual([answer.status, answer.location], [303, "/account?done=ended"])
  for (const { refresh_token } of held)
    assert.equal((await refresh(testServer, notebook, refresh_token)).body["error"], "invalid_grant")
  assert.equal((await refresh(testServer, other, kept.refresh_token)).status, 200)
  assert.equal((await refresh(testServer, notebook, bobs.refresh_token)).status, 200)
  assert.equal((await ada.get(`/account/end-access?app=${notebook.clientId}`)).status, 404)
})

test("CRED-3 an app of which the account has nothing is answered like one that does not exist", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const paths = [
    "app=unknown",
    "token_id=unknown",
    `app=${(await testServer.addApp()).clientId}`,
    "",
    "all=no",
  ]
  for (const query of paths) assert.equal((await ada.get(`/account/end-access?${query}`)).status, 404, query)
  const earlier = await live()
  const page = await ada.get("/account/end-access?all=yes")
  for (const fields of [{ all: "no" }, { all: "", app: "unknown" }, { all: "", token_id: "unknown" }])
    assert.equal((await ada.submit(page, "/account/end-access", fields)).location, "/account")
  assert.equal(await live(), earlier)
})

test("CRED-3 ending access takes a fresh proof, and goes on to the same question after it", async () => {
  const ada = await signedInBrowser(testServer, "ada")
  const held = await grant(testServer, ada, notebook)
  const page = await ada.get(`/account/end-access?token_id=${held.token_id}`)
  testServer.clock.advance(301)
  const late = await ada.submit(page, "/account/end-access", {})
  assert.ok(late.text.includes("Confirm that it’s you"))
  assert.equal((await refresh(testServer, notebook, held.refresh_token)).status, 200)
  const again = await ada.get(`/account/end-access?token_id=${held.token_id}`)
  const proven = await ada.submit(again, "/account/prove", { password: "correct horse battery staple" })
  assert.equal(proven.location, `/account/end-access?token_id=${held.token_id}`)
  assert.equal((await ada.submit(await ada.get(proven.location), "/account/end-access", {})).status, 303)
  assert.equal((await credentialRow(testServer, held.token_id))["state"], "revoked")
})

test("GRANT-1 three hundred installations: paged by key, each once, newest first; ended all at once, twice", async () => {
  const browser = await signedInBrowser(testServer, "many")
  const other = await testServer.addApp({ name: "Second" })
  const held: string[] = []
  for (let i = 0; i < 300; i++)
    held.push((await grant(testServer, browser, i % 3 === 0 ? other : notebook)).token_id)
  const seen: string[] = []
  let path: string | undefined = "/account"
  while (path !== undefined) {
    const { text } = await browser.get(path)
    seen.push(...links(text, "/account/end-access?token_id=").map((to) => to.slice(-26)))
    assert.ok(text.includes("Show all 200") || path.includes("after="), path)
    path = links(text, "/account?after=")[0]
    assert.ok(seen.length <= 300)
  }
  assert.deepEqual(seen.toSorted(), held.toSorted())
  const ofOne = await browser.get(`/account?app=${other.clientId}`)
  assert.equal(links(ofOne.text, "/account/end-access?token_id=").length, 50)
  assert.ok(!ofOne.text.includes("Notebook"))

  const page = await browser.get("/account/end-access?all=yes")
  assert.ok(page.text.includes("300 installations of 2 apps"))
  const earlier = (await live()) ?? 0
  const ended = await browser.submit(page, "/account/end-access", {})
  assert.match((await browser.get(ended.location ?? "")).text, /All access has ended/)
  // Nothing was left to end, so the page shows no message.
  assert.equal((await browser.submit(page, "/account/end-access", {})).location, "/account")
  assert.equal(await live(), earlier - 300)
  assert.ok((await browser.get("/account")).text.includes("No app has access to your account."))
})
