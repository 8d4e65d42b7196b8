/** Tests keys in the browser. Forms of apps register and change them, and pages show their thumbprints. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { calculateJwkThumbprint } from "jose"
import type { ClientId } from "../../../src/kernel/ids.ts"
import type { Browser } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"
import { Signer } from "../../support/signer.ts"

const { testServer, ada, bob } = await fixture({
  admins: ["ada"],
  accounts: ["bob"],
  browsers: ["ada", "bob"],
})
const signer = await Signer.make()
const jwks = JSON.stringify({ keys: [signer.publicJwk] })

const APP = { name: "Signer", type: "confidential", redirect_uris: "https://app.example/callback" }

async function submit(browser: Browser, path: string, fields: Record<string, string>, query = "") {
  return browser.submit(await browser.get(path + query), path, fields)
}

async function registered(browser: Browser, path: string, fields: Record<string, string>): Promise<ClientId> {
  const answer = await submit(browser, path, { ...APP, ...fields })
  assert.equal(answer.status, 303, answer.text)
  const id = new URL(answer.location ?? "", testServer.url).searchParams.get("id")
  return id as ClientId
}

const keysOf = async (clientId: ClientId) => (await testServer.store.read({ client: clientId })).client?.keys

test("KEY-2 an account holder registers an app with keys, sees them by thumbprint and replaces them", async () => {
  const id = await registered(bob, "/account/apps/new", { jwks })
  assert.equal((await keysOf(id))?.jwksUri, null)
  const page = (await bob.get(`/account/apps/app?id=${id}`)).text
  assert.ok(page.includes(await calculateJwkThumbprint(signer.publicJwk)))
  assert.ok(page.includes(signer.kid))
  assert.ok(!page.includes("New secret"))
  const other = await Signer.make("EdDSA")
  const changed = await submit(
    bob,
    "/account/apps/edit",
    { ...APP, jwks: JSON.stringify({ keys: [other.publicJwk] }) },
    `?id=${id}`,
  )
  assert.equal(changed.status, 303, changed.text)
  assert.equal((await keysOf(id))?.jwks, other.keys.jwks)
  // An empty field leaves the keys unchanged.
  assert.equal((await submit(bob, "/account/apps/edit", { ...APP, name: "Other" }, `?id=${id}`)).status, 303)
  assert.equal((await keysOf(id))?.jwks, other.keys.jwks)
})

test("KEY-2 an account holder cannot register an address of keys", async () => {
  const form = (await bob.get("/account/apps/new")).text
  assert.ok(form.includes('name="jwks"') && !form.includes('name="jwks_uri"'))
  const id = await registered(bob, "/account/apps/new", { jwks, jwks_uri: "https://app.example/keys" })
  assert.equal((await keysOf(id))?.jwksUri, null)
})

test("KEY-2, KEY-8 an administrator registers an address of keys, and sees what came of it", async () => {
  const id = await registered(ada, "/console/app/new", { jwks_uri: "https://app.example/keys" })
  assert.equal((await keysOf(id))?.jwksUri, "https://app.example/keys")
  const page = async () => (await ada.get(`/console/app?id=${id}`)).text
  assert.match(await page(), /https:\/\/app\.example\/keys[\s\S]*Not yet[\s\S]*None known/)
  const { jwks: copy } = signer.keys
  const fetched = {
    clientId: id,
    jwksUri: "https://app.example/keys",
    triedAt: testServer.clock.now(),
    problem: "The host did not answer in time.",
    copy: { jwks: copy ?? "", fetchedAt: testServer.clock.now() },
  }
  await testServer.store.change({}, () => ({ answer: null, changes: [{ change: "keysFetched", fetched }] }))
  assert.match(await page(), /The host did not answer in time\./)
  assert.ok((await page()).includes(await calculateJwkThumbprint(signer.publicJwk)))
})

test("KEY-3 keys that cannot be registered are named at their field, and nothing is registered", async () => {
  for (const [fields, problem] of [
    [{ jwks: "{" }, /It is not a JSON object with a list of keys/],
    [{ jwks: JSON.stringify({ keys: [{ kty: "oct", k: "AAAA" }] }) }, /is not a public key/],
    [{ jwks, type: "public" }, /A public app cannot hold a key/],
    [{ jwks, jwks_uri: "https://app.example/keys" }, /not both/],
    [{ jwks_uri: "http://app.example/keys" }, /does not begin with https/],
  ] as const) {
    const answer = await submit(ada, "/console/app/new", { ...APP, ...fields })
    assert.equal(answer.status, 400)
    assert.match(answer.text, problem)
  }
})

test("KEY-2 a key replaces the secret only after a confirmation, which covers these keys alone", async () => {
  for (const [browser, path] of [
    [bob, "/account/apps"],
    [ada, "/console/app"],
  ] as const) {
    const id = (await testServer.addApp({ type: "confidential", ownerName: "bob", permissions: [] }))
      .clientId as ClientId
    const other = JSON.stringify({ keys: [(await Signer.make("EdDSA")).publicJwk] })
    const edit = `${path}/edit`
    const asked = await submit(browser, edit, { ...APP, jwks }, `?id=${id}`)
    assert.equal(asked.status, 200, asked.text)
    assert.match(asked.text, /Its secret stops working at once, and the app cannot go back to a secret\./)
    assert.doesNotMatch(asked.text, /A permission that you add again later/)
    const changed = await browser.submit(asked, edit, { jwks: other })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(await keysOf(id), null)
    assert.equal((await browser.submit(changed, edit, {})).status, 303)
    assert.equal((await keysOf(id))?.jwksUri, null)
  }
})
