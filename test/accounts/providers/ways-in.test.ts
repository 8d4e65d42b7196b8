/** What counts as a way to sign in when a passkey or a connection is removed: one rule for both. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { setAdministration } from "../../../src/accounts/accounts.ts"
import type { UserId } from "../../../src/kernel/ids.ts"
import { Authenticator } from "../../support/authenticator.ts"
import type { Browser } from "../../support/browser.ts"
import { providerAt } from "../../support/oidc.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { addPasskey } from "../factors/factors.ts"
import { OPERATOR } from "../../support/test-server.ts"

const createAccounts = { domains: [], claim: null }
const visits = await ProviderVisits.open({ admins: ["chief"] })

/** A person whom the provider brought, without a password. */
async function newcomer() {
  const name = visits.newName()
  visits.offer({ createAccounts })
  const { browser, page } = await visits.arrive({ sub: name, preferred_username: name })
  assert.equal(page.status, 303, page.text)
  const { accountByName } = await visits.server.store.read({ accountByName: name })
  return { name, browser, userId: accountByName?.userId ?? ("" as UserId) }
}

async function withPasskey() {
  const person = await newcomer()
  assert.equal((await addPasskey(visits.server, person.browser, new Authenticator())).status, 303)
  return person
}

async function removePasskey(browser: Browser, userId: UserId): Promise<number> {
  const { factors } = await visits.server.store.read({ factors: userId })
  const [passkey] = factors ?? []
  const page = await browser.get(`/account/security/factor?id=${passkey?.factorId}`)
  return (await browser.submit(page, "/account/security/remove", {})).status
}

async function disconnect(browser: Browser, userId: UserId, provider: string): Promise<number> {
  const { identities } = await visits.server.store.read({ identities: userId })
  const id = (identities ?? []).find((one) => one.provider === provider)?.identityHash ?? ""
  const page = await browser.get("/account/security")
  return (await browser.submit(page, "/account/security/disconnect", { id })).status
}

test("UP-10 a link to a provider that the configuration has no more is no way in: the passkey stays", async (t) => {
  visits.restoreAfter(t)
  const { browser, userId } = await withPasskey()
  visits.withdraw("corp")
  visits.offer({}, "another")
  visits.withdraw("another")
  assert.equal(await removePasskey(browser, userId), 409)
  assert.match((await browser.get("/account/security")).text, /no longer offered here/)
  visits.offer()
  assert.doesNotMatch((await browser.get("/account/security")).text, /no longer offered here/)
  assert.equal(await removePasskey(browser, userId), 303)
})

test("UP-10 neither is a link to an earlier issuer of the provider", async (t) => {
  visits.restoreAfter(t)
  const { browser, userId } = await withPasskey()
  visits.offer({ issuer: "https://moved.example" })
  assert.equal(await removePasskey(browser, userId), 409)
})

test("UP-10 a provider may have another name: its issuer decides", async (t) => {
  visits.restoreAfter(t)
  const { name, browser, userId } = await newcomer()
  await visits.link(name, "elsewhere", providerAt("https://gone.example", { name: "gone" }))
  visits.withdraw("corp")
  visits.offer({}, "renamed")
  assert.equal(await disconnect(browser, userId, "corp"), 409, "the other one is no way in")
  assert.equal(await disconnect(browser, userId, "gone"), 303)
})

test("UP-10 an administrator without a password keeps a passkey, though a provider would do", async (t) => {
  visits.restoreAfter(t)
  const { name, browser, userId } = await withPasskey()
  assert.ok((await setAdministration(visits.server.latchkey, name, true, OPERATOR)).ok)
  assert.equal(await removePasskey(browser, userId), 409)
  assert.equal(await disconnect(browser, userId, "corp"), 303, "the passkey is the way in")
})

test("UP-10 the last administrator with a password stays, though another one signs in through a provider", async (t) => {
  visits.restoreAfter(t)
  const { name } = await withPasskey()
  const operator = { address: null }
  assert.ok((await setAdministration(visits.server.latchkey, name, true, operator)).ok)
  assert.equal((await setAdministration(visits.server.latchkey, "chief", false, operator)).ok, false)
  assert.ok((await setAdministration(visits.server.latchkey, name, false, operator)).ok)
})
