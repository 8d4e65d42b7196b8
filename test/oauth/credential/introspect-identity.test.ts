/** Introspection says which users of applications an account is linked to: LOGIN-30. */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { linkAccount, unlinkAccount } from "../../../src/accounts/providers/link.ts"
import type { SignInProvider } from "../../../src/model/sign-in/provider.rules.ts"
import { storeWith } from "../../../src/platform/services/counting-store.ts"
import { callerOf } from "../../../src/oauth/clients/authenticate-client.ts"
import { introspect } from "../../../src/oauth/credential/introspect.ts"
import type { Load } from "../../../src/store/loadable.ts"
import { own, send } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { providerAt } from "../../support/oidc.ts"
import { Product } from "../../support/product.ts"
import { introspected } from "../../support/signed-in.ts"
import { OPERATOR } from "../../support/test-server.ts"

const providers = new Map<string, SignInProvider>()
const { testServer, userIds, ann, bob, app, server } = await fixture({
  rateLimit: "off",
  providers,
  accounts: ["ann", "bob"],
  signedIn: ["ann", "bob"],
  apps: { app: {}, server: { type: "confidential", resourceServer: true } },
})
const corp = providerAt("https://id.example")
const application = (name: string) => new Product(() => testServer.clock.now(), name).provider()
const [shop, blog] = [application("shop"), application("blog")]
const configure = (...all: SignInProvider[]) => {
  providers.clear()
  for (const one of all) providers.set(one.name, one)
}

const link = async (provider: SignInProvider, name: string, subject: string) =>
  assert.ok((await linkAccount(testServer.latchkey, provider, name, subject, OPERATOR)).ok)
const unlink = async (provider: SignInProvider, name: string, subject: string) =>
  assert.ok((await unlinkAccount(testServer.latchkey, provider, name, subject, OPERATOR)).ok)

await link(corp, "ann", "ann-at-work")
await link(shop, "ann", "42")

async function identitiesOf(token: string): Promise<unknown> {
  const { status, body } = await introspected(testServer, server, token)
  assert.deepEqual([status, body["active"]], [200, true])
  return "identities" in body ? body["identities"] : "absent"
}

/** Returns what introspection reads. */
async function readsOf(token: string): Promise<string[][]> {
  const { store } = testServer.latchkey
  const reads: string[][] = []
  const counting = {
    ...storeWith(store, (load, decide) => store.change(load, decide)),
    read: <const L extends Load>(load: L) => {
      reads.push(Object.keys(load))
      return store.read(load)
    },
  }
  const presented = {
    clientId: server.clientId as ClientId,
    secret: server.secret ?? null,
    assertion: null,
    method: "client_secret_post",
  } as const
  const answer = await introspect({ ...testServer.latchkey, store: counting }, callerOf(presented), token)
  assert.ok(answer.ok)
  return reads
}

test("LOGIN-30 a token of a linked account names the application and the user there, whatever the username", async () => {
  configure(corp, shop)
  const { access_token } = await ann.grant(app)
  assert.deepEqual(await identitiesOf(access_token), [{ provider: "shop", subject: "42" }])
})

test("LOGIN-30 an account that is linked to another provider or to none has no identities", async () => {
  configure(corp, shop)
  const { access_token } = await bob.grant(app)
  assert.equal(await identitiesOf(access_token), "absent")
  await link(corp, "bob", "bob-at-work")
  assert.equal(await identitiesOf(access_token), "absent")
})

test("LOGIN-30 without an application in the configuration, the links are not read and the answer is as ever", async () => {
  const { access_token } = await ann.grant(app)
  for (const configured of [[], [corp]]) {
    configure(...configured)
    assert.equal(await identitiesOf(access_token), "absent")
    assert.equal((await readsOf(access_token)).length, 1)
  }
  configure(corp, shop)
  const [first = [], ...more] = await readsOf(access_token)
  assert.ok(!first.includes("identities"))
  assert.deepEqual(more, [["identities"]])
})

test("LOGIN-30, INTRO-2 a token that is not live and a service account cost no further read", async () => {
  configure(corp, shop)
  const { access_token } = await ann.grant(app)
  assert.equal((await readsOf(access_token.slice(0, -1))).length, 1)
  assert.equal((await readsOf("garbage")).length, 1)
  await testServer.addServiceAccount("robot")
  const bound = await testServer.addBoundApp("robot", {})
  const answer = await send(testServer, "/oauth/token", { ...own(bound), grant_type: "client_credentials" })
  const token = String(answer.body["access_token"])
  assert.equal(await identitiesOf(token), "absent")
  assert.ok((await readsOf(token)).every((load) => !load.includes("identities")))
})

test("LOGIN-30, INTRO-4 all applications by name, and all users there; each link and its end is announced", async () => {
  configure(shop, corp, blog)
  const { access_token } = await ann.grant(app)
  const announced = async (last: number) => (await testServer.store.invalidations(last, 99)).rows
  const { last } = await testServer.store.invalidations(0, 99)
  const first = { provider: "shop", subject: "42" }
  const row = { of: "account", key: userIds.ann }
  await link(blog, "ann", "7")
  assert.deepEqual(await announced(last), [{ id: last + 1, ...row }])
  assert.deepEqual(await identitiesOf(access_token), [{ provider: "blog", subject: "7" }, first])
  testServer.clock.advance(1)
  await link(shop, "ann", "41")
  assert.deepEqual(await announced(last + 1), [{ id: last + 2, ...row }])
  const second = { provider: "shop", subject: "41" }
  assert.deepEqual(await identitiesOf(access_token), [{ provider: "blog", subject: "7" }, first, second])
  await unlink(blog, "ann", "7")
  assert.deepEqual((await announced(last + 2)).slice(0, 1), [{ id: last + 3, ...row }])
  assert.deepEqual(await identitiesOf(access_token), [first, second])
})
