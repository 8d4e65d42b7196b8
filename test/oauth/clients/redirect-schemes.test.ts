/** Tests private-use schemes, everywhere a redirect URI can be registered. */
import assert from "node:assert/strict"
import { before, describe, test } from "node:test"
import { findApp, updateApp } from "../../../src/apps/app.ts"
import type { Browser } from "../../support/browser.ts"
import { authorizePath, newVerifier, signedInBrowser } from "../../support/connect.ts"
import { ask, openWorld } from "../../admin/api/api-world.ts"
import { register, TOOL } from "../../apps/registration/register.ts"
import { OPERATOR } from "../../support/test-server.ts"

const NAMED = "cursor://anysphere.cursor-mcp/callback"
const WITH_PERIOD = "com.example.app:/callback"
const WITHOUT_PERIOD = "paper://callback"
const RESERVED = [
  "SMB://share/x",
  "search-ms:/x",
  "ms-settings:/x",
  "intent://x/y",
  "x-apple.systempreferences:/x",
]
const NO_PERIOD = /The scheme paper: has no period/
const REFUSED = /is not an app's, because it/

const world = await openWorld()
const { testServer, browser: root } = world
const ada = await signedInBrowser(testServer, "ada")
await testServer.set("registration.open", "on")
await testServer.set("rate_limit.oauth_anonymous", "off")

/** Registers the URI in one way. Returns the error, or null if it was registered. */
type Front = (uri: string) => Promise<string | null>

const selfRegistered: Front = async (uri) => {
  const { status, body } = await register(world.testServer, { ...TOOL, redirect_uris: [uri] })
  if (status === 201) return null
  assert.equal(body["error"], "invalid_redirect_uri")
  return String(body["error_description"])
}

function byApi(path: string, token: () => string): Front {
  return async (uri) => {
    const body = { client_type: "public", client_name: "Paper", redirect_uris: [uri], scope: "files:read" }
    const answer = await ask(world.testServer, token(), { method: "POST", path, body })
    return answer.status === 201 ? null : JSON.stringify(answer.body)
  }
}

function byPage(browser: () => Browser, path: string): Front {
  return async (uri) => {
    const page = await browser().get(path)
    const typed = { type: "public", name: "Paper", redirect_uris: uri, permission: ["files:read"] }
    const answer = await browser().submit(page, path, typed)
    return answer.status === 303 ? null : answer.text.replaceAll("&#39;", "'")
  }
}

const restricted: Readonly<Record<string, Front>> = {
  "an app that registers itself": selfRegistered,
  "a user's app by API": byApi("/api/apps", () => world.ada.access_token),
  "a user's app on the account page": byPage(() => ada, "/account/apps/new"),
}
const administrators: Readonly<Record<string, Front>> = {
  "an administrator by API": byApi("/api/admin/apps", () => world.full.access_token),
  "an administrator in the console": byPage(() => root, "/console/app/new"),
}

for (const [name, front] of Object.entries(restricted)) {
  test(`REDIR-5: ${name} needs a period or a scheme that the setting names`, async () => {
    for (const uri of [NAMED, WITH_PERIOD]) assert.equal(await front(uri), null, uri)
    assert.match((await front(WITHOUT_PERIOD)) ?? "registered", NO_PERIOD)
    for (const uri of RESERVED) assert.match((await front(uri)) ?? "registered", REFUSED, uri)
    await world.testServer.set("registration.schemes", "paper")
    assert.equal(await front(WITHOUT_PERIOD), null)
    assert.match((await front(NAMED)) ?? "registered", /The scheme cursor: has no period/)
    await world.testServer.set("registration.schemes", "cursor vscode vscode-insiders windsurf")
  })
}

for (const [name, front] of Object.entries(administrators)) {
  test(`REDIR-5: ${name} registers any scheme that no system gives a meaning to`, async () => {
    for (const uri of [NAMED, WITH_PERIOD, WITHOUT_PERIOD]) assert.equal(await front(uri), null, uri)
    for (const uri of RESERVED) assert.match((await front(uri)) ?? "registered", REFUSED, uri)
  })
}

describe("REDIR-5: an address that is registered already stays until it is changed", () => {
  let clientId: string
  const path = () => `/api/apps/${clientId}`
  const patch = (body: unknown, token = world.ada.access_token) =>
    ask(world.testServer, token, { method: "PATCH", path: path(), body })

  before(async () => {
    const app = { client_type: "public", client_name: "Paper", scope: "files:read" }
    const sent = { method: "POST", path: "/api/apps", body: app }
    clientId = String((await ask(world.testServer, world.ada.access_token, sent)).body["client_id"])
    const added = { addRedirectUris: [WITHOUT_PERIOD] }
    assert.ok((await updateApp(world.testServer.latchkey, clientId, added, OPERATOR)).ok)
  })

  test("its app is authorized, and changed in everything else", async () => {
    const found = await findApp(world.testServer.latchkey, clientId)
    assert.ok(found.ok)
    const app = { client: found.value.client, clientId, secret: null }
    const asked = { redirect_uri: WITHOUT_PERIOD }
    const page = await ada.get(authorizePath(app, newVerifier().challenge, asked))
    assert.match(page.text, /name="decision"/)
    assert.equal((await patch({ client_name: "Better" })).status, 200)
    const { body } = await ask(world.testServer, world.ada.access_token, { method: "GET", path: path() })
    const kept = body["redirect_uris"] as string[]
    assert.equal((await patch({ redirect_uris: [...kept, NAMED] })).status, 200)
    const edit = "/account/apps/edit"
    const form = await ada.get(`${edit}?id=${clientId}`)
    const saved = await ada.submit(form, edit, {
      name: "Best",
      redirect_uris: kept.join("\n"),
      permission: ["files:read"],
    })
    assert.equal(saved.status, 303, saved.text)
  })

  test("another one of that scheme is refused to its owner, by API, in its preview and on the page", async () => {
    const other = { redirect_uris: ["paper://other"] }
    for (const query of ["", "?preview=true"]) {
      const at = path() + query
      const answer = await ask(world.testServer, world.ada.access_token, {
        method: "PATCH",
        path: at,
        body: other,
      })
      assert.equal(answer.status, 400)
      assert.match(JSON.stringify(answer.body), NO_PERIOD)
    }
    const edit = "/account/apps/edit"
    const form = await ada.get(`${edit}?id=${clientId}`)
    const typed = { name: "Best", redirect_uris: "paper://other", permission: ["files:read"] }
    const refused = await ada.submit(form, edit, typed)
    assert.equal(refused.status, 400)
    assert.match(refused.text, NO_PERIOD)
  })

  test("an administrator adds it", async () => {
    const body = { redirect_uris: [WITHOUT_PERIOD, "paper://other"] }
    const at = `/api/admin/apps/${clientId}`
    const answer = await ask(world.testServer, world.full.access_token, { method: "PATCH", path: at, body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  })
})
