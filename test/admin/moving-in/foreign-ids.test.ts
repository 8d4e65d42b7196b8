/** Accounts and apps that keep the ids of another service, in every place that names them. MOVE-2. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { hashSync } from "bcryptjs"
import { importFile } from "../../../src/admin/moving-in/import.ts"
import type { SourceName } from "../../../src/admin/moving-in/source.ts"
import { ask, openWorld } from "../api/api-world.ts"
import { REDIRECT_URI, signedInBrowser } from "../../support/connect.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { grant } from "../../support/grant.ts"
import { Authenticator } from "../../support/authenticator.ts"
import { Browser } from "../../support/browser.ts"
import { addPasskey, passkeyOptions } from "../../accounts/factors/factors.ts"

const IDS = [
  "auth0|5f7c8ec7c33c6c004bbafe82",
  "</td><script>alert(1)</script>",
  `"onmouseover="alert(1)`,
  "'';--",
  "a/b//c",
  "/",
  "../../admin",
  "%2e%2e%2f",
  "%",
  "?id=x&do=remove",
  "#top",
  "a&amp;b",
  "\\",
  "--json",
  "{user_id}",
  ":id",
  "=cmd",
  "x".repeat(255),
]
const APP_IDS = ["legacy-app.1", "~", "_x", "register", "y".repeat(255)]

const world = await openWorld()
const hash = hashSync(PASSWORD, 4)
const quoted = (id: string) => `"${id.replaceAll('"', '""')}"`
const rows = IDS.map((id, number) => `${quoted(id)},person${number},${hash}`)
await imported("csv", ["user_id,username,password_hash", ...rows, ""].join("\n"))
await imported("hydra", JSON.stringify(APP_IDS.map(appOf)))

function appOf(client_id: string) {
  const redirect_uris = [REDIRECT_URI]
  return {
    client_id,
    client_name: "Old",
    redirect_uris,
    scope: "files:read",
    token_endpoint_auth_method: "none",
  }
}

async function imported(source: SourceName, text: string): Promise<void> {
  const { testServer } = world
  const file = join(testServer.dir, "export")
  writeFileSync(file, text)
  const given = { source, file, isDryRun: false }
  const answer = await importFile(
    testServer.latchkey,
    given,
    () => undefined,
    () => undefined,
  )
  assert.ok(answer.ok && answer.value.skipped.length === 0, JSON.stringify(answer))
}

const escaped = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

describe("MOVE-2 ids of another service", () => {
  for (const [number, id] of IDS.entries()) {
    const shown = id.slice(0, 40)
    const encoded = encodeURIComponent(id)
    const name = `person${number}`

    test(`${shown}: the API reads, changes and lists the account`, async () => {
      const { testServer, full } = world
      const api = (method: string, path: string, body?: object) =>
        ask(testServer, full.access_token, { method, path: `/api/admin/accounts${path}`, body })
      assert.equal((await api("GET", `/${encoded}`)).body["user_id"], id)
      const changed = await api("PATCH", `/${encoded}`, { enabled: false })
      assert.deepEqual([changed.status, changed.body["enabled"]], [200, false], JSON.stringify(changed.body))
      assert.equal((await api("PATCH", `/${encoded}`, { enabled: true })).status, 200)
      assert.equal((await api("GET", `/${encoded}/factors`)).status, 200)
      assert.equal((await api("GET", `?name_begins=${name}&limit=1`)).body["error"], undefined)
      assert.equal((await api("GET", `?after=${encoded}`)).status, 200)
      const path = `/api/admin/events?user_id=${encoded}`
      const events = await ask(testServer, full.access_token, { method: "GET", path })
      assert.equal(events.status, 200, JSON.stringify(events.body))
    })

    test(`${shown}: pages of the console name it, escaped, and its forms reach it`, async () => {
      const { browser, testServer } = world
      const page = await browser.get(`/console/account?id=${encoded}`)
      assert.equal(page.status, 200)
      assert.ok(page.text.includes(escaped(id)), page.text)
      if (/[<"]/.test(id)) assert.ok(!page.text.includes(id))
      const links = [...page.text.matchAll(/href="([^"]*\?id=[^"]*)"/g)].map(([, href = ""]) => href)
      assert.ok(links.length > 2)
      for (const href of links)
        assert.equal((await browser.get(href.replaceAll("&amp;", "&").replaceAll("&#39;", "'"))).status, 200)
      const action = "/console/account/act"
      const confirm = await browser.get(`${action}?id=${encoded}&do=disable`)
      const done = await browser.submit(confirm, action, {})
      assert.equal(done.location, `/console/account?id=${encoded}&done=disabled`)
      const { account } = await testServer.store.read({ account: id as never })
      assert.equal(account?.enabled, false)
      await browser.submit(await browser.get(`${action}?id=${encoded}&do=enable`), action, {})
      for (const path of ["/console/events", "/console/credentials", "/console/apps"])
        for (const field of ["account", "owner"])
          assert.equal((await browser.get(`${path}?${field}=${encoded}`)).status, 200, path)
    })

    test(`${shown}: its person signs in, connects an app, and the token names it`, async () => {
      const { testServer, app } = world
      const person = await signedInBrowser(testServer, name)
      assert.equal((await person.get("/account")).status, 200)
      const tokens = await grant(testServer, person, app)
      assert.equal(tokens.user_id, id)
      const own = await ask(testServer, tokens.access_token, { method: "GET", path: "/api/account" })
      assert.equal(own.body["user_id"], id)
      assert.deepEqual(await testServer.store.verify(), [])
    })
  }

  for (const id of APP_IDS)
    test(`${id.slice(0, 40)}: an app`, async () => {
      const { browser, testServer, full } = world
      const path = `/api/admin/apps/${id}`
      assert.equal((await ask(testServer, full.access_token, { method: "GET", path })).body["client_id"], id)
      assert.equal((await browser.get(`/console/app?id=${id}`)).status, 200)
      const app = { clientId: id, secret: null, client: null as never }
      const person = await signedInBrowser(testServer, "person0")
      const tokens = await grant(testServer, person, app)
      assert.equal(tokens.scope, "workers:read files:read")
    })

  test("a person with a long id adds a passkey, and signs in by it alone", async () => {
    const name = `person${IDS.indexOf("x".repeat(255))}`
    const { testServer } = world
    const authenticator = new Authenticator()
    const added = await addPasskey(testServer, await signedInBrowser(testServer, name), authenticator)
    assert.equal(added.location, "/account/security", added.text)
    const browser = new Browser(testServer.url)
    const page = await browser.get("/sign-in")
    const response = authenticator.get(passkeyOptions(page.text), { origin: testServer.issuer })
    assert.equal((await browser.submit(page, "/sign-in/passkey", { response })).location, "/account")
  })
})
