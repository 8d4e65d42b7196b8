/** The only way by which an e-mail address leads to an existing account. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { setEmailByOperator } from "../../../src/accounts/email/email.ts"
import { setAccountEnabled, setAdministration } from "../../../src/accounts/accounts.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { arrive } from "../../../src/accounts/providers/arrive.ts"
import type { TokenId, UserId } from "../../../src/kernel/ids.ts"
import { newId } from "../../../src/kernel/random.ts"
import { ok } from "../../../src/kernel/result.ts"
import { decided } from "../../../src/model/change.rules.ts"
import type { OpenIdProvider } from "../../../src/model/sign-in/provider.rules.ts"
import { MailServer } from "../../support/mail-server.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { wholeFile } from "../../support/spawn.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"

const file = wholeFile()
const trusted = { authoritativeDomains: ["example.org"] }

const mails = await MailServer.open()
file.after(() => mails.close())
const visits = await ProviderVisits.open({ mail: mails.config(), admins: ["chief"] })

/** A person with a confirmed address, and what an honest provider says about it. */
async function holder(more: Partial<OpenIdProvider> = trusted) {
  const name = visits.newName()
  const userId = (await visits.server.addAccount(name)) as UserId
  const email = `${name}@example.org`
  const set = await setEmailByOperator(visits.server.latchkey, name, email, OPERATOR)
  assert.ok(set.ok)
  visits.offer(more)
  return { name, userId, email, claims: { sub: `sub of ${name}`, email, email_verified: true } }
}

const linksOf = async (userId: UserId) =>
  (await visits.server.store.read({ identities: userId })).identities ?? []

async function isRefused(claims: Record<string, unknown>, userId: UserId, why: RegExp): Promise<void> {
  const earlier = await linksOf(userId)
  const { browser, page } = await visits.arrive(claims)
  assert.match(page.text, why)
  assert.equal((await browser.get("/sign-in")).status, 200, "no account is signed in")
  assert.deepEqual(await linksOf(userId), earlier)
}

const NOT_CONNECTED = /No account here is connected/
const HELD = /An account here has the e-mail address/

test("UP-17 an address that the provider is trusted for connects and signs in, with an event and a mail", async (t) => {
  visits.restoreAfter(t)
  const { name, userId, email, claims } = await holder()
  await visits.server.sendMails()
  mails.mails.splice(0)
  const { browser, page } = await visits.arrive({ ...claims, email: email.toUpperCase() })
  assert.equal(page.location, "/account", page.text)
  assert.match((await browser.get("/account")).text, new RegExp(name))
  assert.deepEqual(
    (await linksOf(userId)).map(({ subject, issuer }) => [subject, issuer]),
    [[claims.sub, visits.host.url]],
  )
  const [linked] = await visits.server.store.events({ kinds: ["identity-linked"] }, { limit: 1 })
  assert.equal(linked?.userId, userId)
  assert.match(linked?.detail ?? "", /^corp by e-mail address: /)
  assert.match(
    (await browser.get("/account/activity")).text,
    /was connected to\s+<bdi>Work<\/bdi> by its e-mail address/,
  )
  await visits.server.sendMails()
  assert.ok(
    mails.mails.some(({ recipients, text }) => recipients[0] === email && /connected/.test(text ?? "")),
  )
  // The link has the key of every other: the address does not matter any more.
  assert.equal((await visits.arrive({ sub: claims.sub })).page.status, 303)
})

test("UP-17 nothing is connected unless the operator listed exactly this domain", async (t) => {
  visits.restoreAfter(t)
  const { userId, claims } = await holder({ authoritativeDomains: [] })
  await isRefused(claims, userId, NOT_CONNECTED)
  for (const domain of ["org", "ample.org", "sub.example.org", "example.org.evil.example", "*"]) {
    visits.offer({ authoritativeDomains: [domain] })
    await isRefused(claims, userId, NOT_CONNECTED)
  }
  visits.offer({ ...trusted, createAccounts: { domains: ["example.org"], claim: null } })
  assert.equal((await visits.arrive(claims)).page.status, 303, "before an account is created")
  assert.equal((await linksOf(userId)).length, 1)
})

test("UP-17 only the boolean true counts, and only for the address beside it", async (t) => {
  visits.restoreAfter(t)
  const { userId, email, claims } = await holder()
  for (const email_verified of [undefined, null, false, "true", 1, [true], {}])
    await isRefused({ ...claims, email_verified }, userId, NOT_CONNECTED)
  for (const other of [
    `${email}.evil.example`,
    `x <${email}>`,
    `${email},a@evil.example`,
    ` ${email}`,
    [email],
  ])
    await isRefused({ ...claims, email: other }, userId, NOT_CONNECTED)
  // The ID token says the address, and userinfo verifies another one.
  visits.upstream.userinfo = { email: "eve@evil.example", email_verified: true }
  await isRefused({ sub: claims.sub, email }, userId, NOT_CONNECTED)
  visits.upstream.userinfo = { email, email_verified: true }
  await isRefused({ sub: claims.sub, email: "eve@evil.example" }, userId, NOT_CONNECTED)
  assert.equal((await visits.arrive({ sub: claims.sub, email })).page.status, 303, "both say the same")
})

test("UP-17 an address that no account has confirmed leads nowhere, whatever accounts are named", async (t) => {
  visits.restoreAfter(t)
  visits.offer(trusted)
  const name = `${visits.newName()}@example.org`
  const userId = (await visits.server.addAccount(name)) as UserId
  const claims = { sub: name, email: name, email_verified: true, preferred_username: name }
  await isRefused(claims, userId, NOT_CONNECTED)
})

test("UP-17 never by an address that only an application named, until it is confirmed here", async (t) => {
  visits.restoreAfter(t)
  const { name, userId, email, claims } = await holder()
  const named = { userId, address: email, addressKey: email, verifiedAt: 0 }
  await visits.server.store.change({}, () => decided(null, { change: "emailSet", email: named }))
  await isRefused(claims, userId, HELD)
  assert.ok((await setEmailByOperator(visits.server.latchkey, name, email, OPERATOR)).ok)
  assert.equal((await visits.arrive(claims)).page.location, "/account")
})

test("UP-17 never to an administrator", async (t) => {
  visits.restoreAfter(t)
  const { name, userId, claims } = await holder()
  assert.ok((await setAdministration(visits.server.latchkey, name, true, OPERATOR)).ok)
  await isRefused(claims, userId, HELD)
})

test("UP-17 never to an account with a second factor, also where the provider proves one", async (t) => {
  visits.restoreAfter(t)
  const { name, userId, claims } = await holder({ ...trusted, secondFactor: { acr: [], amr: ["mfa"] } })
  assert.ok((await addTotp(visits.server.latchkey, name, OPERATOR)).ok)
  await isRefused({ ...claims, amr: ["mfa"] }, userId, HELD)
})

test("UP-17 never to a disabled account, which stays disabled", async (t) => {
  visits.restoreAfter(t)
  const { name, userId, claims } = await holder()
  assert.ok((await setAccountEnabled(visits.server.latchkey, name, false, OPERATOR)).ok)
  await isRefused(claims, userId, /Your account is disabled/)
})

test("UP-17 never to an account that is linked to another subject of the issuer", async (t) => {
  visits.restoreAfter(t)
  const { name, userId, claims } = await holder()
  await visits.link(name, "former-subject", visits.offer(trusted))
  await isRefused(claims, userId, HELD)
})

test("UP-17 a refusal says what to do, and no second account is created beside it", async (t) => {
  visits.restoreAfter(t)
  const createAccounts = { domains: ["example.org"], claim: null }
  const { name, claims } = await holder({ ...trusted, createAccounts })
  assert.ok((await setAdministration(visits.server.latchkey, name, true, OPERATOR)).ok)
  const { browser, page } = await visits.arrive({ ...claims, preferred_username: `${name}-two` })
  assert.equal(page.status, 403)
  assert.match(page.text, /Sign in another way/)
  assert.equal((await visits.server.store.read({ accountByName: `${name}-two` })).accountByName, null)
  const signedIn = await browser.submit(page, "/sign-in", { username: name, password: PASSWORD })
  assert.equal(signedIn.status, 303, "the other ways stay on the page")
  assert.equal((await visits.connect(browser, claims)).location, "/account/security")
})

test("UP-17 Google is trusted for a domain of its own workspaces only, and for its own mailboxes", async (t) => {
  visits.restoreAfter(t)
  const { userId, claims } = await holder({ ...trusted, preset: "google" })
  await isRefused(claims, userId, NOT_CONNECTED)
  await isRefused({ ...claims, hd: "evil.example" }, userId, NOT_CONNECTED)
  assert.equal((await visits.arrive({ ...claims, hd: "example.org" })).page.status, 303)
})

test("UP-17 of two subjects that come at the same time with one address, one is connected", async (t) => {
  visits.restoreAfter(t)
  const { userId, claims } = await holder()
  const { latchkey } = visits.server
  const provider = visits.offer(trusted)
  const comes = (subject: string, number: number) => {
    const issuer = provider.issuer
    const arrived = { issuer, subject, claims, moreClaims: () => Promise.resolve(ok({})) }
    const visitor = {
      address: "192.0.2.1",
      addressKey: "192.0.2.1",
      userAgent: "",
      browserSecret: `browser ${number}`,
      formerSecret: null,
    }
    const ticketId = newId<TokenId>(visits.clock.now())
    return arrive(latchkey, provider, arrived, { ticketId, next: null }, visitor)
  }
  const answers = await Promise.all(["one", "two", "three"].map(comes))
  const outcomes = answers.map((answer) => answer.ok && answer.value.outcome).toSorted()
  assert.deepEqual(outcomes, ["address-held", "address-held", "signed-in"])
  assert.equal((await linksOf(userId)).length, 1)
})
