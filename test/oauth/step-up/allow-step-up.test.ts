/** An administrator allows step-up for self-registered apps and for apps of users. */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { addApp } from "../../../src/apps/add-app.ts"
import { updateAppWithPreview } from "../../../src/apps/preview.ts"
import type { Browser } from "../../support/browser.ts"
import { type AppIdentity, connectIn, send } from "../../support/connect.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { ask, openWorld } from "../../admin/api/api-world.ts"
import { registered, TOOL } from "../../apps/registration/register.ts"
import { OPERATOR } from "../../support/test-server.ts"

const world = await openWorld()
await world.testServer.set("registration.open", "on")
await world.testServer.set("registration.permissions", "account:read")

async function usersApp(): Promise<AppIdentity> {
  const { latchkey: services, store } = world.testServer
  const [account] = await store.accounts({ limit: 1 }, { nameBegins: "ada" })
  assert.ok(account !== undefined)
  const added = await addApp(
    services,
    { type: "public", name: "Ada's", redirectUris: TOOL.redirect_uris, permissions: ["account:read"] },
    { address: "127.0.0.1", owner: { userId: account.userId, openSchemes: [] } },
  )
  assert.ok(added.ok)
  return { clientId: added.value.client.clientId, secret: null }
}

async function press(browser: Browser, clientId: string, deed: string): Promise<void> {
  const act = "/console/app/act"
  const page = await browser.get(`${act}?id=${clientId}&do=${deed}`)
  const { location } = await browser.submit(page, act, {})
  assert.match(location ?? "", new RegExp(`^/console/app\\?id=${clientId}&done=${deed}$`))
  assert.match(textOf((await browser.get(location ?? "")).text), /step-up/)
}

const ways: readonly (readonly [string, (clientId: string, isAllowed: boolean) => Promise<unknown>])[] = [
  [
    "a button of the console",
    (id, on) => press(world.browser, id, on ? "allow-step-up" : "withdraw-step-up"),
  ],
  [
    "the form of the console",
    async (id, on) => {
      const edit = "/console/app/edit"
      const page = await world.browser.get(`${edit}?id=${id}`)
      const typed = {
        name: "Changed",
        redirect_uris: TOOL.redirect_uris.join("\n"),
        permission: "account:read",
      }
      const owner = /name="owner"[^>]*value="([^"]*)"/.exec(page.text)?.[1] ?? ""
      const sent = { ...typed, owner, step_up: on ? "on" : "" }
      assert.equal((await world.browser.submit(page, edit, sent)).status, 303)
    },
  ],
  [
    "the API",
    async (id, step_up) => {
      const sent = { method: "PATCH", path: `/api/admin/apps/${id}`, body: { step_up } }
      assert.equal((await ask(world.testServer, world.plain.access_token, sent)).status, 200)
    },
  ],
  [
    "the command line",
    async (id, stepUp) => {
      const updated = await updateAppWithPreview(world.testServer.latchkey, id, { stepUp }, OPERATOR)
      assert.ok(updated.ok)
    },
  ],
]

for (const [whose, register] of [
  ["an app that registered itself", () => registered(world.testServer)],
  ["a user's app", usersApp],
] as const)
  describe(`STEP-6: ${whose} may ask for step-up once an administrator allows it`, () => {
    for (const [way, set] of ways)
      test(`by ${way}`, async () => {
        const { testServer, browser } = world
        const app = await register()
        const { access_token } = await connectIn(browser, testServer, app)
        const stepUp = async () => {
          const headers = { authorization: `Bearer ${access_token}` }
          const { status, body } = await send(testServer, "/oauth/step-up", {}, headers)
          return status === 200 ? "allowed" : body["error"]
        }
        assert.equal(await stepUp(), "access_denied")
        await set(app.clientId, true)
        assert.equal(await stepUp(), "allowed")
        await set(app.clientId, false)
        assert.equal(await stepUp(), "access_denied")
      })
  })

test("STEP-6: the page of an app offers what it does not have", async () => {
  const { clientId } = await usersApp()
  const offered = async () => {
    const { text } = await world.browser.get(`/console/app?id=${clientId}`)
    return [...textOf(text).matchAll(/(?:Allow|Withdraw) step-up/g)].map(([label]) => label)
  }
  assert.deepEqual(await offered(), ["Allow step-up"])
  await press(world.browser, clientId, "allow-step-up")
  assert.deepEqual(await offered(), ["Withdraw step-up"])
})
