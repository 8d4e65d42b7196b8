/** Tests that a person accepts an invitation with a sign-in provider. */
import assert from "node:assert/strict"
import { after, beforeEach, test } from "node:test"
import { invite, type InvitationInput } from "../../../src/accounts/invitations/invite.ts"
import { callbackUrl } from "../../../src/accounts/providers/leave.ts"
import { linkAccount } from "../../../src/accounts/providers/link.ts"
import type { OpenIdProvider, SignInProvider } from "../../../src/model/sign-in/provider.rules.ts"
import { Browser } from "../../support/browser.ts"
import { testClock } from "../../support/clock.ts"
import { fixture } from "../../support/fixture.ts"
import { joinGroups } from "../../support/join-groups.ts"
import {
  comeBack,
  leadsTo,
  OidcProvider,
  ProviderHost,
  providerAt,
  signInWith,
  TRUSTED,
} from "../../support/oidc.ts"
import { OPERATOR } from "../../support/test-server.ts"

const providers = new Map<string, SignInProvider>()
const host = await ProviderHost.open()
after(() => host.close())
const upstream = new OidcProvider(host)
const offer = (more: Partial<OpenIdProvider> = {}) => providers.set("corp", providerAt(host.url, more))
const { testServer: server } = await fixture({
  outgoing: TRUSTED,
  providers,
  clock: testClock(Math.floor(Date.now() / 1000)),
  admins: ["ada"],
})
upstream.accept(callbackUrl(server.issuer, "corp"))
beforeEach(() => void offer())

const invitation = async (input: Partial<InvitationInput> = {}) => {
  const whole = { username: null, email: null, admin: false, groups: [], days: 7, language: null, ...input }
  const made = await invite(server.latchkey, whole, OPERATOR)
  return `/invitation?link=${(made.ok ? made.value.secret : null) ?? assert.fail()}`
}
const go = async (browser: Browser, link: string, username = "") => {
  const page = await browser.get(link)
  const between = await browser.submit(page, "/invitation/with", { provider: "corp", username, password: "" })
  return comeBack(server, browser, leadsTo(between))
}
const named = async (name: string) => (await server.store.read({ accountByName: name })).accountByName

test("INVITE-3 it makes an account with the claimed name, though the rules of the provider create none", async () => {
  upstream.member = { sub: "grace-at-work", claims: { preferred_username: "grace" } }
  const link = await invitation({ admin: true })
  const browser = new Browser(server.url)
  const done = await go(browser, link)
  assert.deepEqual([done.status, done.location], [303, "/account"])
  assert.equal((await browser.get("/console")).status, 200)
  assert.equal((await browser.get(link)).status, 410)
  const again = new Browser(server.url)
  assert.equal((await signInWith(server, again, await again.get("/sign-in"))).status, 303)
  assert.equal((await named("grace"))?.admin, true)
})

test("INVITE-1, GROUP-14 the new account has the groups of the invitation, by hand, and those of the claim", async () => {
  await joinGroups(server.store, await server.addAccount("keeper"), "invited", "staff", "both")
  offer({
    groups: {
      name: "groups",
      map: new Map([
        ["S", "staff"],
        ["B", "both"],
      ]),
    },
  })
  upstream.member = { sub: "lin", claims: { preferred_username: "lin", groups: ["S", "B"] } }
  assert.equal(
    (await go(new Browser(server.url), await invitation({ groups: ["both", "invited"] }))).status,
    303,
  )
  const account = (await named("lin")) ?? assert.fail()
  assert.deepEqual(account.groups, ["both", "invited", "staff"])
  const { memberships } = await server.store.read({ memberships: account.userId })
  const mark = (group: string, provider: string | null) => ({ group, provider })
  assert.deepEqual(memberships, [
    mark("both", null),
    mark("both", "corp"),
    mark("invited", null),
    mark("staff", "corp"),
  ])
  const [joined] = await server.store.events({ kinds: ["groups-joined"] }, { limit: 1 })
  assert.equal(joined?.detail, "staff, by the rule of corp")
})

test("INVITE-3 a typed name wins over the suggestion, and that over the claim", async () => {
  upstream.member = { sub: "one", claims: { preferred_username: "claimed" } }
  assert.equal((await go(new Browser(server.url), await invitation(), "typed")).status, 303)
  assert.notEqual(await named("typed"), null)
  upstream.member = { sub: "two", claims: { preferred_username: "claimed" } }
  const browser = new Browser(server.url)
  const page = await browser.get(await invitation({ username: "suggested" }))
  assert.match(page.text, /name="username"[^>]* value="suggested"/)
})

test("INVITE-3 a name that is taken is asked for, and the sign-in at the provider is not lost", async () => {
  upstream.member = { sub: "ada-too", claims: { preferred_username: "ada" } }
  const link = await invitation()
  const browser = new Browser(server.url)
  const ask = await go(browser, link)
  assert.match(ask.text, /Choose a username/)
  assert.equal((await new Browser(server.url).get(link)).status, 200)
  const path = "/sign-in/with/corp/username"
  const taken = await browser.submit(ask, path, { username: "ADA" })
  assert.match(taken.text, /This username is taken/)
  const done = await browser.submit(taken, path, { username: "ada.two" })
  assert.equal(done.status, 303)
  assert.equal((await named("ada.two"))?.admin, false)
  assert.equal((await browser.get(link)).status, 410)
})

test("INVITE-3 a person who has an account already keeps it, and the invitation stays", async () => {
  await server.addAccount("olga")
  const linked = await linkAccount(server.latchkey, providerAt(host.url), "olga", "olga-at-work", OPERATOR)
  assert.ok(linked.ok)
  upstream.member = { sub: "olga-at-work" }
  const link = await invitation({ admin: true })
  const answer = await go(new Browser(server.url), link)
  assert.equal(answer.status, 409)
  assert.match(answer.text, /Another account here is connected to it already/)
  assert.equal((await named("olga"))?.admin, false)
  assert.equal((await new Browser(server.url).get(link)).status, 200)
})

test("INVITE-2 what ended while the person was at the provider makes no account", async () => {
  upstream.member = { sub: "late", claims: { preferred_username: "late" } }
  const link = await invitation()
  const browser = new Browser(server.url)
  const between = await browser.submit(await browser.get(link), "/invitation/with", { provider: "corp" })
  upstream.member = { sub: "first", claims: { preferred_username: "first" } }
  assert.equal((await go(new Browser(server.url), link)).status, 303)
  upstream.member = { sub: "late", claims: { preferred_username: "late" } }
  const answer = await comeBack(server, browser, leadsTo(between))
  assert.equal(answer.status, 410)
  assert.equal(await named("late"), null)
})

test("INVITE-3 a provider that is not configured any more leads back to the page", async () => {
  const browser = new Browser(server.url)
  const page = await browser.get(await invitation())
  assert.match(page.text, /Continue with/)
  providers.clear()
  const answer = await browser.submit(page, "/invitation/with", { provider: "corp" })
  assert.equal(answer.status, 400)
  assert.doesNotMatch(answer.text, /Continue with <bdi>/)
})
