/** Forms that meet another session of their browser than the one that drew them: each leads on with "Start again". */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { authorizePath, newVerifier, REDIRECT_URI, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"
import { everything } from "../../support/stored.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { headingOf, openCode, startDevice, started } from "../device/device.ts"

const CONSENT = "/oauth/consent"

const { testServer, app, tool } = await fixture({
  rateLimit: "off",
  admins: ["ada"],
  accounts: ["bob"],
  apps: {
    app: { permissions: ["account:read"], stepUp: true },
    tool: { name: "Admin tool", permissions: ["admin:settings"] },
  },
})

type Page = Awaited<ReturnType<Browser["get"]>>

/** Checks the page, and returns where its button leads. */
function beginningOn(page: Page): string {
  assert.deepEqual([page.status, page.location, headingOf(page)], [403, null, "Start again"])
  assert.doesNotMatch(page.text, /cookie/i)
  const [, href] = /<a class="button" href="([^"]*)">Start again<\/a>/.exec(page.text) ?? []
  return href?.replaceAll("&amp;", "&") ?? assert.fail("no button")
}

/** A browser of ada. `waiting` is a sign-in page that another tab opened before. */
async function twoTabs(): Promise<{ browser: Browser; waiting: Page }> {
  const browser = new Browser(testServer.url)
  const waiting = await browser.get("/sign-in")
  await signInOn(browser, waiting, "ada")
  return { browser, waiting }
}

async function signInOn(browser: Browser, waiting: Page, username: string): Promise<Page> {
  const page = await browser.submit(waiting, "/sign-in", { username, password: PASSWORD })
  assert.equal(page.status, 303)
  return page
}

/** What happens in the other tab while the form waits. */
const meanwhile: Readonly<Record<string, (browser: Browser, waiting: Page) => Promise<unknown>>> = {
  "the same account signs in": (browser, waiting) => signInOn(browser, waiting, "ada"),
  "another account signs in": (browser, waiting) => signInOn(browser, waiting, "bob"),
  "the account signs out": async (browser) => browser.submit(await browser.get("/account"), "/sign-out", {}),
}

async function startStepUp(browser: Browser) {
  const { access_token } = await grant(testServer, browser, app)
  const answer = await send(testServer, "/oauth/step-up", {}, { authorization: `Bearer ${access_token}` })
  return started(answer.body)
}

/** The forms that wait, and where each begins again. */
const drawn: Readonly<Record<string, (browser: Browser) => Promise<readonly [Page, next: string]>>> = {
  "the consent of a device": async (browser) => {
    const { userCode } = await startDevice(testServer, app)
    return [await openCode(browser, userCode), `/oauth/device?user_code=${userCode}`]
  },
  "the second confirmation of a device": async (browser) => {
    const { userCode } = await startDevice(testServer, tool, { scope: "admin:settings" })
    const first = await openCode(browser, userCode)
    const second = await browser.submit(first, CONSENT, { decision: "authorize" })
    assert.equal(second.status, 200)
    return [second, `/oauth/device?user_code=${userCode}`]
  },
  "a step-up": async (browser) => {
    const { userCode } = await startStepUp(browser)
    return [await openCode(browser, userCode), `/oauth/device?user_code=${userCode}`]
  },
}

/** Where forms of the account and the console begin again. */
const beginnings: Readonly<Record<string, string>> = {
  "/account/security/password": "/account/security?id=x%26y",
  "/account/security/browsers": "/account/security",
  "/account/end-access": "/account?id=x%26y",
  "/account/apps/new": "/account/apps",
  "/console/setting": "/console/settings?id=x%26y",
  "/console/app/act": "/console/app?id=x%26y",
}

test("CONSENT-1, CONSENT-2: two tabs wait at the sign-in page, both sign in, and the first one goes on", async () => {
  const browser = new Browser(testServer.url)
  const { challenge } = newVerifier()
  const asked = { state: "first & tab", installation_name: "Ada’s laptop", resource: "https://api.example/" }
  const first = await browser.get(authorizePath(app, challenge, asked))
  const second = await browser.get(authorizePath(app, challenge))
  const consent = await browser.get((await signInOn(browser, first, "ada")).location ?? "")
  await signInOn(browser, second, "ada")
  const before = await everything(testServer)
  const refused = await browser.submit(consent, CONSENT, { decision: "authorize" })
  const next = beginningOn(refused)
  assert.deepEqual(await everything(testServer), before)
  assert.doesNotMatch(refused.headers.get("content-security-policy") ?? "form-action", /form-action/)
  assert.match(refused.text, /signed in as <bdi>ada<\/bdi>/)
  const again = await browser.get(next)
  assert.match(again.text, /Ada’s laptop/)
  const done = await browser.submit(again, CONSENT, { decision: "authorize" })
  const { searchParams, origin, pathname } = new URL(done.location ?? "")
  assert.equal(origin + pathname, REDIRECT_URI)
  assert.equal(searchParams.get("state"), "first & tab")
  assert.match(searchParams.get("code") ?? "", /^lkc_/)
})

for (const [what, happens] of Object.entries(meanwhile)) {
  describe(`CONSENT-1: ${what} in another tab while a form waits`, () => {
    for (const decision of ["authorize", "refuse"])
      test(`consent, ${decision}`, async () => {
        const { browser, waiting } = await twoTabs()
        const path = authorizePath(app, newVerifier().challenge)
        const page = await browser.get(path)
        await happens(browser, waiting)
        const next = beginningOn(await browser.submit(page, CONSENT, { decision }))
        let again = await browser.get(next)
        if (what === "the account signs out") {
          const { location } = await browser.submit(again, "/sign-in", {
            username: "ada",
            password: PASSWORD,
          })
          again = await browser.get(location ?? "")
        }
        const done = await browser.submit(again, CONSENT, { decision })
        assert.equal(done.location?.startsWith(`${REDIRECT_URI}?`), true)
      })

    for (const [form, draw] of Object.entries(drawn))
      test(form, async () => {
        const { browser, waiting } = await twoTabs()
        const [page, expected] = await draw(browser)
        await happens(browser, waiting)
        const before = await everything(testServer)
        const fields = { decision: "authorize", password: PASSWORD }
        assert.equal(beginningOn(await browser.submit(page, CONSENT, fields)), expected)
        assert.deepEqual(await everything(testServer), before)
      })

    if (what !== "another account signs in")
      test("forms of the account and of the console", async () => {
        const { browser, waiting } = await twoTabs()
        testServer.clock.advance(400)
        const confirm = await browser.get("/account/security/password")
        assert.equal(headingOf(confirm), "Confirm that it’s you")
        const account = await browser.get("/account")
        const consent = await browser.get(authorizePath(app, newVerifier().challenge))
        await happens(browser, waiting)
        const own = hiddenFields(account.text, "/sign-out")
        const prove = await browser.submit(confirm, "/account/prove", { password: PASSWORD })
        assert.equal(beginningOn(prove), "/account/security/password")
        for (const [path, next] of Object.entries(beginnings)) {
          const page = await browser.post(path, { ...own, id: "x&y" })
          assert.equal(beginningOn(page), next, path)
        }
        const icon = await browser.postFile("/account/apps/icon", { ...own, id: app.clientId }, "icon", null)
        assert.equal(beginningOn(icon), "/account/apps")
        if (what === "the same account signs in") {
          const left = await browser.submit(consent, "/sign-out", {})
          assert.match(beginningOn(left), /^\/oauth\/authorize\?client_id=/)
        }
      })
  })
}

test("CONSENT-1: a form of another site gets no way on, with or without a ticket", async () => {
  const { browser, waiting } = await twoTabs()
  const page = await browser.get(authorizePath(app, newVerifier().challenge))
  await signInOn(browser, waiting, "ada")
  const fields = { ...hiddenFields(page.text, CONSENT), decision: "authorize" }
  for (const headers of [{ origin: "https://elsewhere.example" }, { "sec-fetch-site": "cross-site" }]) {
    const answer = await browser.post(CONSENT, fields, headers)
    assert.deepEqual([answer.status, headingOf(answer)], [403, "Please try again"])
  }
  const without = await browser.post(CONSENT, { ...fields, ticket: "" })
  assert.deepEqual([without.status, headingOf(without)], [403, "Please try again"])
})
