/** A person leaves the group and comes back during every step of the device flow. */
import assert from "node:assert/strict"
import { beforeEach, describe, test } from "node:test"
import { assertRefused } from "../../support/answers.ts"
import type { Browser } from "../../support/browser.ts"
import type { AppIdentity } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { setAppGroups, setGroups } from "../../support/groups.ts"
import type { TestApp } from "../../support/test-server.ts"
import { rotated } from "../../support/signed-in.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { fetched, headingOf, openCode, poll, startDevice } from "./device.ts"

const PLAIN = "account:read"
const WHOLE = "account:read crew:rota"
const CONNECTED = "Your device is connected"
const CONFIRM = "Let this device administer the service?"
const LOST = "Your account can no longer grant this"

const { testServer, ada, app, crewApp, tool, crewTool, userIds } = await fixture({
  rateLimit: "off",
  permissions: {
    "crew:rota": { title: "See the rota", for_groups: ["crew"] },
    "admin:crew": { title: "Run the crew", hub_administration: true, for_groups: ["crew"] },
  },
  admins: ["ada"],
  browsers: ["ada"],
  apps: {
    app: { permissions: ["account:read", "crew:rota"] },
    crewApp: { permissions: ["account:read", "crew:rota"] },
    tool: { permissions: ["account:read", "admin:settings", "admin:crew"] },
    crewTool: { permissions: ["account:read", "admin:settings"] },
  },
})
await setAppGroups(testServer, crewApp, "crew")
await setAppGroups(testServer, crewTool, "crew")

const join = () => setGroups(testServer, userIds.ada, "crew")
const leave = () => setGroups(testServer, userIds.ada, "others")
beforeEach(async () => {
  testServer.clock.advance(600)
  await join()
})

type Page = Awaited<ReturnType<Browser["get"]>>

const click = (page: Page, decision = "authorize") => ada.submit(page, "/oauth/consent", { decision })

async function open(of: TestApp, scope = "") {
  const grant = await startDevice(testServer, of, scope === "" ? {} : { scope })
  const page = () => openCode(ada, grant.userCode)
  const isPending = async () => {
    testServer.clock.advance(6)
    assertRefused(await poll(testServer, of, grant), 400, "authorization_pending")
  }
  /** Fetches the tokens, and refreshes once after the return. */
  const scopes = async () => {
    const tokens = await fetched(testServer, of, grant)
    await join()
    return [tokens.scope, (await rotated(testServer, of, tokens)).scope]
  }
  return { page, isPending, scopes, grant }
}

async function clicked(page: Page, heading: string): Promise<Page> {
  const answer = await click(page)
  assert.deepEqual([answer.status, headingOf(answer)], [heading === LOST ? 403 : 200, heading])
  return answer
}

const denied = async (of: AppIdentity, { grant }: Awaited<ReturnType<typeof open>>) =>
  assertRefused(await poll(testServer, of, grant), 400, "access_denied")

describe("GROUP-4 before the page", () => {
  test("what the groups do not give is named apart, and is never added after the return", async () => {
    await leave()
    const device = await open(app)
    const page = await device.page()
    assert.match(textOf(page.text), /Not granted This is for certain people only, .* Latchkey\. See the rota/)
    await join()
    await clicked(page, CONNECTED)
    assert.deepEqual(await device.scopes(), [PLAIN, PLAIN])
  })

  test("nothing left, or an app for others: only Refuse, which denies for good", async () => {
    for (const [of, scope] of [
      [app, "crew:rota"],
      [crewApp, ""],
    ] as const) {
      await leave()
      const device = await open(of, scope)
      const page = await device.page()
      assert.ok(!page.text.includes('value="authorize"'))
      assert.match(textOf(page.text), /ask the administrator of Latchkey\./)
      await join()
      await clicked(page, "You refused")
      await denied(of, device)
    }
  })

  test("an open grant can be answered after the return, from a new page", async () => {
    await leave()
    const device = await open(crewApp)
    await device.page()
    await join()
    await clicked(await device.page(), CONNECTED)
    assert.deepEqual(await device.scopes(), [WHOLE, WHOLE])
  })
})

describe("GROUP-5 between page and click", () => {
  test("the click stores what is left, for good", async () => {
    const device = await open(app)
    const page = await device.page()
    await leave()
    await clicked(page, CONNECTED)
    await join()
    assert.deepEqual(await device.scopes(), [PLAIN, PLAIN])
  })

  for (const [what, of, scope] of [
    ["permission", app, "crew:rota"],
    ["app", crewApp, ""],
    ["administration", tool, "admin:crew"],
    ["app with administration", crewTool, "admin:settings"],
  ] as const)
    test(`with nothing left, the page says so and is used up, and the grant stays open: the ${what} is for groups`, async () => {
      const device = await open(of, scope)
      const page = await device.page()
      await leave()
      const lost = await clicked(page, LOST)
      assert.match(textOf(lost.text), /ask the administrator of Latchkey\. Then start again/)
      await device.isPending()
      await join()
      assert.equal((await click(page)).status, 409)
      await device.isPending()
      assert.ok((await device.page()).text.includes('value="authorize"'))
    })
})

describe("GROUP-5 between the first and the second Authorize of administration", () => {
  test("what is left is granted, and administration does not come back", async () => {
    const device = await open(tool, "account:read admin:crew")
    const confirm = await clicked(await device.page(), CONFIRM)
    await leave()
    await clicked(confirm, CONNECTED)
    assert.deepEqual(await device.scopes(), [PLAIN, PLAIN])
  })

  for (const [what, of, scope] of [
    ["permission", tool, "admin:crew"],
    ["app", crewTool, "account:read admin:settings"],
  ] as const)
    test(`with nothing left, the second click grants nothing, also after the return: the ${what} is for groups`, async () => {
      const device = await open(of, scope)
      const confirm = await clicked(await device.page(), CONFIRM)
      await leave()
      await clicked(confirm, LOST)
      await device.isPending()
      await join()
      assert.equal((await click(confirm)).status, 409)
      await device.isPending()
    })

  test("the confirmation shows what is left at the first click, and a return before the second adds nothing", async () => {
    const device = await open(tool, "admin:settings admin:crew")
    const page = await device.page()
    await leave()
    const confirm = await clicked(page, CONFIRM)
    assert.ok(confirm.text.includes("Change how this service works"))
    assert.ok(!confirm.text.includes("Run the crew"))
    await join()
    await clicked(confirm, CONNECTED)
    assert.deepEqual(await device.scopes(), ["admin:settings", "admin:settings"])
  })

  test("administration that the groups take away needs no second click", async () => {
    const device = await open(tool, "account:read admin:crew")
    const page = await device.page()
    await leave()
    await clicked(page, CONNECTED)
    assert.deepEqual(await device.scopes(), [PLAIN, PLAIN])
  })

  test("who was away between the clicks and is back has lost nothing", async () => {
    for (const [of, scope] of [
      [tool, "account:read admin:crew"],
      [crewTool, "account:read admin:settings"],
    ] as const) {
      const device = await open(of, scope)
      const confirm = await clicked(await device.page(), CONFIRM)
      await leave()
      await join()
      await clicked(confirm, CONNECTED)
      assert.deepEqual(await device.scopes(), [scope, scope])
    }
  })
})

describe("GROUP-6 between approval and poll", () => {
  test("a permission follows the group, and comes back", async () => {
    for (const [scope, without] of [
      [WHOLE, PLAIN],
      ["crew:rota", ""],
    ] as const) {
      const device = await open(app, scope)
      await clicked(await device.page(), CONNECTED)
      await leave()
      assert.deepEqual(await device.scopes(), [without, scope])
    }
  })

  test("an approval of an app for groups is denied for good", async () => {
    const device = await open(crewApp)
    await clicked(await device.page(), CONNECTED)
    await leave()
    await denied(crewApp, device)
    await join()
    await denied(crewApp, device)
    testServer.clock.advance(80_000)
    await denied(crewApp, device)
  })

  test("an approval whose person was away and is back is good", async () => {
    const device = await open(crewApp)
    await clicked(await device.page(), CONNECTED)
    await leave()
    assertRefused(await poll(testServer, app, device.grant), 400, "invalid_grant")
    await join()
    assert.deepEqual(await device.scopes(), [WHOLE, WHOLE])
  })
})
