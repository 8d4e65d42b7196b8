/** A person allows an app once, and comes back. */
import assert from "node:assert/strict"
import { beforeEach, describe, test } from "node:test"
import { removeAccount, setAccountEnabled, setAdministration } from "../../../src/accounts/accounts.ts"
import { type ManagersUpdate, updateApp } from "../../../src/apps/app.ts"
import { DAY, HOUR, YEAR } from "../../../src/kernel/time.ts"
import { endCredential } from "../../../src/oauth/credential/credential.ts"
import type { Browser } from "../../support/browser.ts"
import {
  authorizePath,
  exchange,
  newVerifier,
  own,
  REDIRECT_URI,
  refresh,
  send,
  signedInBrowser,
} from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { setAppGroups, setGroups } from "../../support/groups.ts"
import { OPERATOR, type AppOptions, type TestApp } from "../../support/test-server.ts"
import { textOf } from "../../platform/ui/markup.ts"

const SCOPE = "openid profile account:read"
const R1 = "https://one.example/api"
const R2 = "https://two.example/api"

const { testServer, userIds } = await fixture({
  rateLimit: "off",
  settings: { "openid.enabled": "on" },
  permissions: {
    "crew:rota": { title: "See the rota", for_groups: ["crew"] },
  },
  admins: ["root"],
  accounts: ["ada", "bob"],
})

const PERMISSIONS = [
  "openid",
  "profile",
  "account:read",
  "account:write",
  "crew:rota",
  "admin:events",
  "admin:settings",
]

const newApp = (given: AppOptions = {}) =>
  testServer.addApp({
    name: "Wiki",
    type: "confidential",
    rememberConsent: true,
    redirectUris: [
      REDIRECT_URI,
      "https://app.example/other",
      "https://evil.example/callback",
      "http://127.0.0.1/cb",
    ],
    permissions: PERMISSIONS,
    ...given,
  })

let app: TestApp
let ada: Browser
beforeEach(async () => {
  await setGroups(testServer, userIds.ada, "crew")
  ada = await signedInBrowser(testServer, "ada")
  app = await newApp()
})

type Parameters = Readonly<Record<string, string>>

async function ask(browser: Browser, of: TestApp, more: Parameters = {}, headers: Parameters = {}) {
  const { verifier, challenge } = newVerifier()
  const page = await browser.get(authorizePath(of, challenge, { scope: SCOPE, ...more }), headers)
  return { page, verifier }
}

const parameterOf = (location: string | null, name: string) =>
  new URL(location ?? "about:blank").searchParams.get(name)

type Held = {
  readonly token_id: string
  readonly refresh_token: string
  readonly id_token: string
  readonly scope: string
}

async function fetched(of: TestApp, code: string, verifier: string, more: Parameters = {}): Promise<Held> {
  const { status, body } = await exchange(testServer, of, code, verifier, more)
  assert.equal(status, 200, JSON.stringify(body))
  return body as Held
}

/** Clicks Authorize on the page, and fetches the tokens. */
async function allowed(browser: Browser, of: TestApp, more: Parameters = {}): Promise<Held> {
  const { page, verifier } = await ask(browser, of, more)
  assert.equal(page.status, 200, page.location ?? "")
  const { location } = await browser.submit(page, "/oauth/consent", { decision: "authorize" })
  const at = more["redirect_uri"]
  return fetched(
    of,
    parameterOf(location, "code") ?? assert.fail(location ?? ""),
    verifier,
    at === undefined ? {} : { redirect_uri: at },
  )
}

/** Comes back without a page, and fetches the tokens. */
async function returned(browser: Browser, of: TestApp, more: Parameters = {}): Promise<Held> {
  const { page, verifier } = await ask(browser, of, more)
  assert.equal(page.status, 303, "a page asked")
  assert.equal(parameterOf(page.location, "state"), "st/ate +1")
  assert.equal(parameterOf(page.location, "iss"), testServer.issuer)
  return fetched(of, parameterOf(page.location, "code") ?? assert.fail(page.location ?? ""), verifier)
}

async function isAsked(browser: Browser, of: TestApp, more: Parameters = {}): Promise<boolean> {
  const { page } = await ask(browser, of, more)
  return page.status === 200 && page.text.includes('name="decision"')
}

const update = (of: TestApp, changed: ManagersUpdate) =>
  updateApp(testServer.latchkey, of.clientId, changed, OPERATOR)

async function stored() {
  const { rememberedConsents } = await testServer.store.read({ rememberedConsents: userIds.ada })
  return (rememberedConsents ?? []).filter(({ clientId }) => clientId === app.clientId)
}

const credentialOf = async ({ token_id }: Held) =>
  (await testServer.store.read({ credential: token_id as never })).credential ?? assert.fail()

const lastEvents = async (limit: number) =>
  (await testServer.store.events({}, { limit })).map(({ kind, detail }) =>
    detail === null ? kind : `${kind} ${detail}`,
  )

test("OIDC-16 the page says so, the click is remembered, and the second time there is no page", async () => {
  const { page } = await ask(ada, app)
  assert.match(textOf(page.text), /For a year, this app will not ask you again for this access/)
  const first = await allowed(ada, app)
  testServer.clock.advance(DAY)
  const browser = await signedInBrowser(testServer, "ada")
  const second = await returned(browser, app, { nonce: "n-2" })
  assert.notEqual(second.token_id, first.token_id)
  const claims = JSON.parse(
    Buffer.from(second.id_token.split(".")[1] ?? "", "base64url").toString(),
  ) as object
  assert.equal((claims as Record<string, unknown>)["nonce"], "n-2")
  assert.deepEqual((await lastEvents(2)).toReversed(), ["remembered-consent-used", "code-exchanged"])
  const { consent } = await credentialOf(first)
  assert.equal((await credentialOf(second)).consent.endsAt, consent.endsAt)
})

test("OIDC-7 only an app that the person allowed learns by max_age how old the last proof is", async () => {
  const answered = async (browser: Browser, max_age: string) => {
    const { page } = await ask(browser, app, { prompt: "none", max_age })
    return parameterOf(page.location, "error")
  }
  testServer.clock.advance(100)
  assert.deepEqual([await answered(ada, "99"), await answered(ada, "100")], Array(2).fill("consent_required"))
  await allowed(ada, app)
  assert.deepEqual([await answered(ada, "99"), await answered(ada, "100")], ["login_required", null])
})

test("OIDC-16 a consent is remembered for a year from the click, and its credentials end with it", async () => {
  await allowed(ada, app)
  const [row] = await stored()
  testServer.clock.advance(YEAR - 100)
  const browser = await signedInBrowser(testServer, "ada")
  const late = await returned(browser, app)
  assert.equal((await credentialOf(late)).consent.endsAt, row?.endsAt)
  testServer.clock.advance(101)
  assert.ok(await isAsked(await signedInBrowser(testServer, "ada"), app))
  assert.equal((await refresh(testServer, app, late.refresh_token)).status, 400)
  await testServer.store.sweep(testServer.clock.now(), 1000)
  assert.deepEqual(await stored(), [])
})

describe("OIDC-16 what the click does not cover is asked", () => {
  const cases: Readonly<Record<string, Parameters>> = {
    "another permission": { scope: `${SCOPE} account:write` },
    "another origin": { redirect_uri: "https://evil.example/callback" },
    "a loopback address": { redirect_uri: "http://127.0.0.1:4711/cb" },
    "a resource where none was named": { resource: R1 },
    "a permission of administration": { scope: `${SCOPE} admin:events` },
    "hub administration": { scope: `${SCOPE} admin:settings` },
    "a request without openid": { scope: "profile account:read" },
    "a request that leaves the scope out": { scope: "" },
    "prompt=consent": { prompt: "consent" },
  }
  for (const [name, more] of Object.entries(cases))
    test(name, async () => {
      await allowed(ada, app)
      assert.ok(await isAsked(ada, app, more))
      if (more["prompt"] !== undefined || !(more["scope"] ?? SCOPE).includes("openid")) return
      const { page } = await ask(ada, app, { ...more, prompt: "none" })
      assert.equal(parameterOf(page.location, "error"), "consent_required")
    })

  test("another resource, more resources, and none", async () => {
    const { page, verifier } = await ask(ada, app, { resource: R1 })
    const { location } = await ada.submit(page, "/oauth/consent", { decision: "authorize" })
    await fetched(app, parameterOf(location, "code") ?? "", verifier)
    assert.ok(await isAsked(ada, app, { resource: R2 }))
    assert.ok(await isAsked(ada, app))
    await returned(ada, app, { resource: R1 })
  })

  test("another account, another app, and the same app at another account", async () => {
    await allowed(ada, app)
    assert.ok(await isAsked(await signedInBrowser(testServer, "bob"), app))
    assert.ok(await isAsked(ada, await newApp()))
  })
})

test("OIDC-16 a code that a remembered consent gave ends with it", async () => {
  const first = await allowed(ada, app)
  const { endsAt } = (await credentialOf(first)).consent
  testServer.clock.advance(endsAt - testServer.clock.now() - 30)
  const later = await signedInBrowser(testServer, "ada")
  const { page, verifier } = await ask(later, app)
  const code = parameterOf(page.location, "code") ?? assert.fail("a page asked")
  testServer.clock.advance(60)
  const { status, body } = await exchange(testServer, app, code, verifier)
  assert.deepEqual([status, body["error"]], [400, "invalid_grant"])
})

describe("OIDC-16 nothing is remembered", () => {
  const cases: Readonly<Record<string, readonly [given: AppOptions, more: Parameters]>> = {
    "without the switch": [{ rememberConsent: false }, {}],
    "at a loopback address": [{ type: "public" }, { redirect_uri: "http://127.0.0.1:4711/cb" }],
    "at a private-use scheme": [
      { type: "public", redirectUris: ["com.example.app:/cb"] },
      { redirect_uri: "com.example.app:/cb" },
    ],
    "of a request without openid": [{}, { scope: "profile" }],
    "of a permission of administration": [{}, { scope: `${SCOPE} admin:events` }],
    "of hub administration": [{}, { scope: `${SCOPE} admin:settings` }],
  }
  for (const [name, [given, more]] of Object.entries(cases))
    test(name, async () => {
      const of = await newApp(given)
      const browser = await signedInBrowser(testServer, name.includes("administration") ? "root" : "ada")
      const { page } = await ask(browser, of, more)
      assert.doesNotMatch(textOf(page.text), /will not ask you again/)
      await allowed(browser, of, more)
      assert.ok(await isAsked(browser, of, more))
    })

  test("of a page that did not say so", async () => {
    const of = await newApp({ rememberConsent: false })
    const { page } = await ask(ada, of)
    await update(of, { rememberConsent: true })
    await ada.submit(page, "/oauth/consent", { decision: "authorize" })
    assert.ok(await isAsked(ada, of))
  })

  test("of Refuse, and while OpenID Connect is off", async () => {
    const { page } = await ask(ada, app)
    await ada.submit(page, "/oauth/consent", { decision: "refuse" })
    assert.ok(await isAsked(ada, app))
    await allowed(ada, app)
    await testServer.set("openid.enabled", "off")
    assert.ok(await isAsked(ada, app))
    await testServer.set("openid.enabled", "on")
    await returned(ada, app)
  })

  test("of a public app, unless its address is https of its own", async () => {
    const of = await newApp({ type: "public" })
    await allowed(ada, of)
    await returned(ada, of)
  })
})

test("OIDC-16 the app gets what the account can grant now, and nothing that is left for others", async () => {
  const scope = `${SCOPE} crew:rota`
  await allowed(ada, app, { scope })
  await setGroups(testServer, userIds.ada)
  const held = await returned(ada, app, { scope })
  assert.deepEqual((await credentialOf(held)).consent.scope.includes("crew:rota" as never), false)
  await setAppGroups(testServer, app, "crew")
  const { page } = await ask(ada, app)
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /value="authorize"/)
})

test("OIDC-16 an administrator who is demoted keeps what was clicked, and administration is asked for again", async () => {
  await testServer.addAccount("eve", true)
  const eve = await signedInBrowser(testServer, "eve")
  await allowed(eve, app)
  assert.ok(await isAsked(eve, app, { scope: `${SCOPE} admin:events` }))
  await setAdministration(testServer.latchkey, "eve", false, OPERATOR)
  const after = await signedInBrowser(testServer, "eve")
  await returned(after, app)
  await setAccountEnabled(testServer.latchkey, "eve", false, OPERATOR)
  const { page } = await ask(after, app)
  assert.match(page.text, /name="password"/)
})

describe("OIDC-17 a remembered consent ends", () => {
  const changes: Readonly<Record<string, ManagersUpdate>> = {
    "with another redirect address": { addRedirectUris: ["https://app.example/third"] },
    "with fewer redirect addresses": { removeRedirectUris: ["http://127.0.0.1/cb"] },
    "with another owner": { ownerName: "bob" },
    "with the switch": { rememberConsent: false },
  }
  for (const [name, changed] of Object.entries(changes))
    test(name, async () => {
      await allowed(ada, app)
      const done = await update(app, changed)
      assert.ok(done.ok, JSON.stringify(done))
      assert.deepEqual(await stored(), [])
      if (changed.rememberConsent === false) await update(app, { rememberConsent: true })
      assert.ok(await isAsked(ada, app))
    })

  test("when its owner's account is removed", async () => {
    await testServer.addAccount("mallory")
    const of = await newApp({ ownerName: "mallory" })
    await allowed(ada, of)
    await removeAccount(testServer.latchkey, "mallory", OPERATOR)
    assert.ok(await isAsked(ada, of))
  })

  test("when an administrator ends a credential of it, and not when another one ends", async () => {
    const other = await newApp()
    const held = await allowed(ada, other)
    await allowed(ada, app)
    await endCredential(testServer.latchkey, held.token_id, OPERATOR)
    assert.ok(await isAsked(ada, other))
    const later = await returned(ada, app)
    await endCredential(testServer.latchkey, later.token_id, OPERATOR)
    assert.ok(await isAsked(ada, app))
  })

  test("when the person ends a credential of it", async () => {
    await allowed(ada, app)
    const held = await returned(ada, app)
    const page = await ada.get(`/account/end-access?token_id=${held.token_id}`)
    await ada.submit(page, "/account/end-access", {})
    assert.ok(await isAsked(ada, app))
  })

  test("when the person says so on the account page", async () => {
    const of = await newApp({ name: "Ledger" })
    const held = await allowed(ada, of)
    const page = await ada.get("/account")
    assert.match(page.text, /Ask me again: Ledger/)
    const answer = await ada.submit(page, "/account/ask-again", { app: of.clientId })
    assert.equal(answer.location, "/account?done=asks-again")
    const after = await ada.get("/account?done=asks-again")
    assert.match(textOf(after.text), /The app will ask you again/)
    assert.doesNotMatch(after.text, /Ask me again: Ledger/)
    assert.ok(await isAsked(ada, of))
    assert.deepEqual(await lastEvents(1), ["remembered-consent-ended"])
    assert.equal((await refresh(testServer, of, held.refresh_token)).status, 200)
  })

  test("with all access of the app, also where no credential of it is left", async () => {
    await allowed(ada, app)
    testServer.clock.advance(100 * DAY)
    const browser = await signedInBrowser(testServer, "ada")
    assert.match(textOf((await browser.get("/account")).text), /Apps that do not ask again/)
    await allowed(browser, app, { scope: "profile" })
    const page = await browser.get(`/account/end-access?app=${app.clientId}`)
    await browser.submit(page, "/account/end-access", {})
    assert.ok(await isAsked(browser, app))
  })

  test("also for a code that was not yet exchanged", async () => {
    const of = await newApp()
    await allowed(ada, of)
    const { page, verifier } = await ask(ada, of)
    const code = parameterOf(page.location, "code") ?? assert.fail()
    await ada.submit(await ada.get("/account"), "/account/ask-again", { app: of.clientId })
    const answer = await exchange(testServer, of, code, verifier)
    assert.deepEqual([answer.status, answer.body["error"]], [400, "invalid_grant"])
    assert.equal((await exchange(testServer, of, code, verifier)).status, 400)
  })

  describe("also for a code that was not yet exchanged, whatever came meanwhile", () => {
    const meanwhile: Readonly<Record<string, (of: TestApp) => Promise<unknown>>> = {
      "a later click on less": (of) => allowed(ada, of, { scope: "openid" }),
      "a ceiling without openid": (of) => update(of, { removePermissions: ["openid"] }),
    }
    for (const [name, happens] of Object.entries(meanwhile))
      test(name, async () => {
        const of = await newApp()
        await allowed(ada, of)
        const { page, verifier } = await ask(ada, of)
        const code = parameterOf(page.location, "code") ?? assert.fail()
        await ada.submit(await ada.get("/account"), "/account/ask-again", { app: of.clientId })
        await happens(of)
        const answer = await exchange(testServer, of, code, verifier)
        assert.deepEqual([answer.status, answer.body["error"]], [400, "invalid_grant"])
      })

    test("but for a later click on as much", async () => {
      await allowed(ada, app)
      const { page, verifier } = await ask(ada, app)
      await allowed(ada, app, { scope: `${SCOPE} account:write` })
      await fetched(app, parameterOf(page.location, "code") ?? assert.fail(), verifier)
    })
  })

  test("never by another person", async () => {
    await allowed(ada, app)
    const bob = await signedInBrowser(testServer, "bob")
    await allowed(bob, app)
    await bob.submit(await bob.get("/account"), "/account/ask-again", { app: app.clientId })
    assert.ok(await isAsked(bob, app))
    await returned(ada, app)
  })
})

describe("OIDC-17 a remembered consent stays", () => {
  test("after the app's own revocation, a replayed code and a sign-out", async () => {
    await allowed(ada, app)
    const { page, verifier } = await ask(ada, app)
    const code = parameterOf(page.location, "code") ?? assert.fail()
    const held = await fetched(app, code, verifier)
    assert.equal((await exchange(testServer, app, code, verifier)).status, 400)
    assert.equal((await refresh(testServer, app, held.refresh_token)).status, 400)
    const next = await returned(ada, app)
    await send(testServer, "/oauth/revoke", { ...own(app), token: next.refresh_token })
    await ada.submit(await ada.get("/account"), "/sign-out", {})
    await returned(await signedInBrowser(testServer, "ada"), app)
  })

  test("after a change of the name", async () => {
    await allowed(ada, app)
    await update(app, { name: "Wiki 2" })
    await returned(ada, app)
  })
})

test("OIDC-16 two tabs at once each get a code that works", async () => {
  await allowed(ada, app)
  const [one, two] = await Promise.all([returned(ada, app), returned(ada, app)])
  assert.notEqual(one.token_id, two.token_id)
})

test("OIDC-16 prompt=none gets a code", async () => {
  await allowed(ada, app)
  await returned(ada, app, { prompt: "none" })
})

test("OIDC-16 the credentials of an app that ends with the session are bound to the one that asked", async () => {
  const of = await newApp({ endsWithSession: true })
  await allowed(ada, of)
  const other = await signedInBrowser(testServer, "ada")
  const held = await returned(other, of)
  await ada.submit(await ada.get("/account"), "/sign-out", {})
  assert.equal((await credentialOf(held)).life.state, "active")
  await other.submit(await other.get("/account"), "/sign-out", {})
  assert.equal((await credentialOf(held)).life.state, "revoked")
})

test("OIDC-18 a new credential replaces the oldest of more than four of the same session, app and label", async () => {
  const held = [await allowed(ada, app)]
  const labeled = await returned(ada, app, { installation_name: "Laptop" })
  const other = await signedInBrowser(testServer, "ada")
  const elsewhere = await returned(other, app)
  for (let i = 0; i < 6; i++) {
    testServer.clock.advance(60)
    held.push(await returned(ada, app))
  }
  const states = await Promise.all(held.map(async (one) => (await credentialOf(one)).life))
  assert.deepEqual(
    states.map(({ state }) => state),
    ["revoked", "revoked", "revoked", "active", "active", "active", "active"],
  )
  assert.ok(states.every((life) => life.state !== "revoked" || life.because === "replaced"))
  for (const one of [labeled, elsewhere]) assert.equal((await credentialOf(one)).life.state, "active")
  assert.equal((await stored()).length > 0, true)
})

test("OIDC-18 a site that opens the app again and again makes sixty credentials an hour, and one that looks ahead none", async () => {
  const of = await newApp()
  await allowed(ada, of)
  const rows = async () => {
    const [row] = await testServer.database.rows("SELECT count(*) AS n FROM credential")
    return Number(row?.["n"])
  }
  const before = await rows()
  for (const headers of [{ "sec-purpose": "prefetch" }, { "sec-purpose": "prefetch;prerender" }])
    assert.equal((await ask(ada, of, {}, headers)).page.status, 200)
  assert.equal(await rows(), before)
  for (let i = 0; i < 60; i++) assert.equal((await ask(ada, of)).page.status, 303)
  assert.ok(await isAsked(ada, of))
  assert.equal(await rows(), before + 60)
  testServer.clock.advance(HOUR)
  await returned(await signedInBrowser(testServer, "ada"), of)
})

test("OIDC-18 a credential that is exchanged late is kept, and the oldest of the others is replaced", async () => {
  await allowed(ada, app)
  const asked = []
  for (let i = 0; i < 5; i++) {
    testServer.clock.advance(1)
    asked.push(await ask(ada, app))
  }
  for (const { page, verifier } of asked.toReversed()) {
    const held = await fetched(app, parameterOf(page.location, "code") ?? assert.fail(), verifier)
    assert.equal((await credentialOf(held)).life.state, "active")
  }
})
