import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { updateApp } from "../../../src/apps/app.ts"
import { own, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { introspected } from "../../support/signed-in.ts"
import type { TestApp } from "../../support/test-server.ts"
import { assertRefused } from "../../support/answers.ts"
import { answerDevice, fetched, openCode, poll, startDevice } from "./device.ts"
import { OPERATOR } from "../../support/test-server.ts"

let app: TestApp

const { testServer, bob, server } = await fixture({
  rateLimit: "off",
  accounts: ["bob"],
  browsers: ["bob"],
  apps: { server: { type: "confidential", resourceServer: true } },
})
beforeEach(async () => {
  testServer.clock.advance(600)
  app = await testServer.addApp()
})

async function switchTo(deviceFlow: boolean): Promise<void> {
  const updated = await updateApp(testServer.latchkey, app.clientId, { deviceFlow }, OPERATOR)
  assert.ok(updated.ok)
}

describe("DAUTH-4: the device flow of an app is switched off", () => {
  test("its device authorization is unauthorized_client, after authentication and until it is on again", async () => {
    await switchTo(false)
    const ask = (who: Record<string, string>) => send(testServer, "/oauth/device-authorization", who)
    assertRefused(await ask(own(app)), 400, "unauthorized_client")
    assertRefused(await ask({ ...own(app), client_secret: "lks_wrong" }), 401, "invalid_client")
    await switchTo(true)
    assert.equal((await ask(own(app))).status, 200)
  })

  test("an app that is registered without it never had it", async () => {
    app = await testServer.addApp({ deviceFlow: false })
    assertRefused(await send(testServer, "/oauth/device-authorization", own(app)), 400, "unauthorized_client")
  })

  test("polls of a pending and of an approved grant are refused, and the page does not find its code", async () => {
    const pending = await startDevice(testServer, app)
    const approved = await startDevice(testServer, app)
    await answerDevice(bob, approved, "authorize")
    await switchTo(false)
    assertRefused(await poll(testServer, app, pending), 400, "unauthorized_client")
    assertRefused(await poll(testServer, app, approved), 400, "unauthorized_client")
    assert.equal((await openCode(bob, pending.userCode)).status, 400)
    await switchTo(true)
    assertRefused(await poll(testServer, app, pending), 400, "authorization_pending")
    await fetched(testServer, app, approved)
  })

  test("a page that was open before does not approve, but refuses", async () => {
    for (const decision of ["authorize", "refuse"]) {
      await switchTo(true)
      testServer.clock.advance(600)
      const grant = await startDevice(testServer, app)
      const page = await openCode(bob, grant.userCode)
      await switchTo(false)
      await bob.submit(page, "/oauth/consent", { decision })
      await switchTo(true)
      const error = decision === "refuse" ? "access_denied" : "authorization_pending"
      assertRefused(await poll(testServer, app, grant), 400, error)
    }
  })

  test("what the app already holds lives on", async () => {
    const grant = await startDevice(testServer, app)
    await answerDevice(bob, grant, "authorize")
    const { access_token } = await fetched(testServer, app, grant)
    await switchTo(false)
    assert.equal((await introspected(testServer, server, access_token)).body["active"], true)
  })
})
