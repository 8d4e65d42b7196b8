/** The manager of an application: what its tokens may call, and for whom. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { linkAccount, unlinkAccount } from "../../../src/accounts/providers/link.ts"
import { updateAccount } from "../../../src/accounts/account-by-id.ts"
import type { SignInProvider } from "../../../src/model/sign-in/provider.rules.ts"
import { testClock } from "../../support/clock.ts"
import { own, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"
import { providerAt } from "../../support/oidc.ts"
import { Product } from "../../support/product.ts"
import { OPERATOR, type TestApp } from "../../support/test-server.ts"

const clock = testClock()
const providers = new Map<string, SignInProvider>()
const { testServer, userIds, ann, bob, chief, app } = await fixture({
  rateLimit: "off",
  clock,
  providers,
  admins: ["root", "chief"],
  accounts: ["ann", "bob", "cyd", "dan"],
  browsers: ["ann", "bob", "chief"],
  apps: { app: {} },
})
await testServer.addServiceAccount("shop-robot")
const manager = await testServer.addBoundApp("shop-robot", { permissions: ["account:read"] })
const stranger = await testServer.addBoundApp("shop-robot", { permissions: ["account:read"] })
const shop = new Product(() => clock.now()).provider({ manager: manager.clientId })
const crm = new Product(() => clock.now(), "crm").provider()
const corp = providerAt("https://id.example")
for (const provider of [shop, crm, corp]) providers.set(provider.name, provider)

const ODD = "a/b%20d&e=f#ü?+\"'"
for (const [name, provider, subject] of [
  ["ann", shop, "42"],
  ["ann", corp, "ann-at-work"],
  ["bob", crm, "42"],
  ["chief", shop, "chief"],
  ["dan", shop, ODD],
] as const)
  assert.ok((await linkAccount(testServer.latchkey, provider, name, subject, OPERATOR)).ok)

async function tokenOf(of: TestApp): Promise<string> {
  const answer = await send(testServer, "/oauth/token", { ...own(of), grant_type: "client_credentials" })
  return String(answer.body["access_token"])
}

const token = await tokenOf(manager)

async function ask(method: string, path: string, bearer = token) {
  const response = await fetch(testServer.url + path, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
  })
  const text = await response.text()
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) }
}

const bySubject = (subject: string, provider = "shop") =>
  ask("GET", `/api/admin/accounts?${new URLSearchParams({ provider, subject }).toString()}`)
const uses = () => testServer.store.events({ kinds: ["account-managed"] }, { limit: 100 })
const NO_ACCOUNT = { error: { code: 404, status: "NOT_FOUND", message: "There is no such account." } }
const NO_CREDENTIAL = { error: { code: 404, status: "NOT_FOUND", message: "There is no such credential." } }

test("LOGIN-20 the manager finds an account by its subject, lists its apps and ends one, without elevation", async () => {
  const held = await grant(testServer, ann, app)
  const found = await bySubject("42")
  assert.equal(found.status, 200)
  const [record, ...more] = found.body["items"] as Record<string, unknown>[]
  assert.deepEqual([record?.["user_id"], more, found.body["next"]], [userIds.ann, [], null])
  const listed = await ask("GET", `/api/admin/credentials?user_id=${userIds.ann}&live=1`)
  const [credential] = listed.body["items"] as Record<string, unknown>[]
  assert.equal(credential?.["token_id"], held.token_id)
  assert.equal((await ask("DELETE", `/api/admin/credentials/${held.token_id}`)).status, 204)
  assert.equal((await ask("GET", "/api/account", held.access_token)).status, 401)
  const events = await uses()
  assert.deepEqual(
    events.map(({ userId, clientId, detail }) => [userId, clientId, detail]).toSorted(),
    ["adminListAccounts", "adminListCredentials", "adminRevokeCredential"].map((id) => [
      userIds.ann,
      manager.clientId,
      id,
    ]),
  )
  assert.ok(events.every(({ actorId, address }) => actorId !== null && address !== null))
  const page = await ann.get("/account/activity")
  assert.match(page.text, /looked at the apps with access to your account/)
})

test("LOGIN-20 a subject may have any visible character", async () => {
  const found = await bySubject(ODD)
  const [record] = found.body["items"] as Record<string, unknown>[]
  assert.equal(record?.["user_id"], userIds.dan)
})

test("LOGIN-21 every other account is 404, and nothing says whether it exists", async () => {
  const before = (await uses()).length
  const bobs = await grant(testServer, bob, app)
  const chiefs = await grant(testServer, chief, app)
  for (const [subject, provider] of [
    ["unknown", "shop"],
    ["chief", "shop"],
    ["42", "crm"],
    ["ann-at-work", "corp"],
    ["42", "nowhere"],
    ["", "shop"],
  ] as const)
    assert.deepEqual((await bySubject(subject, provider)).body, NO_ACCOUNT, `${provider} ${subject}`)
  for (const query of ["", "?provider=shop", "?subject=42", "?name_begins=ann", "?admin=1"])
    assert.deepEqual((await ask("GET", `/api/admin/accounts${query}`)).body, NO_ACCOUNT, query)
  const ids = [userIds.bob, userIds.chief, userIds.root, userIds.cyd, "01k3v7m2q8xj5c9d4e6f7g8h9j", "?"]
  for (const id of ids) {
    assert.deepEqual((await ask("GET", `/api/admin/credentials?user_id=${id}`)).body, NO_ACCOUNT, id)
    assert.deepEqual(
      (await ask("DELETE", `/api/admin/accounts/${encodeURIComponent(id)}`)).body,
      NO_ACCOUNT,
      id,
    )
  }
  assert.deepEqual((await ask("GET", "/api/admin/credentials")).body, NO_ACCOUNT)
  for (const id of [bobs.token_id, chiefs.token_id, "01k3v7m2q8xj5c9d4e6f7g8h9j", "x", token.slice(4, 30)])
    assert.deepEqual((await ask("DELETE", `/api/admin/credentials/${id}`)).body, NO_CREDENTIAL, id)
  assert.equal((await ask("GET", "/api/account", bobs.access_token)).status, 200)
  assert.equal((await uses()).length, before)
})

test("LOGIN-20 a request that is refused for its input is no use, and is judged after the account", async () => {
  const before = (await uses()).length
  for (const [method, path] of [
    ["GET", "/api/admin/accounts?provider=shop&subject=42&color=red"],
    ["GET", `/api/admin/credentials?user_id=${userIds.ann}&limit=none`],
    ["DELETE", `/api/admin/accounts/${userIds.ann}?color=red`],
  ] as const)
    assert.equal((await ask(method, path)).status, 400, path)
  assert.equal((await ask("DELETE", `/api/admin/accounts/${userIds.bob}?color=red`)).status, 404)
  assert.equal((await uses()).length, before)
})

test("LOGIN-21 other operations and other tokens are as without a manager", async () => {
  for (const [method, path] of [
    ["GET", `/api/admin/accounts/${userIds.ann}`],
    ["PATCH", `/api/admin/accounts/${userIds.ann}`],
    ["GET", `/api/admin/accounts/${userIds.ann}/factors`],
    ["DELETE", `/api/admin/accounts/${userIds.ann}/factors`],
    ["GET", "/api/admin/apps"],
    ["GET", "/api/admin/events"],
  ] as const)
    assert.equal((await ask(method, path)).status, 403, path)
  const ofStranger = await tokenOf(stranger)
  const ofPerson = await grant(testServer, ann, app)
  for (const bearer of [ofStranger, ofPerson.access_token]) {
    const path = "/api/admin/accounts?provider=shop&subject=42"
    assert.equal((await ask("GET", path, bearer)).status, 403)
    assert.equal((await ask("DELETE", `/api/admin/accounts/${userIds.ann}`, bearer)).status, 403)
  }
  assert.equal((await ask("GET", "/api/admin/accounts", "lka_x")).status, 401)
})

test("LOGIN-21 each request is judged by the accounts and the configuration of that moment", async (t) => {
  t.after(() => providers.set("shop", shop))
  const path = `/api/admin/credentials?user_id=${userIds.dan}`
  const status = async () => (await ask("GET", path)).status
  assert.equal(await status(), 200)
  assert.ok((await updateAccount(testServer.latchkey, userIds.dan, { admin: true }, OPERATOR)).ok)
  assert.equal(await status(), 404)
  assert.ok((await updateAccount(testServer.latchkey, userIds.dan, { admin: false }, OPERATOR)).ok)
  assert.equal(await status(), 200)
  assert.ok((await unlinkAccount({ ...testServer.latchkey, providers }, shop, "dan", ODD, OPERATOR)).ok)
  assert.equal(await status(), 404)
  providers.set("shop", { ...shop, manager: null })
  assert.equal(await status(), 403, "as of any other app")
})

test("LOGIN-22 the manager removes an account, with what it holds, and what an administrator may list by subject", async () => {
  const held = await grant(testServer, ann, app)
  assert.equal((await ask("DELETE", `/api/admin/accounts/${userIds.ann}`)).status, 204)
  assert.equal((await ask("GET", "/api/account", held.access_token)).status, 401)
  assert.deepEqual((await bySubject("42")).body, NO_ACCOUNT)
  const [removed] = await testServer.store.events({ kinds: ["account-removed"] }, { limit: 1 })
  const [use] = await testServer.store.events({ kinds: ["account-managed"] }, { limit: 1, newestFirst: true })
  assert.deepEqual([removed?.userId, use?.detail], [userIds.ann, "adminRemoveAccount"])
  assert.equal(removed?.actorId, use?.actorId)
  const admin = await testServer.addApp({ permissions: ["admin:accounts"] })
  const { access_token } = await grant(testServer, chief, admin, { scope: "admin:accounts" })
  const list = async (query: string) => {
    const { status, body } = await ask("GET", `/api/admin/accounts?${query}`, access_token)
    return [status, (body["items"] as { username: string }[] | undefined)?.map(({ username }) => username)]
  }
  assert.deepEqual(await list("provider=shop&subject=chief"), [200, ["chief"]])
  assert.deepEqual(await list("provider=shop&subject=42"), [200, []])
  assert.deepEqual(await list("provider=nowhere&subject=42"), [200, []])
})

test("LOGIN-22 a manager that is also an administrator’s service account keeps its permissions", async () => {
  await testServer.addServiceAccount("admin-robot", true)
  const strong = await testServer.addBoundApp("admin-robot", { permissions: ["admin:accounts"] })
  providers.set("shop", { ...shop, manager: strong.clientId })
  const answer = await send(testServer, "/oauth/token", {
    ...own(strong),
    grant_type: "client_credentials",
    scope: "admin:accounts",
  })
  const bearer = String(answer.body["access_token"])
  assert.equal((await ask("GET", "/api/admin/accounts", bearer)).status, 200)
  assert.equal((await ask("DELETE", `/api/admin/accounts/${userIds.bob}`, bearer)).status, 400, "not managed")
  assert.ok((await linkAccount(testServer.latchkey, shop, "cyd", "7", OPERATOR)).ok)
  assert.equal((await ask("DELETE", `/api/admin/accounts/${userIds.cyd}`, bearer)).status, 204)
  providers.set("shop", shop)
})
