import { afterEach, beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { addAccount, removeAccount } from "../../../src/accounts/accounts.ts"
import { offerSetUp } from "../../../src/accounts/set-up/set-up.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"
import { TestServer, PASSWORD, OPERATOR } from "../../support/test-server.ts"
import { everything } from "../../support/stored.ts"

const { testServer: occupied } = await fixture({ accounts: ["bob"] })

describe("SVC-7: the set-up link makes the first administrator", () => {
  let testServer: TestServer
  let link: string

  beforeEach(async () => {
    testServer = await TestServer.open()
    link = (await offerSetUp(testServer.latchkey)) ?? ""
  })
  afterEach(() => testServer.close())

  const submit = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const browser = new Browser(testServer.url)
    const page = await browser.get(`/setup?link=${link}`)
    const own = hiddenFields(page.text, "/setup")
    const answer = await browser.post(
      "/setup",
      { ...own, username: "ada", password: PASSWORD, ...fields },
      headers,
    )
    return { browser, answer }
  }
  const accounts = async () => (await everything(testServer))["account"] ?? []

  test("sign-in says that there is no account yet, until there is one", async () => {
    const saysNoAccount = async () =>
      (await new Browser(testServer.url).get("/sign-in")).text.includes("No account exists yet.")
    assert.equal(await saysNoAccount(), true)
    await submit({})
    assert.equal(await saysNoAccount(), false)
  })

  test("BRAND-5: it names the service, and a wrong name consumes nothing", async () => {
    const wrong = await submit({ service: "x".repeat(61) })
    assert.equal(wrong.answer.status, 400)
    assert.match(wrong.answer.text, /id="service-problem"[^>]*>Write a name of 1 to 60 visible characters\./)
    assert.match(wrong.answer.text, /name="service"[^>]*value="x{61}"/)
    assert.deepEqual(await accounts(), [])
    const { browser, answer } = await submit({ service: " Orchard " })
    assert.equal(answer.status, 303)
    testServer.clock.advance(1)
    assert.match((await browser.get("/console")).text, /<title>Overview · Console · Orchard<\/title>/)
  })

  test("BRAND-5: without a name, the service keeps the name of the product, and nothing is stored", async () => {
    await submit({ service: " " })
    assert.deepEqual((await everything(testServer))["setting"], [])
  })

  test("NAME-1 its name mixes no scripts that look alike", async () => {
    const { answer } = await submit({ username: "r\u043e\u043et" })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /mixes Latin, Cyrillic or Greek letters/)
    assert.deepEqual(await accounts(), [])
  })

  test("CONSOLE-2: once, signs it in, and leads to the console with the next steps", async () => {
    const { browser, answer } = await submit({})
    assert.deepEqual([answer.status, answer.location], [303, "/console"])
    const page = await browser.get("/console")
    const steps = /<section class="next-steps"[^]*?<\/section>/.exec(page.text)?.[0] ?? ""
    const links = [...steps.matchAll(/href="([^"]+)"/g)].map(([, to]) => to)
    assert.deepEqual(links, [
      "/account/security",
      "/console/app/new",
      "/console/invitation/new",
      "/console/appearance",
    ])
    assert.deepEqual(
      (await accounts()).map(({ username, admin, enabled }) => [username, admin, enabled]),
      [["ada", 1, 1]],
    )
    const again = await new Browser(testServer.url).get(`/setup?link=${link}`)
    assert.equal(again.status, 410)
    assert.equal(await offerSetUp(testServer.latchkey), null)
    assert.deepEqual((await everything(testServer))["setup_link"], [])
  })

  test("AUDIT-2: an administrator from the beginning was given administration", async () => {
    await submit({})
    await addAccount(testServer.latchkey, { username: "carol", password: PASSWORD, admin: true, ...OPERATOR })
    await addAccount(testServer.latchkey, { username: "bob", password: PASSWORD, admin: false, ...OPERATOR })
    const given = await testServer.store.events({ kinds: ["administration-granted"] }, { limit: 9 })
    assert.deepEqual(
      given.map(({ detail }) => detail),
      ["with the account", "by the set-up link"],
    )
  })

  test("looking at it uses nothing up", async () => {
    for (let n = 0; n < 3; n++) {
      const page = await new Browser(testServer.url).get(`/setup?link=${link}`)
      assert.equal(page.status, 200)
      // The secret of the link must be in no Referer.
      assert.equal(page.headers.get("referrer-policy"), "strict-origin")
      assert.match(page.text, /name="username"[\s\S]*name="password"/)
    }
    await fetch(`${testServer.url}/setup?link=${link}`, { method: "HEAD" })
    assert.equal((await submit({})).answer.status, 303)
  })

  test("of two submissions at once one makes the only account", async () => {
    const answers = await Promise.all([submit({ username: "ada" }), submit({ username: "eve" })])
    assert.deepEqual(answers.map(({ answer }) => answer.status).toSorted(), [303, 410])
    assert.equal((await accounts()).length, 1)
  })

  test("a weak password or an empty name shows the form again, and the link still works", async () => {
    for (const [fields, kept] of [
      [{ password: "short" }, "ada"],
      [{ password: "" }, "ada"],
      [{ username: "administrator", password: "administrator" }, "administrator"],
      [{ username: "  " }, "  "],
    ] as const) {
      const { answer } = await submit(fields)
      assert.equal(answer.status, 400)
      assert.match(answer.text, /role="alert"/)
      assert.ok(answer.text.includes(`value="${kept}"`))
      assert.equal(hiddenFields(answer.text, "/setup")["link"], link)
      assert.equal((await accounts()).length, 0)
    }
    assert.equal((await submit({})).answer.status, 303)
  })

  test("a wrong link, a newer one's predecessor, none: gone, and nothing is made", async () => {
    const newer = (await offerSetUp(testServer.latchkey)) ?? ""
    for (const wrong of [link, "x", "", `${newer}x`, newer.toLowerCase()]) {
      const page = await new Browser(testServer.url).get(`/setup?link=${wrong}`)
      assert.equal(page.status, 410, wrong)
      link = newer
      const { answer } = await submit({ link: wrong })
      assert.equal(answer.status, 410, wrong)
    }
    assert.equal((await accounts()).length, 0)
    assert.equal((await submit({})).answer.status, 303)
  })

  test("it closes when the command line adds an account, and stays closed when that is gone", async () => {
    const page = await new Browser(testServer.url).get(`/setup?link=${link}`)
    assert.equal(page.status, 200)
    await testServer.addAccount("bob")
    assert.equal((await new Browser(testServer.url).get(`/setup?link=${link}`)).status, 410)
    assert.equal((await submit({ link, csrf: "" })).answer.status, 403)
    assert.ok((await removeAccount(testServer.latchkey, "bob", OPERATOR)).ok)
    assert.equal((await accounts()).length, 0)
    assert.equal((await new Browser(testServer.url).get(`/setup?link=${link}`)).status, 410)
  })

  test("a forged form makes nothing", async () => {
    for (const [fields, headers] of [
      [{ csrf: "" }, {}],
      [{ csrf: "x".repeat(43) }, {}],
      [{}, { origin: "https://evil.example" }],
      [{}, { "sec-fetch-site": "cross-site" }],
    ] as [Record<string, string>, Record<string, string>][]) {
      assert.equal((await submit(fields, headers)).answer.status, 403)
    }
    assert.equal((await accounts()).length, 0)
  })
})

describe("SVC-7: where an account exists", () => {
  test("no link is offered, and none works", async () => {
    assert.equal(await offerSetUp(occupied.latchkey), null)
    assert.equal((await new Browser(occupied.url).get("/setup")).status, 410)
    assert.equal((await new Browser(occupied.url).get("/setup?link=x")).status, 410)
  })
})
