/**
 * A permission cannot be removed while another registered permission implies it. Tests the API, the console and the
 * account pages.
 */
import assert from "node:assert/strict"
import { test } from "node:test"
import { signedInBrowser } from "../support/connect.ts"
import { textOf } from "../platform/ui/markup.ts"
import { ask, assertError, openWorld } from "../admin/api/api-world.ts"

const CEILING = ["account:read", "files:read", "files:write"]
const REFUSED = /files:read cannot be removed: files:write implies it/

const world = await openWorld()
const ada = await signedInBrowser(world.testServer, "ada")

const ceilingOf = async (clientId: string) => {
  const { client } = await world.testServer.store.read({ client: clientId as never })
  return client?.ceiling.join(" ")
}

/** Adds an app of the account "ada", which administrators can also see. */
async function adasApp(): Promise<string> {
  const body = { client_type: "public", client_name: "Sync", scope: CEILING.join(" ") }
  const { access_token } = world.ada
  const registered = await ask(world.testServer, access_token, { method: "POST", path: "/api/apps", body })
  assert.equal(registered.status, 201, JSON.stringify(registered.body))
  return String(registered.body["client_id"])
}

test("CLIENT-9, API-15: the API refuses it, also as a preview, and removes both at once", async () => {
  for (const [path, { access_token }] of [
    ["/api/apps", world.ada],
    ["/api/admin/apps", world.full],
  ] as const) {
    const id = await adasApp()
    const patch = (scope: string, query = "") => {
      const sent = { method: "PATCH", path: `${path}/${id}${query}`, body: { scope, client_name: "Other" } }
      return ask(world.testServer, access_token, sent)
    }
    for (const query of ["", "?preview=1"])
      assertError(await patch("account:read files:write", query), 400, "INVALID_ARGUMENT", REFUSED)
    assert.equal(await ceilingOf(id), CEILING.join(" "))
    assert.equal((await patch("account:read")).body["scope"], "account:read")
    assert.equal(await ceilingOf(id), "account:read")
  }
})

for (const { of, edit } of [
  { of: "the console", edit: "/console/app/edit" },
  { of: "the account pages", edit: "/account/apps/edit" },
])
  test(`CLIENT-9: ${of} say it at the field, keep what was typed, and remove both at once`, async () => {
    const browser = edit.startsWith("/console") ? world.browser : ada
    const id = await adasApp()
    const page = await browser.get(`${edit}?id=${id}`)
    const typed = { name: "Typed", redirect_uris: "http://127.0.0.1/typed", step_up: "on", owner: "ada" }
    const refused = await browser.submit(page, edit, {
      ...typed,
      permission: ["account:read", "files:write"],
    })
    assert.equal(refused.status, 400)
    const [, problem = ""] = /id="ceiling">[^]*?<p class="problem">([^<]*)</.exec(refused.text) ?? []
    assert.match(problem, REFUSED)
    assert.match(textOf(refused.text), /Check the marked field\./)
    assert.match(refused.text, /value="Typed"[^]*http:\/\/127\.0\.0\.1\/typed/)
    const ticked = [...refused.text.matchAll(/name="permission"\s+value="([^"]*)"[^>]*\schecked/g)]
    assert.deepEqual(
      ticked.map(([, name]) => name),
      ["account:read", "files:write"],
    )
    assert.equal(await ceilingOf(id), CEILING.join(" "))

    const preview = await browser.submit(refused, edit, { ...typed, permission: ["account:read"] })
    assert.equal(preview.status, 200)
    assert.equal((await browser.submit(preview, edit, { permission: ["account:read"] })).status, 303)
    assert.equal(await ceilingOf(id), "account:read")
  })
