import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAdministration, setAccountEnabled } from "../../../src/accounts/accounts.ts"
import { setAppEnabled, updateApp } from "../../../src/apps/app.ts"
import { type Browser, hiddenFields } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { assertRefused } from "../../support/answers.ts"
import {
  answerDevice,
  fetched,
  headingOf,
  openCode,
  poll as pollWith,
  type Started,
  startDevice,
} from "./device.ts"
import { fixture } from "../../support/fixture.ts"
import { eventKinds, everything } from "../../support/stored.ts"
import { OPERATOR } from "../../support/test-server.ts"

const CONNECTED = "Your device is connected"
const REFUSED = "You refused"
const CONFIRM = "Let this device administer the service?"

const { testServer, ada, bob, app, tool } = await fixture({
  rateLimit: "off",
  admins: ["ada"],
  accounts: ["bob"],
  browsers: ["ada", "bob"],
  apps: {
    app: {},
    tool: {
      name: "Operator",
      permissions: ["files:read", "admin:accounts", "admin:settings", "admin:events"],
    },
  },
})
beforeEach(() => testServer.clock.advance(600))

const poll = (grant: Started, who = app) => pollWith(testServer, who, grant)
const start = (more: Record<string, string> = {}) => startDevice(testServer, app, more)
const startAdministration = (scope = "files:read admin:accounts") => startDevice(testServer, tool, { scope })

type Page = Awaited<ReturnType<Browser["get"]>>

async function send(browser: Browser, page: Page, decision: string | readonly string[]) {
  return browser.submit(page, "/oauth/consent", { decision })
}

function assertPage(page: Page, status: number, heading: string): void {
  assert.deepEqual([page.status, headingOf(page)], [status, heading])
}

/** Returns everything that is stored, except the last visits of sessions. */
function stored(): Promise<unknown> {
  return everything(testServer)
}

describe("DG-3, DG-6: one click decides", () => {
  test("Authorize approves, and the page sends the person back to the device", async () => {
    const grant = await start()
    const page = await answerDevice(bob, grant, "authorize")
    assertPage(page, 200, CONNECTED)
    assert.equal(page.location, null)
    assert.equal((await eventKinds(testServer)).at(-1), "device-approved")
    assert.equal((await poll(grant)).status, 200)
  })

  const refusals: Record<string, string | readonly string[]> = {
    Refuse: "refuse",
    "no decision": [],
    "an empty one": "",
    "an unknown one": "Authorize",
    "two that agree": ["authorize", "authorize"],
    "two that do not": ["authorize", "refuse"],
    "two, the last being Authorize": ["refuse", "authorize"],
  }
  for (const [name, decision] of Object.entries(refusals)) {
    test(`ERR-7: ${name} denies for good`, async () => {
      const grant = await start()
      const page = await openCode(bob, grant.userCode)
      assertPage(await send(bob, page, decision), 200, REFUSED)
      assertRefused(await poll(grant), 400, "access_denied")
      assert.equal((await eventKinds(testServer)).at(-1), "device-refused")
      assertPage(await send(bob, page, "authorize"), 409, "You have already answered")
      assert.equal((await openCode(bob, grant.userCode)).status, 400)
      assertRefused(await poll(grant), 400, "access_denied")
    })
  }

  test("PAGE-1: a second answer changes nothing, and says whether the first was of this account", async () => {
    const grant = await start()
    const [mine, theirs] = [await openCode(bob, grant.userCode), await openCode(ada, grant.userCode)]
    assertPage(await send(bob, mine, "authorize"), 200, CONNECTED)
    for (const decision of ["authorize", "refuse"]) {
      assertPage(await send(bob, mine, decision), 409, "You have already answered")
      assertPage(await send(ada, theirs, decision), 409, "This request was already answered")
    }
    assert.equal((await fetched(testServer, app, grant)).username, "bob")
  })

  test("a page that stayed open for ten minutes decides nothing, and the grant's ten minutes are over too", async () => {
    const grant = await start()
    const page = await openCode(bob, grant.userCode)
    testServer.clock.advance(601)
    assertPage(await send(bob, page, "authorize"), 400, "This page has expired")
    assertRefused(await poll(grant), 400, "expired_token")
  })

  test("DG-7: an answer after the grant's ten minutes is too late, on a page that is fresh itself", async () => {
    const grant = await start()
    testServer.clock.advance(590)
    const page = await openCode(bob, grant.userCode)
    testServer.clock.advance(11)
    assertPage(await send(bob, page, "authorize"), 400, "This page has expired")
    testServer.clock.setWall(testServer.clock.now() - 10)
    assertPage(await send(bob, page, "authorize"), 400, "This page has expired")
    assertRefused(await poll(grant), 400, "expired_token")
  })

  test("an app that was switched off meanwhile is not approved", async () => {
    const client = await testServer.addApp()
    const grant = await startDevice(testServer, client)
    const page = await openCode(bob, grant.userCode)
    await setAppEnabled(testServer.latchkey, client.clientId, false, OPERATOR)
    assertPage(await send(bob, page, "authorize"), 400, "This app is no longer available")
    await setAppEnabled(testServer.latchkey, client.clientId, true, OPERATOR)
    assertRefused(await poll(grant, client), 400, "authorization_pending")
  })
})

describe("CONSENT-1, DG-3: a form belongs to one session, one account and one grant", () => {
  test("a form opened in one session is no good in another, of the same account or not", async () => {
    const grant = await start()
    const page = await openCode(bob, grant.userCode)
    const bobElsewhere = await signedInBrowser(testServer, "bob")
    const { ticket = "", csrf = "" } = hiddenFields(page.text, "/oauth/consent")
    for (const other of [ada, bobElsewhere]) {
      assert.equal((await send(other, page, "authorize")).status, 403)
      const own = hiddenFields((await openCode(other, grant.userCode)).text, "/oauth/consent")
      const mixed = [
        { ticket, csrf: own["csrf"] ?? "" },
        { ticket: own["ticket"] ?? "", csrf },
      ]
      for (const fields of mixed)
        assert.equal((await other.post("/oauth/consent", { ...fields, decision: "authorize" })).status, 403)
    }
    assertRefused(await poll(grant), 400, "authorization_pending")
  })

  test("nor after signing out and in again", async () => {
    const browser = await signedInBrowser(testServer, "bob")
    const grant = await start()
    const page = await openCode(browser, grant.userCode)
    await browser.submit(page, "/sign-out", {})
    assert.equal((await send(browser, page, "authorize")).status, 403)
    await browser.signIn("bob", "correct horse battery staple")
    assert.equal((await send(browser, page, "authorize")).status, 403)
    assertRefused(await poll(grant), 400, "authorization_pending")
  })

  test("an account that is disabled with the page open approves nothing", async () => {
    await testServer.addAccount("carla")
    const carla = await signedInBrowser(testServer, "carla")
    const grant = await start()
    const page = await openCode(carla, grant.userCode)
    await setAccountEnabled(testServer.latchkey, "carla", false, OPERATOR)
    assert.equal((await send(carla, page, "authorize")).status, 403)
    await setAccountEnabled(testServer.latchkey, "carla", true, OPERATOR)
    assert.equal((await send(carla, page, "authorize")).status, 403)
    assertRefused(await poll(grant), 400, "authorization_pending")
  })

  test("a form that another site sends is refused", async () => {
    const grant = await start()
    const fields = hiddenFields((await openCode(bob, grant.userCode)).text, "/oauth/consent")
    const foreign: readonly Record<string, string>[] = [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "null", "sec-fetch-site": "cross-site" },
    ]
    for (const headers of foreign) {
      const page = await bob.post("/oauth/consent", { ...fields, decision: "authorize" }, headers)
      assert.equal(page.status, 403, JSON.stringify(headers))
    }
    const withoutToken = { ticket: fields["ticket"] ?? "", decision: "authorize" }
    assert.equal((await bob.post("/oauth/consent", withoutToken)).status, 403)
    assertRefused(await poll(grant), 400, "authorization_pending")
  })

  test("an altered ticket is refused", async () => {
    const grant = await start()
    const { ticket = "", csrf = "" } = hiddenFields(
      (await openCode(bob, grant.userCode)).text,
      "/oauth/consent",
    )
    const middle = ticket.length >> 1
    const other = ticket[middle] === "A" ? "B" : "A"
    const changed = ticket.slice(0, middle) + other + ticket.slice(middle + 1)
    const altered = [changed, ticket.slice(0, middle), ticket + ticket, "x", ""]
    for (const bad of altered)
      assert.equal(
        (await bob.post("/oauth/consent", { ticket: bad, csrf, decision: "authorize" })).status,
        403,
      )
    assertRefused(await poll(grant), 400, "authorization_pending")
  })
})

describe("DG-4, DG-5, PERM-4: a grant that reaches hub administration takes two clicks", () => {
  test("the first Authorize stores nothing at all; the second approves", async () => {
    const grant = await startAdministration()
    const page = await openCode(ada, grant.userCode)
    const earlier = await stored()
    const confirmation = await send(ada, page, "authorize")
    assertPage(confirmation, 200, CONFIRM)
    assert.ok(confirmation.text.includes(grant.userCode) && confirmation.text.includes("Operator"))
    assert.deepEqual(await stored(), earlier)
    assertRefused(await poll(grant, tool), 400, "authorization_pending")
    assertPage(await send(ada, confirmation, "authorize"), 200, CONNECTED)
    const tokens = await fetched(testServer, tool, grant)
    assert.equal(tokens.scope, "admin:accounts workers:read files:read")
  })

  test("the first page clicked as often as one likes never approves", async () => {
    const grant = await startAdministration()
    const page = await openCode(ada, grant.userCode)
    const earlier = await stored()
    for (let i = 0; i < 5; i++) assertPage(await send(ada, page, "authorize"), 200, CONFIRM)
    assert.deepEqual(await stored(), earlier)
    assertRefused(await poll(grant, tool), 400, "authorization_pending")
  })

  for (const [name, decision] of [
    ["Refuse", "refuse"],
    ["no decision", []],
    ["two decisions", ["authorize", "authorize"]],
  ] as const) {
    test(`DG-6: ${name} on the second page denies for good`, async () => {
      const grant = await startAdministration()
      const confirmation = await send(ada, await openCode(ada, grant.userCode), "authorize")
      assertPage(await send(ada, confirmation, decision), 200, REFUSED)
      assertPage(await send(ada, confirmation, "authorize"), 409, "You have already answered")
      assertRefused(await poll(grant, tool), 400, "access_denied")
    })
  }

  test("the second page is no good in another session, for another account or for another grant", async () => {
    const grant = await startAdministration()
    const confirmation = await send(ada, await openCode(ada, grant.userCode), "authorize")
    await testServer.addAccount("eve", true)
    for (const other of [
      await signedInBrowser(testServer, "ada"),
      await signedInBrowser(testServer, "eve"),
    ]) {
      assert.equal((await send(other, confirmation, "authorize")).status, 403)
      const own = await send(other, await openCode(other, grant.userCode), "authorize")
      const { csrf = "" } = hiddenFields(own.text, "/oauth/consent")
      const { ticket = "" } = hiddenFields(confirmation.text, "/oauth/consent")
      assert.equal((await other.post("/oauth/consent", { ticket, csrf, decision: "authorize" })).status, 403)
    }
    assertRefused(await poll(grant, tool), 400, "authorization_pending")

    const other = await startAdministration("admin:settings")
    assertPage(await send(ada, confirmation, "authorize"), 200, CONNECTED)
    assertRefused(await poll(other, tool), 400, "authorization_pending")
    assert.equal((await poll(grant, tool)).status, 200)
  })

  test("a confirmation that stayed open for ten minutes approves nothing", async () => {
    const grant = await startAdministration()
    const confirmation = await send(ada, await openCode(ada, grant.userCode), "authorize")
    testServer.clock.advance(601)
    assertPage(await send(ada, confirmation, "authorize"), 400, "This page has expired")
    assertRefused(await poll(grant, tool), 400, "expired_token")
  })

  test("PERM-2: an admin permission outside the family takes one click", async () => {
    const grant = await startAdministration("admin:events")
    assertPage(await answerDevice(ada, grant, "authorize"), 200, CONNECTED)
    assert.equal((await fetched(testServer, tool, grant)).scope, "admin:events")
  })

  test("an account that is not an administrator grants the rest with one click, and none of the family", async () => {
    const grant = await startAdministration()
    const page = await openCode(bob, grant.userCode)
    assertPage(await send(bob, page, "authorize"), 200, CONNECTED)
    assert.equal((await fetched(testServer, tool, grant)).scope, "workers:read files:read")
  })

  test("where nothing is left to grant, only Refuse is offered, and Authorize all the same is a refusal", async () => {
    const grant = await startAdministration("admin:accounts")
    const page = await openCode(bob, grant.userCode)
    assertPage(page, 200, "Operator cannot use your account")
    assert.equal(page.text.includes('value="authorize"'), false)
    assertPage(await send(bob, page, "authorize"), 200, REFUSED)
    assertRefused(await poll(grant, tool), 400, "access_denied")
  })
})

describe("DG-8: administration that was withdrawn while a page lay open", () => {
  const WITHDRAWN = "You are no longer an administrator"

  async function fresh(username: string): Promise<Browser> {
    await testServer.addAccount(username, true)
    return signedInBrowser(testServer, username)
  }
  const promote = (username: string, on: boolean) =>
    setAdministration(testServer.latchkey, username, on, OPERATOR)

  for (const click of ["first", "second"] as const)
    test(`the ${click} click grants nothing, says why, and stores nothing that a promotion wakes`, async () => {
      const name = `frida-${click}`
      const frida = await fresh(name)
      const grant = await startAdministration()
      const first = await openCode(frida, grant.userCode)
      let page = first
      if (click === "second") page = await send(frida, page, "authorize")
      await promote(name, false)
      const { spent_ticket: tickets = [], ...earlier } = await everything(testServer)
      assertPage(await send(frida, page, "authorize"), 403, WITHDRAWN)
      const { spent_ticket: spent, ...later } = await everything(testServer)
      assert.deepEqual(later, earlier)
      assert.equal(spent?.length, tickets.length + 1)
      await promote(name, true)
      assertRefused(await poll(grant, tool), 400, "authorization_pending")
      // After Bob becomes an administrator again, the same form and the form before it are sent.
      for (const form of [first, page])
        assertPage(await send(frida, form, "authorize"), 409, "You have already answered")
      testServer.clock.advance(6)
      assertRefused(await poll(grant, tool), 400, "authorization_pending")
      assertPage(await send(frida, page, "refuse"), 200, REFUSED)
    })

  test("an admin permission outside the family, with one click, likewise; the rest can be granted on a new page", async () => {
    const gina = await fresh("gina")
    const grant = await startAdministration("files:read admin:events")
    const page = await openCode(gina, grant.userCode)
    await promote("gina", false)
    assertPage(await send(gina, page, "authorize"), 403, WITHDRAWN)
    testServer.clock.advance(6)
    assertRefused(await poll(grant, tool), 400, "authorization_pending")
    assertPage(await answerDevice(gina, grant, "authorize"), 200, CONNECTED)
    await promote("gina", true)
    assert.equal((await fetched(testServer, tool, grant)).scope, "workers:read files:read")
  })

  test("Refuse still refuses", async () => {
    const hana = await fresh("hana")
    const grant = await startAdministration()
    const page = await openCode(hana, grant.userCode)
    await promote("hana", false)
    assertPage(await send(hana, page, "refuse"), 200, REFUSED)
    assertRefused(await poll(grant, tool), 400, "access_denied")
  })
})

describe("PAGE-1: what a permission's removal from the registration does to the pages", () => {
  test("a page that is opened afterwards does not list it, and grants the rest", async () => {
    const shrinking = await testServer.addApp({ permissions: ["files:read", "account:write"] })
    const grant = await startDevice(testServer, shrinking)
    assert.ok((await openCode(bob, grant.userCode)).text.includes("Change your account"))
    await updateApp(
      testServer.latchkey,
      shrinking.clientId,
      { removePermissions: ["account:write"] },
      OPERATOR,
    )
    const page = await openCode(bob, grant.userCode)
    assert.equal(page.text.includes("Change your account"), false)
    assertPage(await send(bob, page, "authorize"), 200, CONNECTED)
    await updateApp(testServer.latchkey, shrinking.clientId, { addPermissions: ["account:write"] }, OPERATOR)
    assert.equal((await fetched(testServer, shrinking, grant)).scope, "workers:read files:read")
  })

  test("where nothing is left, the page says so and offers Refuse alone", async () => {
    const shrinking = await testServer.addApp({ permissions: ["files:read", "account:write"] })
    const grant = await startDevice(testServer, shrinking, { scope: "account:write" })
    await updateApp(
      testServer.latchkey,
      shrinking.clientId,
      { removePermissions: ["account:write"] },
      OPERATOR,
    )
    const page = await openCode(bob, grant.userCode)
    assertPage(page, 200, "Paperclip cannot use your account")
    assert.ok(page.text.includes("no longer available to this app"))
    assert.equal(page.text.includes("your account is not one"), false)
    assert.equal(page.text.includes('value="authorize"'), false)
  })

  test("between the two pages of hub administration, the second page is not shown", async () => {
    const shrinking = await testServer.addApp({ permissions: ["files:read", "admin:accounts"] })
    const grant = await startDevice(testServer, shrinking, { scope: "files:read admin:accounts" })
    const page = await openCode(ada, grant.userCode)
    await updateApp(
      testServer.latchkey,
      shrinking.clientId,
      { removePermissions: ["admin:accounts"] },
      OPERATOR,
    )
    assertPage(await send(ada, page, "authorize"), 409, "This request has changed")
    assertRefused(await poll(grant, shrinking), 400, "authorization_pending")
    assertPage(await answerDevice(ada, grant, "authorize"), 200, CONNECTED)
    assert.equal((await fetched(testServer, shrinking, grant)).scope, "workers:read files:read")
  })
})

describe("DG-3, DG-6: races", () => {
  test("approve and refuse at the same moment, 200 times: one of them decides, for good", async () => {
    const seen = new Set<string>()
    const opened = async () => {
      const grant = await start()
      return { grant, page: await openCode(bob, grant.userCode) }
    }
    const oneRound = async (round: number, { grant, page }: Awaited<ReturnType<typeof opened>>) => {
      const order = round % 2 === 0 ? ["authorize", "refuse"] : ["refuse", "authorize"]
      const pages = await Promise.all(order.map((decision) => send(bob, page, decision)))
      assert.deepEqual(pages.map(({ status }) => status).toSorted(), [200, 409])
      const isApproved = pages.some((one) => headingOf(one) === CONNECTED)
      seen.add(isApproved ? "approved" : "denied")
      const polled = [(await poll(grant)).body["error"], (await poll(grant)).body["error"]]
      const expected = isApproved ? [undefined, "invalid_grant"] : ["access_denied", "access_denied"]
      assert.deepEqual(polled, expected, `round ${round}`)
    }
    for (let round = 0; round < 200; round += 20) {
      const ready = []
      for (let i = 0; i < 20; i++) ready.push(await opened())
      await Promise.all(ready.map((one, i) => oneRound(round + i, one)))
    }
    assert.deepEqual([...seen].toSorted(), ["approved", "denied"])
  })

  test("a poll between two clicks gets either answer whole", async () => {
    for (let round = 0; round < 20; round++) {
      const grant = await start()
      const page = await openCode(bob, grant.userCode)
      const [, answer] = await Promise.all([send(bob, page, "authorize"), poll(grant)])
      assert.ok(answer.status === 200 || answer.body["error"] === "authorization_pending")
      const next = await poll(grant)
      assert.equal(next.status === 200, answer.status !== 200)
    }
  })
})
