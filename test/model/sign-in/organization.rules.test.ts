import assert from "node:assert/strict"
import { test } from "node:test"
import type { ClientId, Permission, UserId } from "../../../src/kernel/ids.ts"
import { loadCatalog } from "../../../src/model/permissions/permission-catalog.rules.ts"
import { givenBy, isNameOf, isWithdrawn, reachOf } from "../../../src/model/sign-in/organization.rules.ts"
import { providerAt } from "../../support/oidc.ts"
import { EXTENSION } from "../../support/test-server.ts"

const loaded = loadCatalog({ ...EXTENSION, "crew:rota": { title: "Rota", for_groups: ["crew"] } })
assert.ok(loaded.ok)
const catalog = loaded.value
const clientId = "c" as ClientId
const names = (...list: readonly string[]) => list as readonly Permission[]
const entry = (permissions: readonly Permission[], clients = [clientId]) => ({ clients, permissions })
const providers = (permissions: readonly Permission[], clients = [clientId]) =>
  new Map([
    ["work", providerAt("https://id.example", { name: "work", assertions: entry(permissions, clients) })],
  ])
const consent = { clientId, scope: names("account:read", "files:read"), organization: "work" }
const bounds = { ceiling: names("files:write", "account:read", "crew:rota"), groups: [] }
const standing = { admin: false, groups: [], userId: "u" as UserId }

test("ORG-1, ORG-5 an entry gives what it names and implies, in the catalog's order, never an admin: permission", () => {
  const wide = entry(names("files:read", "admin:events", "gone:name"))
  assert.deepEqual(givenBy(catalog, wide, clientId), ["workers:read", "files:read"])
  assert.equal(givenBy(catalog, wide, "other" as ClientId), null)
  assert.equal(givenBy(catalog, undefined, clientId), null)
  assert.deepEqual(givenBy(catalog, entry([]), clientId), [])
})

test("ORG-1 a credential is withdrawn while no entry of its organization lists its app", () => {
  assert.equal(isWithdrawn(providers([]), consent), false)
  assert.equal(isWithdrawn(providers([], ["other" as ClientId]), consent), true)
  assert.equal(isWithdrawn(new Map(), consent), true)
  assert.equal(isWithdrawn(new Map([["work", providerAt("https://id.example")]]), consent), true)
  const { organization, ...own } = consent
  assert.equal(organization, "work")
  assert.equal(isWithdrawn(new Map(), own), false)
})

test("ORG-9 a name that no entry has any more is one of each provider, and another entry's name is not", () => {
  const known = new Map([...providers([]), ["other", providerAt("https://other.example", { name: "other" })]])
  assert.equal(isNameOf(known, "work", "work"), true)
  assert.equal(isNameOf(known, "other", "work"), false)
  assert.equal(isNameOf(known, "former", "work"), true)
  assert.equal(isNameOf(known, undefined, "work"), false)
})

test("ORG-1 it reaches what entry, ceiling and account allow now, and never more than it was given", () => {
  const reached = (permissions: readonly Permission[], of = bounds) =>
    reachOf(catalog, providers(permissions), consent, of, standing)
  assert.deepEqual(reached(names("files:write", "account:read")), ["account:read", "files:read"])
  assert.deepEqual(reached(names("files:read")), ["files:read"])
  assert.deepEqual(reached(names("files:read"), { ...bounds, ceiling: names("account:read") }), [])
  assert.deepEqual(reached(names("files:read"), { ...bounds, groups: ["crew"] as never }), [])
  assert.deepEqual(reachOf(catalog, new Map(), consent, bounds, standing), [])
  const { organization: _, ...own } = consent
  assert.deepEqual(reachOf(catalog, new Map(), own, bounds, standing), ["account:read", "files:read"])
})
