import { beforeEach, describe, test } from "node:test"
import assert from "node:assert/strict"
import { explain } from "../../../src/oauth/explain/explain.ts"
import { wholeExplained } from "../../../src/oauth/explain/explanation-words.ts"
import { setPassword } from "../../../src/accounts/accounts.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { Browser } from "../../support/browser.ts"
import { authorizePath, newVerifier, refresh, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"
import { introspected } from "../../support/signed-in.ts"
import { PASSWORD, type TestApp } from "../../support/test-server.ts"
import { assertRefused } from "../../support/answers.ts"
import { startHousekeeping } from "../../../src/admin/upkeep/housekeeping.ts"
import { retentionClock } from "../../../src/admin/upkeep/retention-clock.ts"
import { until } from "../../support/until.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { answerDevice, fetched, poll, startDevice } from "../device/device.ts"

const { testServer, app, other, server } = await fixture({
  rateLimit: "off",
  accounts: ["ada", "bob"],
  apps: {
    app: { name: "Tab", endsWithSession: true },
    other: { name: "Server" },
    server: { type: "confidential", resourceServer: true },
  },
})

let ada: Browser
beforeEach(async () => {
  testServer.clock.advance(600)
  ada = await signedInBrowser(testServer, "ada")
})

type Held = { readonly access_token: string; readonly refresh_token: string; readonly token_id: string }

async function isActive({ access_token }: Held): Promise<boolean> {
  return (await introspected(testServer, server, access_token)).body["active"] === true
}

async function assertOver(held: Held): Promise<void> {
  assert.equal(await isActive(held), false)
  assertRefused(await refresh(testServer, app, held.refresh_token), 400, "invalid_grant")
  const { credential } = await testServer.store.read({ credential: held.token_id as never })
  assert.equal(credential?.life.state === "revoked" && credential.life.because, "session-ended")
  const events = await testServer.store.events({ tokenId: held.token_id as never }, { limit: 9 })
  const ends = events.filter(({ kind }) => kind === "credential-revoked")
  assert.deepEqual(
    ends.map(({ detail, clientId, userId }) => [detail, clientId, userId]),
    [["session-ended", app.clientId, credential?.consent.userId]],
  )
  const { rows } = await testServer.store.invalidations(0, 1000)
  assert.ok(rows.some(({ of, key }) => of === "credential" && key === held.token_id))
}

async function signOut(browser: Browser): Promise<void> {
  const page = await browser.get("/account")
  await browser.submit(page, "/sign-out", {})
}

describe("SESSION-1, SESSION-2: what was allowed in a session ends with it, at once", () => {
  test("by a sign-out; another app, and the same app allowed in another browser, live on", async () => {
    const elsewhere = await signedInBrowser(testServer, "ada")
    const [held, beside, far] = [
      await grant(testServer, ada, app),
      await grant(testServer, ada, other),
      await grant(testServer, elsewhere, app),
    ]
    assert.deepEqual(await Promise.all([held, beside, far].map(isActive)), [true, true, true])
    await signOut(ada)
    await assertOver(held)
    assert.deepEqual(await Promise.all([beside, far].map(isActive)), [true, true])
  })

  test("by a new password, which ends the other browsers", async () => {
    const held = await grant(testServer, ada, app)
    assert.ok((await setPassword(testServer.latchkey, "ada", PASSWORD, { address: null, except: null })).ok)
    await assertOver(held)
  })

  test("by a sign-out from another browser, of one and of all others", async () => {
    const held = await grant(testServer, ada, app)
    const elsewhere = await signedInBrowser(testServer, "ada")
    const far = await grant(testServer, elsewhere, app)
    const page = await elsewhere.get("/account/security/browsers")
    await elsewhere.submit(page, "/account/security/browsers", { others: "yes" })
    await assertOver(held)
    assert.equal(await isActive(far), true)
  })

  test("by the expiry of the session, which a visit puts off", async () => {
    const held = await grant(testServer, ada, app)
    testServer.clock.advance(13 * DAY)
    assert.equal((await ada.get("/account")).status, 200)
    testServer.clock.advance(13 * DAY)
    const next = (await refresh(testServer, app, held.refresh_token)).body as unknown as Held
    await testServer.store.endExpiredSessions(testServer.clock.now(), 100)
    assert.equal(await isActive(next), true)
    testServer.clock.advance(DAY + 1)
    await testServer.store.endExpiredSessions(testServer.clock.now(), 100)
    await assertOver(next)
  })

  test("by the expiry of the session while the service was stopped for long", async (t) => {
    const held = await grant(testServer, ada, app)
    const trusted = retentionClock(testServer.latchkey)
    await trusted()
    testServer.clock.advance(20 * DAY)
    t.after(startHousekeeping(testServer.latchkey, trusted))
    const state = async () =>
      (await testServer.store.read({ credential: held.token_id as never })).credential?.life.state
    await until(async () => (await state()) === "revoked", "the credential ends")
    await assertOver(held)
  })

  test("a code that was not exchanged ends too", async () => {
    const { verifier, challenge } = newVerifier()
    assert.notEqual(verifier, "")
    const page = await ada.get(authorizePath(app, challenge))
    const answer = await ada.submit(page, "/oauth/consent", { decision: "authorize" })
    assert.equal(answer.status, 303)
    const code = new URL(answer.location ?? "").searchParams.get("code") ?? ""
    await signOut(ada)
    const { credential } = await testServer.store.read({ credential: code.slice(4, 30) as never })
    assert.equal(credential?.life.state, "revoked")
  })

  test("an approval that no device fetched is denied, and what a device fetched ends", async () => {
    const [early, late] = [await startDevice(testServer, app), await startDevice(testServer, app)]
    await answerDevice(ada, early, "authorize")
    await answerDevice(ada, late, "authorize")
    const held = await fetched(testServer, app, early)
    await signOut(ada)
    await assertOver(held)
    assertRefused(await poll(testServer, app, late), 400, "access_denied")
  })
})

test("SESSION-3: a second sign-in of the same account in the browser passes it on; of another account it ends", async () => {
  const tab = new Browser(testServer.url)
  const forms = [await tab.get("/sign-in"), await tab.get("/sign-in")] as const
  const sign = (form: (typeof forms)[number], username: string) =>
    tab.submit(form, "/sign-in", { username, password: PASSWORD })
  await sign(forms[0], "ada")
  const held = await grant(testServer, tab, app)
  await sign(forms[1], "ada")
  assert.equal(await isActive(held), true)
  await sign(forms[1], "bob")
  await assertOver(held)
})

test("SESSION-4: the consent page, the account page and explain say it, and only where it is so", async () => {
  const { challenge } = newVerifier()
  const consent = async (of: TestApp) => textOf((await ada.get(authorizePath(of, challenge))).text)
  assert.match(await consent(app), /Access ends with your sign-in in this browser: when you sign out/)
  assert.doesNotMatch(await consent(app), /lasts up to/)
  assert.match(await consent(other), /Access lasts up to a year/)
  const [held, beside] = [await grant(testServer, ada, app), await grant(testServer, ada, other)]
  const shown = async (clientId: string) => textOf((await ada.get(`/account?app=${clientId}`)).text)
  assert.match(await shown(app.clientId), /Ends With the sign-in in which you allowed it/)
  assert.doesNotMatch(await shown(other.clientId), /With the sign-in/)
  const said = async ({ token_id }: Held) => {
    const explained = await explain(testServer.latchkey, token_id)
    assert.ok(explained.ok)
    return wholeExplained(explained.value, String)
      .map(({ sentence }) => sentence)
      .join(" ")
  }
  assert.match(await said(held), /It ends with the sign-in session/)
  assert.doesNotMatch(await said(beside), /sign-in session/)
  await signOut(ada)
  assert.match(await said(held), /the sign-in session of the consent ended/)
  const again = await signedInBrowser(testServer, "ada")
  const activity = textOf((await again.get("/account/activity")).text)
  assert.match(activity, /Tab was signed out: its access ends with the sign-in/)
})

test("SESSION-1: the switch applies to consents from then on, and the stored rows are sound", async () => {
  const unmarked = await grant(testServer, ada, other)
  await signOut(ada)
  assert.equal(await isActive(unmarked), true)
  assert.deepEqual(await testServer.store.verify(), [])
})
