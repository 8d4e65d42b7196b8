/** A product says that the person does not want to sign in, or may not: `error` in place of an assertion. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { invite } from "../../../../src/accounts/invitations/invite.ts"
import { type Browser, hiddenFields } from "../../../support/browser.ts"
import { authorizePath, newVerifier } from "../../../support/connect.ts"
import { leadsTo } from "../../../support/oidc.ts"
import { ProductVisits } from "../../../support/product-visits.ts"
import { recordLog } from "../../../support/record-log.ts"
import { OPERATOR } from "../../../support/test-server.ts"

const { log, lines } = recordLog()
const visits = await ProductVisits.open({ log })
const { server, clock } = visits
const app = await server.addApp()
const authorize = () => authorizePath(app, newVerifier().challenge)
const ada = { sub: "u-1", username: "ada" }

/** The path with which the browser comes back from a product that says no. */
function noOf(asked: string, error = "access_denied"): string {
  const { searchParams } = new URL(asked)
  const challenge = searchParams.get("challenge") ?? assert.fail()
  const query = new URLSearchParams({ error, challenge })
  return visits.pathOf(`${searchParams.get("return_to") ?? ""}?${query.toString()}`)
}

/** Follows redirects within the service, and the page that goes on to the product. */
async function leave(browser: Browser, path: string): Promise<string> {
  const page = await browser.get(path)
  return page.location === null ? leadsTo(page) : leave(browser, page.location)
}

function logged() {
  return lines.splice(0).flatMap(({ kind, detail }) => (kind === undefined ? [] : [[kind, detail]]))
}

test("LOGIN-7 a product that says access_denied leads to the sign-in page with its other ways, as a provider does", async () => {
  const browser = visits.browser()
  const asked = await visits.begin(browser, authorize())
  const page = await browser.get(noOf(asked))
  assert.equal(page.status, 403)
  assert.match(page.text, /You canceled at .*The shop.*, so you are not signed in/)
  assert.match(page.text, /type="password"[^]*action="\/sign-in\/with\/shop"/)
  assert.deepEqual(logged(), [["canceled", "The provider answered with the error access_denied."]])
  // It is the end of that sign-in.
  const late = await browser.get(await visits.answer(asked, ada))
  assert.match(late.text, /This sign-in took too long, was used before, or began in another browser/)
  assert.deepEqual(logged(), [["stale", "challengeUnknown"]])
  const again = leadsTo(await browser.submit(page, "/sign-in/with/shop", {}))
  assert.match((await browser.get(await visits.answer(again, ada))).location ?? "", /^\/oauth\/authorize/)
})

test("LOGIN-7 another error of a product leads to the page with the way back, and the log names it", async () => {
  for (const [error, named] of [
    ["server_error", "server_error"],
    ["<b>", "of an unknown kind"],
  ] as const) {
    const browser = visits.browser()
    const page = await browser.get(noOf(await visits.begin(browser), error))
    assert.deepEqual([page.status, page.text.includes("<b>")], [502, false])
    assert.match(
      page.text,
      /The shop.* did not complete the sign-in\. Start again\.[^]*Go back to .*The shop/,
    )
    assert.deepEqual(logged(), [["refused", `The provider answered with the error ${named}.`]])
  }
})

test("LOGIN-5, LOGIN-7 an error counts only in the browser of its challenge, and there once", async () => {
  visits.offer({ only: true })
  const owner = visits.browser()
  const path = noOf(await leave(owner, authorize()))
  const stranger = visits.browser()
  await leave(stranger, authorize())
  for (const [browser, url] of [
    [visits.browser(), path],
    [stranger, path],
    [stranger, "/sign-in/with/shop/callback?error=access_denied"],
  ] as const) {
    const page = await browser.get(url)
    assert.deepEqual([page.status, page.location], [403, null])
    assert.match(page.text, /This sign-in took too long, was used before, or began in another browser/)
  }
  assert.match((await owner.get(path)).location ?? "", /error=access_denied/)
  assert.deepEqual([(await owner.get(path)).status, (await owner.get(path)).location], [403, null])
  visits.offer()
})

test("LOGIN-12 where the product is the only way, its access_denied goes to the app that waits", async () => {
  visits.offer({ only: true })
  clock.advance(3600)
  const browser = visits.browser()
  const path = authorize()
  const { status, location } = await browser.get(noOf(await leave(browser, path)))
  const url = new URL(location ?? assert.fail())
  const { state } = Object.fromEntries(new URL(path, server.issuer).searchParams)
  const { error_description: description, ...sent } = Object.fromEntries(url.searchParams)
  assert.deepEqual([status, sent], [303, { error: "access_denied", state, iss: server.issuer }])
  assert.ok(description)
  assert.equal((await browser.get("/account")).location, "/sign-in")
  // The same request begins again.
  assert.match(
    (await browser.get(await visits.answer(await leave(browser, path), ada))).location ?? "",
    /^\/oauth/,
  )
  visits.offer()
})

test("LOGIN-12 where no app waits, or the app is gone, the page leads back to the product", async () => {
  visits.offer({ only: true })
  clock.advance(3600)
  const browser = visits.browser()
  const gone = await server.addApp()
  const ofGone = await leave(browser, authorizePath(gone, newVerifier().challenge))
  const account = await leave(browser, "/account")
  await server.database.rows("UPDATE client SET enabled = 0 WHERE client_id = ?", gone.clientId)
  for (const asked of [account, ofGone]) {
    const page = await browser.get(noOf(asked))
    assert.deepEqual([page.status, page.location], [403, null])
    assert.match(page.text, /You canceled at .*The shop[^]*Go back to .*The shop/)
    assert.doesNotMatch(page.text, /type="password"/)
  }
  visits.offer()
})

test("LOGIN-7 an invitation and a confirmation that the product refuses stay where they were", async () => {
  clock.advance(3600)
  const input = { username: "grace", email: null, groups: [], days: 7, language: null, admin: false }
  const made = await invite(server.latchkey, input, OPERATOR)
  const secret = (made.ok ? made.value.secret : null) ?? assert.fail()
  const invited = visits.browser()
  const page = await invited.get(`/invitation?link=${secret}`)
  const asked = leadsTo(
    await invited.submit(page, "/invitation/with", { provider: "shop", username: "grace" }),
  )
  const back = await invited.get(noOf(asked))
  assert.equal(back.status, 403)
  assert.match(back.text, /You canceled at .*The shop[^]*action="\/invitation\/with"/)

  const { browser } = await visits.arrive(ada)
  const { csrf = "" } = hiddenFields((await browser.get("/account/security")).text, "/sign-out")
  const proving = leadsTo(await browser.post("/account/prove/with", { csrf, provider: "shop" }))
  const refused = await browser.get(noOf(proving))
  assert.equal(refused.status, 403)
  assert.match(refused.text, /Not confirmed[^]*You canceled at .*The shop/)
  assert.equal((await browser.get("/account")).status, 200)
})
