import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { test } from "node:test"
import { addGroup } from "../../../../src/accounts/groups/groups.ts"
import { linkAccount } from "../../../../src/accounts/providers/link.ts"
import { identityText } from "../../../../src/model/sign-in/identity.rules.ts"
import { digest } from "../../../../src/kernel/hash.ts"
import { authorizePath, newVerifier } from "../../../support/connect.ts"
import { jwks, keysOf } from "../../../support/product.ts"
import { ProductVisits } from "../../../support/product-visits.ts"
import { PROVIDER_CA, ProviderHost } from "../../../support/oidc.ts"
import { recordLog } from "../../../support/record-log.ts"
import { OPERATOR } from "../../../support/test-server.ts"

const { log, lines } = recordLog()
const visits = await ProductVisits.open({ log, accounts: ["bob"] })
const { server, product, clock } = visits
const { store } = server.latchkey

/** The account that a subject of the application has. */
async function accountOf(subject: string) {
  const { identity } = await store.read({ identity: digest(identityText({ issuer: "shop", subject })) })
  const userId = identity?.userId ?? null
  const { account, email } = await store.read({ account: userId, email: userId })
  return { identity, account, email: email?.address ?? null }
}

test("LOGIN-2 a first arrival makes an account with the name of the application, and signs in", async () => {
  const { browser, page } = await visits.arrive({ sub: "u-1", username: "ada", name: "Ada Lovelace" })
  assert.equal(page.status, 303, page.text)
  assert.equal(page.location, "/account")
  assert.match((await browser.get("/account")).text, /ada/)
  const { account, identity } = await accountOf("u-1")
  assert.equal(account?.username, "ada")
  assert.equal(account.admin, false)
  assert.equal(identity?.issuer, "shop")
  assert.equal(identity.shownName, "Ada Lovelace")
})

test("LOGIN-2 a later arrival signs in to the same account, and the username stays", async () => {
  await visits.arrive({ sub: "u-2", username: "grace" })
  const first = await accountOf("u-2")
  const { page } = await visits.arrive({ sub: "u-2", username: "hopper" })
  assert.equal(page.status, 303)
  const later = await accountOf("u-2")
  assert.equal(later.account?.userId, first.account?.userId)
  assert.equal(later.account?.username, "grace")
})

test("LOGIN-2 a name that is taken or refused is asked for, and never leads to the account that has it", async () => {
  for (const [sub, username, problem] of [
    ["u-3", "bob", /username is taken/],
    ["u-4", "two words\u0007", /username/],
  ] as const) {
    const { browser, page } = await visits.arrive({ sub, username })
    assert.equal(page.status, 200)
    assert.match(page.text, /Choose a username/)
    assert.equal(/This username is taken\. Choose another one/.test(page.text), username === "bob")
    assert.equal((await accountOf(sub)).account, null)
    const again = await browser.submit(page, "/sign-in/with/shop/username", { username })
    assert.equal(again.status, 422)
    assert.match(again.text, problem)
    const done = await browser.submit(again, "/sign-in/with/shop/username", { username: `new-${sub}` })
    assert.equal(done.status, 303)
    assert.equal((await accountOf(sub)).account?.username, `new-${sub}`)
  }
})

test("LOGIN-2 create_accounts refuses a person, and the page leads back to the application", async () => {
  visits.offer({ createAccounts: { domains: ["example.org"], claim: { name: "plan", value: "pro" } } })
  const claims = { sub: "u-5", username: "eve", email: "eve@example.org", email_verified: true, plan: "free" }
  const { page } = await visits.arrive(claims)
  assert.equal(page.status, 403)
  assert.match(page.text, /action="\/sign-in\/with\/shop"/)
  assert.equal((await accountOf("u-5")).account, null)
  for (const unproven of [{ email_verified: "true" }, { email: "eve@other.example" }])
    assert.equal((await visits.arrive({ ...claims, plan: "pro", ...unproven })).page.status, 403)
  assert.equal((await visits.arrive({ ...claims, plan: "pro" })).page.status, 303)
  visits.offer()
})

test("LOGIN-2 an account that the operator linked is signed in", async () => {
  const linked = await linkAccount(server.latchkey, product.provider(), "bob", "u-6", OPERATOR)
  assert.ok(linked.ok)
  assert.equal((await visits.arrive({ sub: "u-6", username: "robert" })).page.status, 303)
  assert.equal((await accountOf("u-6")).account?.username, "bob")
})

test("LOGIN-2 what waits for the sign-in goes on after it", async () => {
  const app = await server.addApp()
  const path = authorizePath(app, newVerifier().challenge, {})
  const { browser, page } = await visits.arrive({ sub: "u-7", username: "joan" }, undefined, path)
  assert.equal(page.location, path)
  assert.match((await browser.get(path)).text, /Paperclip/)
})

test("LOGIN-6 the shown name and the confirmed address follow at each arrival", async () => {
  const of = (more: object) => visits.arrive({ sub: "u-8", username: "mary", ...more })
  await of({ name: "Mary", email: "Mary@Example.org", email_verified: true })
  assert.equal((await accountOf("u-8")).email, "Mary@example.org")
  await of({ name: "Mary Shelley", email: "shelley@example.org", email_verified: true })
  const { identity, email } = await accountOf("u-8")
  assert.equal(identity?.shownName, "Mary Shelley")
  assert.equal(email, "shelley@example.org")
  const without = [
    {},
    { email: "other@example.org" },
    { email: "other@example.org", email_verified: false },
    { email: "other@example.org", email_verified: "true" },
    { email: "no address", email_verified: true },
    { name: "", username: undefined },
  ]
  for (const more of without) {
    await of(more)
    assert.equal((await accountOf("u-8")).email, "shelley@example.org", JSON.stringify(more))
  }
})

test("LOGIN-6 an address that another account has is left out and logged, also at the first arrival", async () => {
  await visits.arrive({ sub: "u-9", username: "carol", email: "carol@example.org", email_verified: true })
  lines.length = 0
  const held = { email: "CAROL@example.org", email_verified: true }
  assert.equal((await visits.arrive({ sub: "u-10", username: "dave", ...held })).page.status, 303)
  assert.equal((await visits.arrive({ sub: "u-10", username: "dave", ...held })).page.status, 303)
  assert.equal((await accountOf("u-10")).email, null)
  assert.equal((await accountOf("u-9")).email, "carol@example.org")
  const logged = lines.filter(({ msg }) => String(msg).includes("another account has"))
  assert.equal(logged.length, 2)
  assert.doesNotMatch(JSON.stringify(logged), /example\.org/i)
})

test("LOGIN-6 groups follow the application", async () => {
  for (const group of ["gold", "staff"]) await addGroup(server.latchkey, group, null, OPERATOR)
  visits.offer({
    groups: {
      name: "groups",
      map: new Map([
        ["Gold", "gold"],
        ["Staff", "staff"],
      ]),
    },
  })
  const groupsAfter = async (groups: unknown) => {
    await visits.arrive({ sub: "u-11", username: "frank", groups })
    return (await accountOf("u-11")).account?.groups
  }
  assert.deepEqual(await groupsAfter(["Gold", "unknown"]), ["gold"])
  assert.deepEqual(await groupsAfter(["Staff"]), ["staff"])
  assert.deepEqual(await groupsAfter(undefined), [])
  visits.offer()
})

test("LOGIN-4 each algorithm works with its own kind of key, and no other", async (t) => {
  t.after(() => visits.offer())
  const pairs = {
    ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
    EdDSA: generateKeyPairSync("ed25519"),
    RS256: generateKeyPairSync("rsa", { modulusLength: 2048 }),
    PS256: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  }
  let made = 100
  for (const [alg, { publicKey, privateKey }] of Object.entries(pairs)) {
    product.useKeys({ alg, key: privateKey }, keysOf(publicKey))
    visits.offer()
    made += 1
    assert.equal((await visits.arrive({ sub: `u-${made}`, username: `person${made}` })).page.status, 303, alg)
  }
  product.shareSecret(Buffer.from("a shared secret of the product, long enough"))
  visits.offer()
  assert.equal((await visits.arrive({ sub: "u-110", username: "person110" })).page.status, 303)
})

test("LOGIN-4 keys at a URL are found, kept while the application is down, and found again when they change", async (t) => {
  t.after(() => visits.offer())
  const host = await ProviderHost.open()
  t.after(() => host.close())
  const [one, two] = [0, 1].map(() => generateKeyPairSync("ec", { namedCurve: "P-256" }))
  assert.ok(one && two)
  let shown: object | null = jwks(one.publicKey)
  host.serve((_, response) => {
    if (shown === null) response.writeHead(500).end()
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(shown))
  })
  const keys = { kind: "url", jwksUri: `${host.url}/jwks`, allowedRanges: null } as const
  const outgoing = { allowedRanges: ["127.0.0.0/8"], certificates: PROVIDER_CA }
  const named = await ProductVisits.open({ outgoing, clock })
  named.product.useKeys({ alg: "ES256", key: one.privateKey, kid: "key-0" }, keys)
  named.offer()
  const arrive = async (sub: string) => (await named.arrive({ sub, username: sub })).page.status
  assert.equal(await arrive("first"), 303)
  assert.equal(await arrive("second"), 303)
  assert.equal(host.asked.length, 1, "keys are kept")
  shown = null
  clock.advance(3600)
  assert.equal(await arrive("third"), 303)
  shown = { keys: [...jwks(one.publicKey).keys, { ...two.publicKey.export({ format: "jwk" }), kid: "new" }] }
  clock.advance(120)
  named.product.useKeys({ alg: "ES256", key: two.privateKey, kid: "new" }, keys)
  assert.equal(await arrive("fourth"), 303)
})
