/** A person leaves the group and comes back during every step of the code flow. */
import assert from "node:assert/strict"
import { beforeEach, describe, test } from "node:test"
import { assertRefused } from "../../support/answers.ts"
import { authorizePath, type AppIdentity, exchange, newVerifier, refresh } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { setAppGroups, setGroups } from "../../support/groups.ts"
import { call, introspected } from "../../support/signed-in.ts"
import { eventKinds } from "../../support/stored.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { headingOf } from "../device/device.ts"

const PLAIN = "account:read"
const WHOLE = "account:read crew:rota"
const LOST = "Your account can no longer grant this"

const { testServer, bob, app, crewApp, api, userIds } = await fixture({
  rateLimit: "off",
  permissions: { "crew:rota": { title: "See the rota", for_groups: ["crew"] } },
  accounts: ["bob"],
  browsers: ["bob"],
  apps: {
    app: { permissions: ["account:read", "crew:rota"] },
    crewApp: { name: "Crew Desk", permissions: ["account:read", "crew:rota"] },
    api: { name: "API", type: "confidential", resourceServer: true, redirectUris: [], permissions: [] },
  },
})
await setAppGroups(testServer, crewApp, "crew")

const join = () => setGroups(testServer, userIds.bob, "crew")
const leave = () => setGroups(testServer, userIds.bob, "others")
beforeEach(join)

type Page = Awaited<ReturnType<typeof bob.get>>

function ask(of: AppIdentity, scope = "") {
  const { verifier, challenge } = newVerifier()
  const click = (page: Page, decision = "authorize") => bob.submit(page, "/oauth/consent", { decision })
  return {
    page: () => bob.get(authorizePath(of, challenge, scope === "" ? {} : { scope })),
    click,
    /** Clicks Authorize on the page. Returns the code that the app receives. */
    code: async (page: Page) => {
      const { location } = await click(page)
      return new URL(location ?? "").searchParams.get("code") ?? assert.fail(location ?? "no redirect")
    },
    fetch: (code: string) => exchange(testServer, of, code, verifier),
  }
}

type Tokens = { readonly refresh_token: string; readonly access_token: string; readonly scope: string }
type Answer = { readonly status: number; readonly body: Record<string, unknown> }

function tokensIn({ status, body }: Answer): Tokens {
  assert.equal(status, 200, JSON.stringify(body))
  return body as Tokens
}

const refreshed = async (of: AppIdentity, { refresh_token }: Tokens) =>
  tokensIn(await refresh(testServer, of, refresh_token))

async function tokensOf(of: AppIdentity, scope = ""): Promise<Tokens> {
  const asked = ask(of, scope)
  return tokensIn(await asked.fetch(await asked.code(await asked.page())))
}

const offersAuthorize = ({ text }: Page) => text.includes('value="authorize"')

describe("GROUP-4 before the page", () => {
  test("what the groups do not give is named apart, and is never added after the return", async () => {
    await leave()
    const asked = ask(app)
    const page = await asked.page()
    assert.match(
      textOf(page.text),
      /Not granted This is for certain people only, .* ask the administrator of Latchkey\. See the rota/,
    )
    await join()
    const tokens = tokensIn(await asked.fetch(await asked.code(page)))
    assert.equal(tokens.scope, PLAIN)
    assert.equal((await refreshed(app, tokens)).scope, PLAIN)
  })

  test("nothing left, or an app for others: only Refuse, which returns to the app", async () => {
    await leave()
    for (const asked of [ask(app, "crew:rota"), ask(crewApp), ask(crewApp, "account:read")]) {
      const page = await asked.page()
      assert.ok(!offersAuthorize(page))
      const text = textOf(page.text)
      assert.ok(text.includes("certain people only, and your account is not among them."), text)
      assert.equal(text.split("ask the administrator of Latchkey.").length, 2, text)
      assert.match((await asked.click(page)).location ?? "", /[?&]error=access_denied(&|$)/)
    }
    await join()
    for (const asked of [ask(app, "crew:rota"), ask(crewApp)]) assert.ok(offersAuthorize(await asked.page()))
  })

  test("a page with only Refuse grants nothing after the return", async () => {
    await leave()
    const asked = ask(crewApp)
    const page = await asked.page()
    await join()
    assert.match((await asked.click(page)).location ?? "", /[?&]error=access_denied(&|$)/)
  })
})

describe("GROUP-5 between page and click", () => {
  test("the click stores what is left, for good", async () => {
    const asked = ask(app)
    const page = await asked.page()
    assert.ok(!page.text.includes("Not granted"))
    await leave()
    const code = await asked.code(page)
    await join()
    const tokens = tokensIn(await asked.fetch(code))
    assert.equal(tokens.scope, PLAIN)
    assert.equal((await refreshed(app, tokens)).scope, PLAIN)
  })

  for (const [what, asked] of [
    ["permission", () => ask(app, "crew:rota")],
    ["app", () => ask(crewApp)],
  ] as const)
    test(`with nothing left, a page says so, and the form is used up: the ${what} is for groups`, async () => {
      const asking = asked()
      const page = await asking.page()
      await leave()
      const lost = await asking.click(page)
      assert.deepEqual([lost.status, headingOf(lost), lost.location], [403, LOST, null])
      assert.match(textOf(lost.text), /ask the administrator of Latchkey\. Then start again/)
      assert.notEqual((await eventKinds(testServer)).at(-1), "consented")
      await join()
      const again = await asking.click(page)
      assert.deepEqual([again.status, again.location], [409, null])
      assert.ok(offersAuthorize(await asking.page()))
    })

  test("who was away while the page was open and is back has lost nothing", async () => {
    for (const asked of [ask(app), ask(crewApp)]) {
      const page = await asked.page()
      await leave()
      await join()
      assert.equal(tokensIn(await asked.fetch(await asked.code(page))).scope, WHOLE)
    }
  })
})

describe("GROUP-6 between click and exchange", () => {
  test("a permission follows the group, and comes back", async () => {
    for (const [scope, without] of [
      [WHOLE, PLAIN],
      ["crew:rota", ""],
    ] as const) {
      const asked = ask(app, scope)
      const code = await asked.code(await asked.page())
      await leave()
      const tokens = tokensIn(await asked.fetch(code))
      assert.equal(tokens.scope, without)
      await join()
      assert.equal((await refreshed(app, tokens)).scope, scope)
    }
  })

  test("a code of an app for groups is refused for good", async () => {
    const asked = ask(crewApp)
    const code = await asked.code(await asked.page())
    await leave()
    assertRefused(await exchange(testServer, crewApp, code, newVerifier().verifier), 400, "invalid_grant")
    assertRefused(await asked.fetch(code), 400, "invalid_grant")
    assert.equal((await eventKinds(testServer)).at(-1), "credential-revoked")
    await join()
    assertRefused(await asked.fetch(code), 400, "invalid_grant")
  })

  test("a code whose person was away and is back is good", async () => {
    const asked = ask(crewApp)
    const code = await asked.code(await asked.page())
    await leave()
    // The wrong verifier is refused before the groups are looked at.
    assertRefused(await exchange(testServer, crewApp, code, newVerifier().verifier), 400, "invalid_grant")
    await join()
    assert.equal(tokensIn(await asked.fetch(code)).scope, WHOLE)
  })

  test("an app that is made for groups between click and exchange refuses its codes", async () => {
    await leave()
    const asked = ask(app)
    const code = await asked.code(await asked.page())
    await setAppGroups(testServer, app, "crew")
    assertRefused(await asked.fetch(code), 400, "invalid_grant")
    await setAppGroups(testServer, app)
    assertRefused(await asked.fetch(code), 400, "invalid_grant")
  })
})

describe("GROUP-1, GROUP-2 between refreshes", () => {
  for (const [what, of, without] of [
    ["permission", app, PLAIN],
    ["app", crewApp, ""],
  ] as const)
    test(`the reach follows the group at once, and is back without a new consent: the ${what} is for groups`, async () => {
      const first = await tokensOf(of)
      const reached = async ({ access_token }: Tokens) => {
        const { body } = await introspected(testServer, api, access_token)
        assert.equal(body["active"], true)
        return body["scope"]
      }
      const page = async () => textOf((await bob.get("/account")).text)
      const asksAccount = async ({ access_token }: Tokens) =>
        (await call(testServer, "/api/account", access_token)).status
      const rotas = (text: string) => text.split("See the rota").length - 1
      const held = rotas(await page())
      assert.equal(await reached(first), WHOLE)
      await leave()
      assert.equal(await reached(first), without)
      assert.equal(await asksAccount(first), without === "" ? 403 : 200)
      assert.equal(rotas(await page()), 0, "the page of connected apps shows the reach of this moment")
      const second = await refreshed(of, first)
      assert.equal(second.scope, without)
      assertRefused(
        await refresh(testServer, of, second.refresh_token, { scope: "crew:rota" }),
        400,
        "invalid_scope",
      )
      const third = await refreshed(of, second)
      assert.equal(third.scope, without)
      await join()
      assert.equal(await reached(third), WHOLE)
      assert.equal(await asksAccount(third), 200)
      assert.equal((await refreshed(of, third)).scope, WHOLE)
      assert.equal(rotas(await page()), held)
    })

  test("the answer of a repeated refresh has what is left of it", async () => {
    const { refresh_token } = await tokensOf(app)
    const again = async () => tokensIn(await refresh(testServer, app, refresh_token))
    const first = await again()
    await leave()
    const second = await again()
    assert.deepEqual([second.access_token, second.scope], [first.access_token, PLAIN])
    await join()
    assert.deepEqual([(await again()).access_token, (await again()).scope], [first.access_token, WHOLE])
  })

  test("the page of connected apps says that an app for others can do nothing", async () => {
    await tokensOf(crewApp)
    const entry = async () => {
      const text = textOf((await bob.get(`/account?app=${crewApp.clientId}`)).text)
      return text.slice(text.indexOf("Crew Desk"))
    }
    assert.doesNotMatch(await entry(), /It can do nothing at the moment/)
    await leave()
    assert.match(await entry(), /It can do nothing at the moment/)
  })
})
