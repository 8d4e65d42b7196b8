/** The grant for assertions of an organization, at the endpoints: what it gives, and every attack that the draft names. */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setAccountEnabled } from "../../../src/accounts/accounts.ts"
import { linkAccount, unlinkAccount } from "../../../src/accounts/providers/link.ts"
import { allowOrganization } from "../../../src/apps/installations/blocked.ts"
import { setAppEnabled, updateApp } from "../../../src/apps/app.ts"
import { DAY } from "../../../src/kernel/time.ts"
import type { ClientId } from "../../../src/kernel/ids.ts"
import type { Account } from "../../../src/model/account.rules.ts"
import type { OpenIdProvider, SignInProvider } from "../../../src/model/sign-in/provider.rules.ts"
import { endCredential, endOwnCredential } from "../../../src/oauth/credential/credential.ts"
import { assertRefused } from "../../support/answers.ts"
import { testClock } from "../../support/clock.ts"
import { own, send, signedInBrowser } from "../../support/connect.ts"
import { openCode, started } from "../device/device.ts"
import { fixture } from "../../support/fixture.ts"
import { setAppGroups, setGroups } from "../../support/groups.ts"
import { IdentityProvider } from "../../support/identity-provider.ts"
import { providerAt, TRUSTED } from "../../support/oidc.ts"
import { introspected } from "../../support/signed-in.ts"
import { randomId, Signer } from "../../support/signer.ts"
import { wholeFile } from "../../support/spawn.ts"
import { OPERATOR, PASSWORD, type TestApp } from "../../support/test-server.ts"

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
const PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag"
const NOTES = "https://notes.example/mcp"
const SIGNED = "https://signed.example/mcp"

const clock = testClock()
const idp = await IdentityProvider.open(() => clock.now())
const providers = new Map<string, SignInProvider>()
const keys = await Signer.make()
const jwt = { algorithm: "ES256", seconds: 300 } as const

const { testServer, app, other, keyed, open, server, userIds } = await fixture({
  rateLimit: "off",
  clock,
  providers,
  outgoing: TRUSTED,
  accounts: ["ada", "bob"],
  permissions: { "crew:rota": { title: "See the rota", for_groups: ["crew"] } },
  resourceServers: new Map([
    [NOTES, { name: "Notes", jwt: null }],
    [SIGNED, { name: "Signed", jwt }],
  ]),
  apps: {
    app: {
      type: "confidential",
      stepUp: true,
      permissions: ["files:write", "account:read", "crew:rota", "admin:events", "credentials:write"],
    },
    other: { type: "confidential" },
    keyed: { type: "confidential", keys: keys.keys },
    open: { type: "public" },
    server: { type: "confidential", resourceServer: true },
  },
})
wholeFile().after(() => idp.host.close())

const permissions = ["files:read", "account:read", "crew:rota"]
/** The entry of the configuration, from now on. */
function configure(more: Partial<OpenIdProvider> = {}, clients = [app, keyed, open]): OpenIdProvider {
  const assertions = { clients: clients.map(({ clientId }) => clientId as ClientId), permissions }
  const provider = providerAt(idp.url, {
    name: "work",
    label: "Acme",
    assertions: assertions as never,
    ...more,
  })
  providers.set("work", provider)
  return provider
}
const entry = configure()
idp.client = app.clientId
const link = (name = "ada", subject = "ada") =>
  linkAccount(testServer.latchkey, entry, name, subject, OPERATOR)
assert.ok((await link()).ok)

type Claims = Readonly<Record<string, unknown>>
const assertion = (claims: Claims = {}, header: Claims = {}, signer?: Signer) =>
  idp.assertion({ aud: testServer.url, sub: "ada", resource: NOTES, ...claims }, header, signer)

const present = (jwtText: string, more: Record<string, string> = {}, as: TestApp = app) =>
  send(testServer, "/oauth/token", { ...own(as), grant_type: GRANT, assertion: jwtText, ...more })
const ask = async (claims: Claims = {}, more: Record<string, string> = {}, as?: TestApp) =>
  present(await assertion(claims), more, as)
const active = async (token: unknown) => (await introspected(testServer, server, String(token))).body

async function given(claims: Claims = {}, more: Record<string, string> = {}) {
  const answer = await ask(claims, more)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
async function refused(answer: ReturnType<typeof ask>, error = "invalid_grant"): Promise<void> {
  const answered = await answer
  assertRefused(answered, 400, error)
  if (error === "invalid_grant")
    assert.equal(answered.body["error_description"], "The assertion is not valid.")
}

describe("what it gives", () => {
  test("ORG-6 an access token for the resource of the assertion, and nothing of refresh", async () => {
    const { access_token, token_id, ...rest } = await given()
    assert.deepEqual(rest, {
      token_type: "Bearer",
      expires_in: 3600,
      scope: "account:read workers:read files:read",
      user_id: userIds.ada,
      username: "ada",
    })
    const seen = await active(access_token)
    assert.deepEqual(
      [seen["active"], seen["aud"], seen["sub"], seen["client_id"], seen["token_id"], seen["scope"]],
      [true, [NOTES], userIds.ada, app.clientId, token_id, rest.scope],
    )
  })

  test("ORG-6 a JWT where the resource server has JWTs, live as long as its credential", async () => {
    const { access_token, expires_in } = await given({ resource: SIGNED })
    assert.equal(expires_in, 300)
    const claims = JSON.parse(
      Buffer.from(String(access_token).split(".")[1] ?? "", "base64url").toString(),
    ) as Claims
    assert.deepEqual([claims["aud"], claims["sub"]], [SIGNED, userIds.ada])
    assert.equal((await active(access_token))["active"], true)
    assert.equal(
      (await send(testServer, "/oauth/revoke", { ...own(app), token: String(access_token) })).status,
      200,
    )
    assert.equal((await active(access_token))["active"], false)
    assert.equal((await active((await given())["access_token"]))["active"], true, "the app may come again")
  })

  test("ORG-5 request, assertion, entry, ceiling and account each limit the scope", async () => {
    const scope = async (claims: Claims, more: Record<string, string> = {}) =>
      (await given(claims, more))["scope"]
    assert.equal(await scope({ scope: "files:read" }), "workers:read files:read")
    assert.equal(
      await scope({ scope: "files:write" }),
      "workers:read files:read",
      "the entry has no files:write",
    )
    assert.equal(await scope({ scope: "files:read account:read" }, { scope: "account:read" }), "account:read")
    assert.equal(await scope({ scope: "files:read nonsense" }), "workers:read files:read")
    assert.equal(await scope({}, { scope: "openid workers:read" }), "workers:read")
    assert.equal(await scope({}, { scope: "offline_access" }), "account:read workers:read files:read")
    for (const [claims, more] of [
      [{ scope: "openid" }, {}],
      [{ scope: "files:read" }, { scope: "account:read" }],
      [{}, { scope: "admin:events" }],
      [{ scope: "admin:events" }, {}],
      [{}, { scope: "crew:rota" }],
      [{}, { scope: "nonsense" }],
    ] as const)
      await refused(ask(claims, more), "invalid_scope")
    await refused(ask({}, { scope: 'files:read "' }), "invalid_scope")
    await setGroups(testServer, userIds.ada, "crew")
    assert.equal(await scope({ scope: "crew:rota" }), "crew:rota")
    await setGroups(testServer, userIds.ada)
  })

  test("ORG-5 never an admin: permission, though entry, ceiling and account have it", async () => {
    configure({ assertions: { clients: [app.clientId as ClientId], permissions: ["admin:events"] as never } })
    await refused(ask({ scope: "admin:events" }, { scope: "admin:events" }), "invalid_scope")
    configure()
  })

  test("ORG-7 a year of assertions is one credential, and every used jti is forgotten after its exp", async () => {
    const tables = ["credential", "service_token", "organization_block", "spent_assertion"]
    const rows = async () =>
      Promise.all(
        tables.map(async (table) => {
          const [row] = await testServer.database.rows(`SELECT count(*) AS count FROM ${table}`)
          return Number(row?.["count"])
        }),
      )
    const first = (await given())["token_id"]
    const sweep = async () => {
      clock.advance(9 * DAY)
      await testServer.store.sweep(clock.now(), 1000)
    }
    await sweep()
    const before = await rows()
    for (let month = 0; month < 12; month += 1) {
      clock.advance(21 * DAY)
      assert.equal((await given())["token_id"], first)
      await sweep()
    }
    assert.deepEqual(await rows(), before)
    clock.advance(91 * DAY)
    assert.notEqual((await given())["token_id"], first, "without an assertion for 90 days it ends")
  })

  test("ORG-7 at least 32 tokens of a credential live together", async () => {
    const tokens: unknown[] = []
    for (let count = 0; count < 33; count += 1) tokens.push((await given())["access_token"])
    assert.equal((await active(tokens[0]))["active"], false)
    assert.equal((await active(tokens[1]))["active"], true)
  })
})

describe("who may ask", () => {
  test("ORG-2 a client by key too, and its own assertion counts once", async () => {
    const claims = { client_id: keyed.clientId }
    const proof = () => keys.authenticates(keyed.clientId, testServer.url, clock.now())
    const sent = async (as: Record<string, string>, text: string) =>
      send(testServer, "/oauth/token", {
        client_id: keyed.clientId,
        ...as,
        grant_type: GRANT,
        assertion: text,
      })
    assert.equal((await sent(await proof(), await assertion(claims))).status, 200)
    const once = await proof()
    assertRefused(
      await sent(once, await assertion({ ...claims, aud: "https://elsewhere.example" })),
      400,
      "invalid_grant",
    )
    assertRefused(await sent(once, await assertion(claims)), 401, "invalid_client")
  })

  test("ORG-2 nothing of the assertion is looked at before the client is authenticated and listed", async () => {
    const asked = idp.host.asked.length
    const text = await assertion({}, { kid: "unknown" })
    assertRefused(await present(text, { client_secret: "wrong" }), 401, "invalid_client")
    assertRefused(await present("nonsense", {}, other), 400, "unauthorized_client")
    assertRefused(await present(text, {}, other), 400, "unauthorized_client")
    assertRefused(
      await present(await assertion({ client_id: open.clientId }), {}, open),
      400,
      "unauthorized_client",
    )
    assert.equal(idp.host.asked.length, asked)
    const without = { ...own(app), grant_type: GRANT }
    assertRefused(await send(testServer, "/oauth/token", without), 400, "invalid_request")
    const stranger = { ...own(other), grant_type: GRANT }
    for (const more of [{}, { assertion: "x", scope: '"' }])
      assertRefused(
        await send(testServer, "/oauth/token", { ...stranger, ...more }),
        400,
        "unauthorized_client",
      )
  })

  test("ORG-8 the subject is a linked account of a person, which is enabled", async () => {
    await refused(ask({ sub: "bob" }))
    await refused(ask({ sub: "ADA" }))
    const token = (await given())["access_token"]
    await setAccountEnabled(testServer.latchkey, "ada", false, OPERATOR)
    await refused(ask())
    assert.equal((await active(token))["active"], false)
    await setAccountEnabled(testServer.latchkey, "ada", true, OPERATOR)
    assert.equal((await active(token))["active"], true)
  })

  test("ORG-8 what ends with the link does not come back with another one", async () => {
    const token = (await given())["access_token"]
    assert.ok((await unlinkAccount(testServer.latchkey, entry, "ada", "ada", OPERATOR)).ok)
    assert.equal((await active(token))["active"], false)
    await refused(ask())
    assert.ok((await link()).ok)
    assert.equal((await active(token))["active"], false)
    assert.equal((await active((await given())["access_token"]))["active"], true)
  })

  test("ORG-1 what the entry, the ceiling, the groups or the app lose, tokens lose at once", async () => {
    const token = (await given())["access_token"]
    const scope = async () => (await active(token))["scope"]
    configure({
      assertions: { clients: [app.clientId as ClientId], permissions: ["account:read"] as never },
    })
    assert.equal(await scope(), "account:read")
    configure({}, [other])
    assert.equal(await scope(), undefined)
    await refused(ask(), "unauthorized_client")
    providers.clear()
    assert.equal(await scope(), undefined)
    configure()
    await updateApp(testServer.latchkey, app.clientId, { removePermissions: ["account:read"] }, OPERATOR)
    assert.equal(await scope(), "workers:read files:read")
    await updateApp(testServer.latchkey, app.clientId, { addPermissions: ["account:read"] }, OPERATOR)
    await setAppGroups(testServer, app, "crew")
    assert.equal(await scope(), "")
    await refused(ask())
    await setAppGroups(testServer, app)
    await setAppEnabled(testServer.latchkey, app.clientId, false, OPERATOR)
    assert.equal(await scope(), undefined)
    await setAppEnabled(testServer.latchkey, app.clientId, true, OPERATOR)
    assert.equal(await scope(), "account:read workers:read files:read")
  })

  test("ORG-1 what the entry gains, the next assertion gives", async () => {
    const before = await given()
    const more = [...permissions, "files:write"] as never
    configure({ assertions: { clients: [app.clientId as ClientId], permissions: more } })
    assert.equal((await given())["scope"], "account:read workers:read files:read files:write")
    assert.equal((await active(before["access_token"]))["active"], false)
    configure()
    assert.equal((await given())["scope"], "account:read workers:read files:read")
  })
})

describe("what a person ended", () => {
  test("ORG-9 stays ended until he allows it again, and nothing of before comes back", async () => {
    const { access_token, token_id } = await given()
    const signed = (await given({ resource: SIGNED }))["access_token"]
    const account = (await testServer.store.read({ account: userIds.ada })).account
    assert.ok(account)
    const from = { address: "192.0.2.1" }
    assert.ok(await endOwnCredential(testServer.latchkey, account, String(token_id), from))
    await refused(ask())
    clock.advance(30 * DAY)
    await testServer.store.sweep(clock.now(), 1000)
    await refused(ask())
    const of = { app: app.clientId, provider: "work" }
    const stranger = { userId: userIds.bob }
    assert.equal(await allowOrganization(testServer.latchkey, stranger, of, from), false)
    await refused(ask())
    assert.equal(await allowOrganization(testServer.latchkey, account, of, from), true)
    assert.notEqual((await given())["token_id"], token_id)
    for (const token of [access_token, signed]) assert.equal((await active(token))["active"], false)
  })

  test("ORG-9 so does what an administrator ended", async () => {
    const { token_id } = await given()
    assert.ok((await endCredential(testServer.latchkey, String(token_id), OPERATOR)).ok)
    await refused(ask())
    const of = { app: app.clientId, provider: "work" }
    assert.ok(await allowOrganization(testServer.latchkey, { userId: userIds.ada }, of, { address: null }))
    await given()
  })

  test("ORG-9 what ends stays ended where the app revoked its token first", async () => {
    const { access_token, token_id } = await given()
    await send(testServer, "/oauth/revoke", { ...own(app), token: String(access_token) })
    const holder = { userId: userIds.ada } as Account
    assert.ok(await endOwnCredential(testServer.latchkey, holder, String(token_id), { address: null }))
    await refused(ask())
    const of = { app: app.clientId, provider: "work" }
    assert.ok(await allowOrganization(testServer.latchkey, holder, of, { address: null }))
    await given()
  })

  test("ORG-9 another name of the entry lifts nothing, and the account page still offers to allow it", async () => {
    const { token_id } = await given()
    assert.ok((await endCredential(testServer.latchkey, String(token_id), OPERATOR)).ok)
    providers.clear()
    providers.set("acme", { ...entry, name: "acme" })
    await refused(ask())
    const browser = await signedInBrowser(testServer, "ada")
    const page = await browser.get("/account")
    assert.match(page.text, /Apps that stay disconnected/)
    await browser.submit(page, "/account/allow-again", {})
    await given()
    providers.clear()
    configure()
    await given()
  })

  test("ORG-9 what the app itself revoked comes again with its next assertion", async () => {
    const { access_token, token_id } = await given()
    const second = (await given())["access_token"]
    const revoke = (token: string, as = app) => send(testServer, "/oauth/revoke", { ...own(as), token })
    assert.equal((await revoke(String(access_token), other)).status, 401)
    assert.equal((await revoke(String(access_token).slice(0, -1))).status, 200)
    assert.equal((await active(second))["active"], true)
    assert.equal((await revoke(String(access_token))).status, 200)
    assert.equal((await active(second))["active"], false)
    const next = await given()
    assert.equal(next["token_id"], token_id, "the credential stays, and no row is added")
    for (const token of [access_token, second]) assert.equal((await active(token))["active"], false)
    assert.equal((await active(next["access_token"]))["active"], true)
    // In the same second, the next token ends too.
    assert.equal((await revoke(String(next["access_token"]))).status, 200)
    assert.equal((await active(next["access_token"]))["active"], false)
    const signed = String((await given({ resource: SIGNED }))["access_token"])
    clock.advance(1)
    const later = String((await given({ resource: SIGNED }))["access_token"])
    assert.deepEqual([(await active(signed))["active"], (await active(later))["active"]], [false, true])
    assert.equal((await revoke(later)).status, 200)
    assert.equal((await active(later))["active"], false)
    assert.deepEqual(await testServer.store.verify(), [])
    const browser = await signedInBrowser(testServer, "ada")
    assert.match((await browser.get("/account")).text, /By \u2068?Acme/)
  })
})

test("ORG-9, API-5 an app that ends its own credential with its own token comes again, as after a revocation", async () => {
  const clients = [app.clientId as ClientId]
  configure({ assertions: { clients, permissions: ["credentials:write"] as never } })
  const { access_token, token_id } = await given({ resource: testServer.url })
  const second = (await given())["access_token"]
  const ended = await fetch(`${testServer.url}/api/credentials/${String(token_id)}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${String(access_token)}` },
  })
  assert.ok(ended.ok, await ended.text())
  for (const token of [access_token, second]) assert.equal((await active(token))["active"], false)
  assert.match((await (await signedInBrowser(testServer, "ada")).get("/account")).text, /By \u2068?Acme/)
  assert.equal((await given())["token_id"], token_id, "the credential stays, and no row is added")
  configure()
})

test("ORG-1, ORG-5, ORG-6 a permission of OpenID Connect is given and reaches while it is on, without an id_token", async () => {
  await testServer.set("openid.enabled", "on")
  await testServer.latchkey.settings.current()
  const update = (change: object) => updateApp(testServer.latchkey, app.clientId, change, OPERATOR)
  const added = await update({ addPermissions: ["openid", "groups"] })
  assert.ok(added.ok, JSON.stringify(added))
  const clients = [app.clientId as ClientId]
  configure({ assertions: { clients, permissions: ["openid", "account:read"] as never } })
  const word = { resource: testServer.url, scope: "openid groups account:read" }
  const { access_token, scope, token_id, ...rest } = await given(word, { scope: word.scope })
  assert.equal(scope, "account:read openid")
  assert.ok(!("id_token" in rest))
  const userinfo = async () => {
    const headers = { authorization: `Bearer ${String(access_token)}` }
    const answer = await fetch(`${testServer.url}/oauth/userinfo`, { headers })
    return answer.ok ? await answer.json() : answer.status
  }
  assert.deepEqual(await userinfo(), { sub: userIds.ada })
  await testServer.set("openid.enabled", "off")
  assert.notDeepEqual(await userinfo(), { sub: userIds.ada })
  assert.equal((await active(access_token))["scope"], "account:read")
  const off = await given(word, { scope: word.scope.replace(" groups", "") })
  assert.deepEqual([off["scope"], off["token_id"]], ["account:read", token_id])
  await refused(ask({ ...word, scope: "openid" }), "invalid_scope")
  await testServer.set("openid.enabled", "on")
  assert.deepEqual(await userinfo(), { sub: userIds.ada })
  assert.ok((await update({ removePermissions: ["openid", "groups"] })).ok)
  await testServer.set("openid.enabled", "off")
  configure()
})

describe("attacks", () => {
  test("ORG-3 an assertion for another client, audience, issuer, time or purpose gets nothing", async () => {
    const now = clock.now()
    const wrong: readonly (readonly [string, Claims])[] = [
      ["stolen from another client", { client_id: other.clientId }],
      ["no client", { client_id: undefined }],
      ["for another server", { aud: "https://other.example" }],
      ["for several servers", { aud: [testServer.url, "https://other.example"] }],
      ["for the token endpoint", { aud: `${testServer.url}/oauth/token` }],
      ["for no server", { aud: undefined }],
      ["an issuer with a slash", { iss: `${idp.url}/` }],
      ["an unknown issuer", { iss: "https://evil.example" }],
      ["no issuer", { iss: undefined }],
      ["expired", { iat: now - 600, exp: now - 60 }],
      ["from the future", { iat: now + 300, exp: now + 600 }],
      ["not yet valid", { nbf: now + 300 }],
      ["too long", { exp: now + 700 }],
      ["too long, begun long ago", { iat: now - 500, exp: now + 200 }],
      ["no iat", { iat: undefined }],
      ["no exp", { exp: undefined }],
      ["an exp as text", { exp: String(now + 60) }],
      ["no jti", { jti: undefined }],
      ["an empty jti", { jti: "" }],
      ["no subject", { sub: undefined }],
      ["a subject that is no text", { sub: 1 }],
      ["no resource", { resource: undefined }],
      ["an unknown resource", { resource: "https://elsewhere.example/" }],
      ["two resources", { resource: [NOTES, SIGNED] }],
      ["a malformed scope", { scope: 'files:read "x"' }],
      ["an empty scope", { scope: "" }],
      ["a scope that is a list", { scope: ["files:read"] }],
      ["bound to a key that is not proven", { cnf: { jkt: "x" } }],
      ["details that are not served", { authorization_details: [{ type: "x" }] }],
    ]
    for (const [what, claims] of wrong) {
      const answer = await ask(claims)
      assert.equal(answer.status, 400, what)
      assert.equal(answer.body["error"], "invalid_grant", what)
      assert.equal(answer.body["error_description"], "The assertion is not valid.", what)
    }
    assert.equal((await ask({ aud: [testServer.url], resource: [NOTES] })).status, 200)
    assert.equal((await ask({ act: { sub: "an agent" }, tenant: "x", auth_time: now })).status, 200)
  })

  test("ORG-3 an ID token or an access token of the provider, another key and a swapped algorithm get nothing", async () => {
    for (const typ of ["JWT", "at+jwt", "oauth-id-jag", undefined])
      await refused(present(await assertion({}, { typ })))
    assert.equal((await present(await assertion({}, { typ: "application/oauth-id-jag+jwt" }))).status, 200)
    const thief = await Signer.make()
    await refused(present(await assertion({}, { kid: idp.signer.kid }, thief)))
    await refused(present(await assertion({}, {}, thief)))
    const [head = "", claims = ""] = (await assertion()).split(".")
    const none = Buffer.from('{"alg":"none","typ":"oauth-id-jag+jwt"}').toString("base64url")
    for (const text of [
      `${none}.${claims}.`,
      `${none}.${claims}.x`,
      `${head}.${claims}.x`,
      "x.y.z",
      "x".repeat(16385),
    ])
      await refused(present(text))
    await refused(present(await assertion({}, { crit: ["b64"], b64: true })))
  })

  test("ORG-4 an assertion counts once, of many requests at once too, and a refused one may come again", async () => {
    const text = await assertion()
    const answers = await Promise.all(Array.from({ length: 10 }, () => present(text)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    await refused(present(text))
    clock.advance(299)
    await refused(present(text))
    const later = await assertion({ scope: "files:read" })
    await refused(present(later, { scope: "account:read" }), "invalid_scope")
    assert.equal((await present(later)).status, 200)
    const jti = randomId()
    assert.equal((await ask({ jti })).status, 200)
    await refused(ask({ jti, sub: "ada", exp: clock.now() + 100 }))
  })

  test("ORG-6 the request cannot turn the token to another resource", async () => {
    await refused(ask({}, { resource: SIGNED }), "invalid_target")
    await refused(ask({}, { resource: "not a URL" }), "invalid_target")
    assert.equal((await ask({}, { resource: "HTTPS://notes.example:443/mcp" })).status, 200)
    const two = `${new URLSearchParams({ ...own(app), grant_type: GRANT, assertion: await assertion() }).toString()}&resource=${NOTES}&resource=${SIGNED}`
    assertRefused(await send(testServer, "/oauth/token", two), 400, "invalid_target")
  })

  test("ORG-3 keys turn at once, invented keys cost one request a minute, and kept keys serve while the provider is away", async () => {
    await given()
    clock.advance(61)
    idp.signer = await Signer.make()
    await given()
    const asked = idp.host.asked.length
    const thief = await Signer.make()
    for (let count = 0; count < 5; count += 1) await refused(present(await assertion({}, {}, thief)))
    assert.ok(idp.host.asked.length - asked <= 2, "metadata and keys, once")
    idp.isUp = false
    clock.advance(6 * DAY)
    await given()
    clock.advance(2 * DAY)
    await refused(ask())
    idp.isUp = true
    clock.advance(120)
    await given()
  })
})

test("ORG-11, ORG-12 records and pages say by whom, and the person ends and allows it on the account page", async () => {
  const browser = await signedInBrowser(testServer, "ada")
  const { access_token, token_id } = await given({ scope: "account:read", resource: testServer.url })
  const api = await fetch(`${testServer.url}/api/credential`, {
    headers: { authorization: `Bearer ${String(access_token)}` },
  })
  const record = (await api.json()) as Claims
  assert.deepEqual(
    [record["organization"], record["ends_at"], record["refresh_ends_at"], record["reach"]],
    ["work", null, null, "account:read"],
  )
  const page = await browser.get("/account")
  assert.match(page.text, /By \u2068?Acme/)
  const question = await browser.get(`/account/end-access?token_id=${String(token_id)}`)
  assert.match(question.text, /<bdi>Acme<\/bdi> can connect the app again only after you allow it/)
  await browser.submit(question, "/account/end-access", {})
  await refused(ask())
  const ended = await browser.get("/account?done=ended")
  assert.match(ended.text, /Apps that stay disconnected[\s\S]*By <bdi>Acme<\/bdi>[\s\S]*Allow again/)
  const forged = await browser.post("/account/allow-again", { app: app.clientId, organization: "work" })
  assert.equal(forged.status, 403)
  await refused(ask())
  const allowed = await browser.submit(ended, "/account/allow-again", {})
  assert.equal(allowed.location, "/account?done=allowed-again")
  assert.equal((await ask()).status, 200)
  const { text } = await browser.get("/account/activity")
  assert.match(text, /You allowed <bdi>Acme<\/bdi> to connect/)
  assert.match(text, /<bdi>Acme<\/bdi> connected/)
})

test("STEP-1, ORG-6 a token of an organization may ask for a step-up, in either form", async () => {
  const browser = await signedInBrowser(testServer, "ada")
  for (const resource of [NOTES, SIGNED]) {
    const { access_token } = await given({ resource })
    const bearer = { authorization: `Bearer ${String(access_token)}` }
    const answer = await send(testServer, "/oauth/step-up", {}, bearer)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const page = await openCode(browser, started(answer.body).userCode)
    await browser.submit(page, "/oauth/consent", { decision: "authorize", password: PASSWORD })
    assert.equal(typeof (await active(access_token))["elevated_until"], "number")
    configure({}, [other])
    assert.equal((await send(testServer, "/oauth/step-up", {}, bearer)).status, 401)
    configure()
    clock.advance(DAY)
  }
})

test("ORG-10 the metadata names profile and grant type only while an entry exists, and no issuer", async () => {
  const metadata = async () => {
    const response = await fetch(`${testServer.url}/.well-known/oauth-authorization-server`)
    return response.text()
  }
  const text = await metadata()
  const read = JSON.parse(text) as {
    grant_types_supported: string[]
    authorization_grant_profiles_supported: string[]
  }
  assert.ok(read.grant_types_supported.includes(GRANT))
  assert.deepEqual(read.authorization_grant_profiles_supported, [PROFILE])
  assert.ok(!text.includes(idp.url))
  providers.clear()
  const without = await metadata()
  assert.ok(!without.includes("jwt-bearer") && !without.includes("grant_profiles"))
  const bare = { ...own(app), grant_type: GRANT }
  assertRefused(await ask(), 400, "unsupported_grant_type")
  assertRefused(await send(testServer, "/oauth/token", bare), 400, "unsupported_grant_type")
  assertRefused(
    await send(testServer, "/oauth/token", { ...bare, client_secret: "wrong" }),
    401,
    "invalid_client",
  )
  configure()
})
