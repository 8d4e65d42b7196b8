/** The second step after a sign-in through a provider. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { unlinkAccount } from "../../../src/accounts/providers/link.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { accountWithTotp, codeAt, isSignedIn } from "../factors/factors.ts"
import { OPERATOR } from "../../support/test-server.ts"

const administrators = { name: "groups", value: "admins" }

const visits = await ProviderVisits.open({ admins: ["chief"] })

async function linkedWithTotp() {
  const name = visits.newName()
  const secret = await accountWithTotp(visits.server, name)
  const provider = visits.offer({ administrators })
  await visits.link(name, name, provider)
  return { name, secret, provider }
}

const isAdmin = async (name: string) =>
  (await visits.server.store.read({ accountByName: name })).accountByName?.admin

test("UP-13 the rule gives administration only when the second step is done", async (t) => {
  visits.restoreAfter(t)
  const { name, secret } = await linkedWithTotp()
  const { browser, page } = await visits.arrive({ sub: name, groups: ["admins"] })
  assert.match(page.text, /One more step/)
  assert.equal(await isAdmin(name), false)
  const wrong = await browser.submit(page, "/sign-in/code", { code: "x" })
  assert.match(wrong.text, /One more step/)
  assert.equal(await isAdmin(name), false)
  const done = await browser.submit(wrong, "/sign-in/code", { code: codeAt(visits.server, secret) })
  assert.equal(done.status, 303)
  assert.equal(await isAdmin(name), true)
  const [given] = await visits.server.store.events({ kinds: ["administration-granted"] }, { limit: 1 })
  assert.equal(given?.detail, "by the rule of corp")
  visits.clock.advance(60)
  const left = await visits.arrive({ sub: name, groups: [] })
  assert.equal(await isAdmin(name), true)
  await left.browser.submit(left.page, "/sign-in/code", { code: codeAt(visits.server, secret) })
  assert.equal(await isAdmin(name), false, "the same at the way back")
})

test("UP-13 a page that is older than the configuration gives no administration without a current rule", async (t) => {
  visits.restoreAfter(t)
  const { name, secret } = await linkedWithTotp()
  const { browser, page } = await visits.arrive({ sub: name, groups: ["admins"] })
  visits.offer()
  const done = await browser.submit(page, "/sign-in/code", { code: codeAt(visits.server, secret) })
  assert.equal(done.status, 303)
  assert.equal(await isAdmin(name), false, "after the second step")
  const createAccounts = { domains: [], claim: null }
  visits.offer({ administrators, createAccounts, secondFactor: { acr: [], amr: ["mfa"] } })
  const claims = { sub: "new", preferred_username: name, groups: ["admins"], amr: ["mfa"] }
  const unnamed = await visits.arrive(claims)
  visits.offer({ createAccounts })
  const username = visits.newName()
  const named = await unnamed.browser.submit(unnamed.page, "/sign-in/with/corp/username", { username })
  assert.equal(named.status, 303)
  assert.equal(await isAdmin(username), false, "of a new account")
  const { accountByName } = await visits.server.store.read({ accountByName: username })
  assert.ok(accountByName !== null && accountByName !== undefined)
  const [session] = await visits.server.store.sessions(accountByName.userId)
  assert.equal(session?.proof?.by, "password")
})

test("UP-1 a provider that was removed between the steps signs in no one", async (t) => {
  visits.restoreAfter(t)
  const { name, secret } = await linkedWithTotp()
  const { browser, page } = await visits.arrive({ sub: name })
  visits.withdraw("corp")
  const late = await browser.submit(page, "/sign-in/code", { code: codeAt(visits.server, secret) })
  assert.equal(late.status, 403)
  assert.equal(await isSignedIn(browser), false)
})

test("UP-12 the audit trail names the provider and the factor of a sign-in in two steps", async (t) => {
  visits.restoreAfter(t)
  const { name, secret } = await linkedWithTotp()
  const { browser, page } = await visits.arrive({ sub: name })
  assert.doesNotMatch(page.text, /password is correct/)
  await browser.submit(page, "/sign-in/code", { code: codeAt(visits.server, secret) })
  const [signedIn] = await visits.server.store.events({ kinds: ["signed-in"] }, { limit: 1 })
  assert.equal(signedIn?.detail, "through corp, then totp")
  const activity = await browser.get("/account/activity")
  assert.match(activity.text, /You signed in through <bdi>Work<\/bdi> and with a code/)
})

test("UP-1 a link that was removed between the steps signs in no one", async (t) => {
  visits.restoreAfter(t)
  const { name, secret, provider } = await linkedWithTotp()
  const { browser, page } = await visits.arrive({ sub: name })
  assert.ok((await unlinkAccount(visits.server.latchkey, provider, name, name, OPERATOR)).ok)
  const late = await browser.submit(page, "/sign-in/code", { code: codeAt(visits.server, secret) })
  assert.equal(late.status, 403)
  assert.equal(await isSignedIn(browser), false)
})

test("LOGIN-11 a provider that was an application of this name before renews no session of then", async (t) => {
  visits.restoreAfter(t)
  const { name, secret } = await linkedWithTotp()
  const { browser, page } = await visits.arrive({ sub: name })
  await browser.submit(page, "/sign-in/code", { code: codeAt(visits.server, secret) })
  const vouched = "UPDATE session SET vouched_by = 'corp', vouched_at = created_at"
  await visits.server.database.rows(vouched)
  assert.equal((await browser.get("/account")).location, "/sign-in")
  visits.clock.advance(60)
  const again = await visits.arrive({ sub: name }, browser)
  assert.match(again.page.text, /One more step/)
  await browser.submit(again.page, "/sign-in/code", { code: codeAt(visits.server, secret) })
  assert.equal((await browser.get("/account")).status, 200)
})
