/** An application on the pages of an account: connecting, confirming, the second step and an invitation. */
import assert from "node:assert/strict"
import { afterEach, test } from "node:test"
import { invite } from "../../../../src/accounts/invitations/invite.ts"
import { linkAccount } from "../../../../src/accounts/providers/link.ts"
import { FRESH_PROOF_SECONDS } from "../../../../src/kernel/account-limits.ts"
import type { UserId } from "../../../../src/kernel/ids.ts"
import { signedInBrowser } from "../../../support/connect.ts"
import { leadsTo } from "../../../support/oidc.ts"
import { ProductVisits } from "../../../support/product-visits.ts"
import { OPERATOR } from "../../../support/test-server.ts"
import { accountWithTotp, codeAt } from "../../factors/factors.ts"

const visits = await ProductVisits.open()
const { server, clock } = visits

afterEach(() => clock.advance(3600))

async function emailOf(username: string) {
  const { accountByName } = await server.store.read({ accountByName: username })
  const { email } = await server.store.read({ email: accountByName?.userId ?? null })
  return email?.address ?? null
}

test("LOGIN-2 a signed-in person connects the account of the application to theirs", async () => {
  await server.addAccount("ada")
  const browser = await signedInBrowser(server, "ada")
  const page = await browser.get("/account/security")
  const asked = leadsTo(await browser.submit(page, "/account/security/connect", { provider: "shop" }))
  const done = await browser.get(await visits.answer(asked, { sub: "u-1", name: "Ada Lovelace" }))
  assert.equal(done.location, "/account/security", done.text)
  assert.match((await browser.get("/account/security")).text, /The shop[^]*Ada Lovelace/)
  const arrived = await visits.arrive({ sub: "u-1", username: "someone" })
  assert.match((await arrived.browser.get("/account")).text, /ada/)
})

test("LOGIN-3 a person confirms by signing in to the application again, which is asked for a fresh proof", async () => {
  const { browser } = await visits.arrive({ sub: "u-2", username: "grace" })
  clock.advance(FRESH_PROOF_SECONDS + 1)
  const page = await browser.get("/account/security/password")
  const again = async (claims: object) => {
    const asked = leadsTo(await browser.submit(page, "/account/prove/with", { provider: "shop" }))
    assert.equal(new URL(asked).searchParams.get("max_age"), "0")
    return browser.get(await visits.answer(asked, { sub: "u-2", ...claims }))
  }
  assert.equal((await again({ auth_time: clock.now() - 3600 })).status, 403)
  assert.equal((await again({ sub: "u-3", auth_time: clock.now() })).status, 403)
  const refused = await again({ iss: "other", auth_time: clock.now() })
  assert.equal(refused.status, 502)
  assert.match(refused.text, /Not confirmed[^]*could not be verified/)
  assert.equal((await again({ auth_time: clock.now() })).location, "/account/security/password")
  assert.match((await browser.get("/account/security/password")).text, /name="password"/)
})

test("LOGIN-6 the address follows once the second step is done, and not before", async () => {
  const secret = await accountWithTotp(server, "mary")
  assert.ok((await linkAccount(server.latchkey, visits.product.provider(), "mary", "u-4", OPERATOR)).ok)
  const claims = { sub: "u-4", name: "Mary S.", email: "mary@example.org", email_verified: true }
  const half = await visits.arrive(claims)
  assert.match(half.page.text, /One more step/)
  assert.equal(await emailOf("mary"), null)
  const done = await half.browser.submit(half.page, "/sign-in/code", { code: codeAt(server, secret) })
  assert.equal(done.status, 303)
  assert.equal(await emailOf("mary"), "mary@example.org")
  assert.match((await half.browser.get("/account/security")).text, /Mary S\./)
})

test("LOGIN-6 an invited person has the address of the invitation first, and then that of the application", async () => {
  const whole = { username: "joan", email: null, admin: false, groups: [], days: 7, language: null }
  const made = await invite(server.latchkey, whole, OPERATOR)
  assert.ok(made.ok)
  const browser = visits.browser()
  const page = await browser.get(`/invitation?link=${made.value.secret}`)
  const fields = { provider: "shop", username: "joan", password: "" }
  const asked = leadsTo(await browser.submit(page, "/invitation/with", fields))
  const claims = { sub: "u-5", email: "joan@example.org", email_verified: true }
  assert.equal((await browser.get(await visits.answer(asked, claims))).location, "/account")
  assert.equal(await emailOf("joan"), null)
  await visits.arrive(claims)
  assert.equal(await emailOf("joan"), "joan@example.org")
})

test("LOGIN-2 a disabled account stays disabled, and nothing follows", async () => {
  await visits.arrive({ sub: "u-6", username: "rosa" })
  const { accountByName } = await server.store.read({ accountByName: "rosa" })
  const userId = accountByName?.userId as UserId
  await server.store.change({ account: userId }, ({ account }) => ({
    answer: null,
    changes: account === null ? [] : [{ change: "accountChanged", account: { ...account, enabled: false } }],
  }))
  const { page } = await visits.arrive({ sub: "u-6", email: "rosa@example.org", email_verified: true })
  assert.equal(page.status, 403)
  assert.match(page.text, /disabled[^]*Go back to/)
  assert.equal(await emailOf("rosa"), null)
})
