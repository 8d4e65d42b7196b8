/** A provider that is slow, dead, or gives out other subjects than before. */
import assert from "node:assert/strict"
import { test, type TestContext } from "node:test"
import { checkProvider } from "../../../src/admin/providers/check.ts"
import type { StartTimer } from "../../../src/platform/outgoing/guarded-fetch.ts"
import {
  DEAD_KEPT_MILLISECONDS,
  DEADLINE_MILLISECONDS,
} from "../../../src/platform/outgoing/guarded-fetch.ts"
import { Browser } from "../../support/browser.ts"
import { authorizePath, connect, newVerifier, refresh, signedInBrowser } from "../../support/connect.ts"
import { leadsTo } from "../../support/oidc.ts"
import { ProviderVisits } from "../../support/provider-visits.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { until } from "../../support/until.ts"

/** Deadlines that the test lets pass. */
const deadlines: { readonly milliseconds: number; readonly pass: () => void }[] = []
const startTimer: StartTimer = (milliseconds, pass) => {
  const deadline = { milliseconds, pass }
  deadlines.push(deadline)
  return () => void deadlines.splice(deadlines.indexOf(deadline), 1)
}

const visits = await ProviderVisits.open({ startTimer, admins: ["chief"] })

/** The provider takes requests to this path and never answers. */
function hang(t: TestContext, path: string): void {
  visits.restoreAfter(t)
  visits.upstream.answer = (asked) => asked === path
}

async function passDeadline(path: string): Promise<void> {
  await until(() => visits.host.asked.some((one) => one.endsWith(path)), `a request to ${path}`)
  assert.deepEqual(
    deadlines.map(({ milliseconds }) => milliseconds),
    [DEADLINE_MILLISECONDS],
  )
  for (const { pass } of deadlines) pass()
}

test("UP-6 a slow provider is waited for until the deadline, then the page says so", async (t) => {
  hang(t, "/.well-known/openid-configuration")
  const waiting = visits.begin()
  await passDeadline("/openid-configuration")
  const page = await waiting
  assert.equal(page.status, 503)
  assert.match(page.text, /does not answer right now/)
  assert.match(page.text, /name="password"/, "the other ways to sign in stay")
  const asked = visits.host.asked.length
  assert.equal((await visits.begin()).status, 503, "others do not wait")
  assert.equal(visits.host.asked.length, asked)
  visits.upstream.answer = null
  visits.clock.advance(DEAD_KEPT_MILLISECONDS / 1000)
  assert.ok(leadsTo(await visits.begin()), "soon it is asked again")
})

for (const path of ["/token", "/jwks", "/me"])
  test(`UP-6 so is one that is slow at ${path} when the person comes back`, async (t) => {
    hang(t, path)
    visits.offer({ createAccounts: { domains: [], claim: null } })
    const browser = new Browser(visits.server.url)
    const waiting = visits.comeBack(browser, await visits.begin(browser), { sub: `slow at ${path}` })
    await passDeadline(path)
    const page = await waiting
    assert.equal(page.status, 503)
    assert.match(page.text, /does not answer right now/)
    assert.equal((await browser.get("/sign-in")).status, 200, "no account is signed in")
  })

test("UP-6 a dead provider touches neither sessions nor refreshes, and no other way to sign in", async (t) => {
  visits.restoreAfter(t)
  const app = await visits.server.addApp()
  await visits.server.addAccount("ada")
  await visits.link("ada", "ada")
  const { browser } = await visits.arrive({ sub: "ada" })
  const tokens = await connect(visits.server, app, "ada")
  visits.offer({ issuer: "https://127.0.0.1:9", metadataUrl: "https://dead.invalid/metadata" })
  assert.equal((await visits.begin()).status, 503)
  visits.clock.advance(8 * 86_400)
  assert.equal((await browser.get("/account")).status, 200)
  assert.equal((await refresh(visits.server, app, tokens.refresh_token)).status, 200)
  await signedInBrowser(visits.server, "ada")
})

test("UP-6 while a provider's metadata cannot be read, an older copy serves for a week", async (t) => {
  visits.restoreAfter(t)
  assert.ok(leadsTo(await visits.begin()))
  visits.upstream.answer = (path, response) => {
    if (path === "/token") return false
    response.writeHead(503).end()
    return true
  }
  visits.clock.advance(6 * 86_400)
  assert.ok(leadsTo(await visits.begin()), "the sign-in page of the provider may work")
  const checked = await checkProvider(visits.server.latchkey, visits.provider, visits.server.issuer)
  assert.equal(checked[0]?.state, "problem")
  assert.ok(leadsTo(await visits.begin()), "a check that fails does not lose the copy")
  visits.clock.advance(2 * 86_400)
  assert.equal((await visits.begin()).status, 503)
})

test("UP-1 a provider that gives a person another sub gives no access to the account of the former one", async (t) => {
  visits.restoreAfter(t)
  await visits.server.addAccount("grace")
  await visits.link("grace", "former")
  const person = { email: "grace@example.org", email_verified: true, preferred_username: "grace" }
  assert.equal((await visits.arrive({ ...person, sub: "former" })).page.status, 303)
  const { browser, page } = await visits.arrive({ ...person, sub: "latter" })
  assert.match(page.text, /No account here is connected to\s+this/)
  const signedIn = await browser.submit(page, "/sign-in", { username: "grace", password: PASSWORD })
  assert.equal(signedIn.status, 303, "the way back: sign in another way, disconnect the former, connect it")
  const security = await browser.get("/account/security")
  assert.equal((await browser.submit(security, "/account/security/disconnect", {})).status, 303)
  assert.equal((await visits.connect(browser, { ...person, sub: "latter" })).location, "/account/security")
  assert.equal((await visits.arrive({ ...person, sub: "latter" })).page.status, 303)
})

test("UP-6 after a refusal at the provider the authorization that waits goes on another way", async (t) => {
  visits.restoreAfter(t)
  await visits.server.addAccount("cleo")
  const path = authorizePath(await visits.server.addApp({ name: "Notebook" }), newVerifier().challenge)
  const browser = new Browser(visits.server.url)
  const between = await browser.submit(await browser.get(path), "/sign-in/with/corp", {})
  const query = visits.upstream.visit(leadsTo(between), { error: "access_denied" })
  const page = await browser.get(`/sign-in/with/corp/callback?${query}`)
  assert.match(page.text, /You canceled at/)
  assert.match(page.text, /Notebook/)
  const done = await browser.submit(page, "/sign-in", { username: "cleo", password: PASSWORD })
  assert.equal(done.location, path)
})

test("CONSENT-2 while an authorization waits, no page on the way through a provider sends form-action", async (t) => {
  visits.restoreAfter(t)
  visits.offer({ createAccounts: { domains: [], claim: null } })
  await visits.server.addAccount("taken")
  const path = authorizePath(await visits.server.addApp({ name: "Notebook" }), newVerifier().challenge)
  const browser = new Browser(visits.server.url)
  const first = await browser.get(path)
  const between = await browser.submit(first, "/sign-in/with/corp", {})
  const query = visits.upstream.visit(leadsTo(between), { error: "access_denied" })
  const canceled = await browser.get(`/sign-in/with/corp/callback?${query}`)
  const again = await browser.submit(canceled, "/sign-in/with/corp", {})
  const chosen = await visits.comeBack(browser, again, { sub: "newcomer", preferred_username: "taken" })
  assert.match(chosen.text, /<h1>Choose a username/)
  for (const { headers } of [first, between, canceled, again, chosen])
    assert.doesNotMatch(headers.get("content-security-policy") ?? "form-action", /form-action/)
  assert.match((await visits.begin()).headers.get("content-security-policy") ?? "", /form-action 'self';/)
})
