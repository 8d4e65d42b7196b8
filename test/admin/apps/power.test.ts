/** Tests an app that gets power in the console. The change waits for a recent factor, and the typed input is kept. */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { FRESH_PROOF_SECONDS } from "../../../src/kernel/account-limits.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { textOf } from "../../platform/ui/markup.ts"

const {
  testServer,
  userIds: { ada: adaId },
} = await fixture({ admins: ["ada"] })

const stored = async (id: string) => (await testServer.store.read({ client: id as never })).client

describe("ELEV-1: power for an app, in the console", () => {
  const path = "/console/app/new"
  const edit = "/console/app/edit"
  const confidential = {
    type: "confidential",
    redirect_uris: "https://ledger.example/back\r\n  https://ledger.example/other  ",
    verified: "on",
    resource_server: "on",
  }

  test("an app with power waits for a proof, and goes on with all that was typed", async () => {
    const administrator = await signedInBrowser(testServer, "ada")
    testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
    const plain = { name: "Quiet", type: "public", redirect_uris: "http://127.0.0.1/" }
    const page = await administrator.get(path)
    assert.equal(
      (await administrator.submit(page, path, plain)).status,
      303,
      "without power it does not wait",
    )

    const typed = {
      ...confidential,
      name: "Powerful",
      owner: "ada",
      permission: ["account:read", "admin:apps"],
    }
    const asked = await administrator.submit(await administrator.get(path), path, typed)
    assert.match(
      textOf(asked.text),
      /To give the new app an owner, verify it, make it a resource server, and let it ask for administrator permissions , confirm that you are ada/,
    )
    assert.match(asked.text, /<a href="\/console\/apps">Go back<\/a>/)
    assert.deepEqual(await testServer.store.clients({ limit: 5 }, { nameContains: "Powerful" }), [])
    const wrong = await administrator.submit(asked, path, { password: "wrong" })
    assert.equal(wrong.status, 403)
    const shown = await administrator.submit(wrong, path, { password: PASSWORD })
    assert.match(shown.text, /<code class="secret copied">lks_/)
    const [app] = await testServer.store.clients({ limit: 5 }, { nameContains: "Powerful" })
    assert.deepEqual(
      [app?.redirectUris, app?.ceiling, app?.verified, app?.resourceServer, app?.ownerId],
      [
        ["https://ledger.example/back", "https://ledger.example/other"],
        ["account:read", "admin:apps"],
        ...[true, true, adaId],
      ],
    )
  })

  test("power given by changing an app waits for a proof too, then shows what it takes, then is saved", async () => {
    const app = await testServer.addApp({ name: "Tool", permissions: ["account:read", "files:read"] })
    const administrator = await signedInBrowser(testServer, "ada")
    testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
    const typed = { name: "Tool 2", redirect_uris: "https://tool.example/", permission: ["account:read"] }
    const page = await administrator.get(`${edit}?id=${app.clientId}`)
    const asked = await administrator.submit(page, edit, { ...typed, verified: "on" })
    assert.match(textOf(asked.text), /To verify the app , confirm that you are ada/)
    assert.ok(asked.text.includes(`<a href="/console/app?id=${app.clientId}">Go back</a>`))
    const preview = await administrator.submit(asked, edit, { password: PASSWORD })
    assert.match(textOf(preview.text), /Nothing is saved yet\..*Takes files:read from no account/)
    const saved = await administrator.submit(preview, edit, { permission: ["account:read"] })
    assert.equal(saved.location, `/console/app?id=${app.clientId}&done=saved`)
    const client = await stored(app.clientId)
    assert.deepEqual([client?.name, client?.verified, client?.ceiling], ["Tool 2", true, ["account:read"]])

    // Power that the app already has is not given again. Taking power away does not wait.
    testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
    const again = await administrator.get(`${edit}?id=${app.clientId}`)
    const renamed = { ...typed, name: "Tool 3" }
    assert.equal((await administrator.submit(again, edit, { ...renamed, verified: "on" })).status, 303)
    assert.equal((await administrator.submit(again, edit, renamed)).status, 303)
    assert.equal((await stored(app.clientId))?.verified, false)
  })

  test("a new account waits where it is to be an administrator, and goes on with its name and password", async () => {
    const administrator = await signedInBrowser(testServer, "ada")
    testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
    const add = "/console/account/new"
    const page = await administrator.get(add)
    assert.equal((await administrator.submit(page, add, { username: "bob", password: PASSWORD })).status, 303)
    const asked = await administrator.submit(page, add, {
      username: "carol",
      password: PASSWORD,
      admin: "on",
    })
    assert.match(textOf(asked.text), /To add an administrator , confirm that you are ada/)
    assert.ok(!asked.text.includes(PASSWORD))
    const added = await administrator.submit(asked, add, { password: PASSWORD })
    assert.match(added.location ?? "", /&done=added$/)
    const carol = await signedInBrowser(testServer, "carol")
    assert.equal((await carol.get("/console")).status, 200)
  })
})
