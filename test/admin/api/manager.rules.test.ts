import assert from "node:assert/strict"
import { test } from "node:test"
import { isManaged, managedBy, managedTargets } from "../../../src/admin/api/manager.rules.ts"
import { operations } from "../../../src/admin/operations.ts"
import type { ClientId } from "../../../src/kernel/ids.ts"
import type { Account } from "../../../src/model/account.rules.ts"
import type { Identity } from "../../../src/model/sign-in/identity.rules.ts"
import { account, publicClient } from "../../support/core-sample.ts"
import { providerAt } from "../../support/oidc.ts"
import { Product } from "../../support/product.ts"

const id = "manager" as ClientId
const product = (name: string, manager: string | null) => new Product(() => 0, name).provider({ manager })
const shop = product("shop", id)
const robot = { ...account, type: "service" } as unknown as Account
const client = { ...publicClient, clientId: id }
const of = (issuer: string) => ({ issuer }) as Identity

test("LOGIN-20 a manager may call four operations, which all exist", () => {
  const allowed = operations.flatMap(({ id: name }) => (managedTargets.has(name) ? [name] : []))
  assert.deepEqual(allowed, [
    "adminListAccounts",
    "adminRemoveAccount",
    "adminListCredentials",
    "adminRevokeCredential",
  ])
})

test("LOGIN-21 an app manages the applications that name it, with tokens of its service account", () => {
  const all = [shop, product("crm", id), product("blog", "another"), product("wiki", null)]
  const providers = new Map([...all, providerAt("https://id.example")].map((one) => [one.name, one]))
  const names = (bearer: Parameters<typeof managedBy>[1]) =>
    managedBy(providers, bearer).map(({ name }) => name)
  assert.deepEqual(names({ client, account: robot }), ["shop", "crm"])
  assert.deepEqual(names({ client, account }), [])
  assert.deepEqual(names({ client: { ...client, clientId: "x" as ClientId }, account: robot }), [])
})

test("LOGIN-21 of accounts, only people of the application who are no administrators", () => {
  const person = { ...account, admin: false }
  assert.ok(isManaged([shop], person, [of("https://id.example"), of("shop")]))
  assert.ok(!isManaged([shop], null, [of("shop")]))
  assert.ok(!isManaged([shop], { ...person, admin: true }, [of("shop")]))
  assert.ok(!isManaged([shop], { ...robot, admin: false } as Account, [of("shop")]))
  assert.ok(!isManaged([shop], person, [of("crm"), of("shop2")]))
  assert.ok(!isManaged([shop], person, null))
  assert.ok(!isManaged([], person, [of("shop")]))
})
