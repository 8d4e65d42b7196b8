import { test } from "node:test"
import assert from "node:assert/strict"
import {
  closure,
  isAdmin,
  reachesHubAdministration,
  sorted,
} from "../../../src/model/permissions/permission.rules.ts"
import { permissions, sampleCatalog } from "../../support/core-sample.ts"

test("PERM-2 an admin permission is known by the beginning of its name", () => {
  assert.equal(isAdmin("admin:apps"), true)
  for (const name of ["admin", "administrator", "Admin:apps", "x:admin:y", " admin:x"]) {
    assert.equal(isAdmin(name), false, name)
  }
})

test("PERM-3 reading files brings reading workers beside it", () => {
  assert.deepEqual(closure(sampleCatalog, permissions("files:read")), permissions("files:read workers:read"))
  assert.deepEqual(
    closure(sampleCatalog, permissions("files:write")),
    permissions("files:read files:write workers:read"),
  )
})

test("PERM-3 a closure has each permission once, in the catalog's order", () => {
  const names = permissions("workers:read files:read workers:read account:read")
  assert.deepEqual(closure(sampleCatalog, names), permissions("account:read files:read workers:read"))
  assert.deepEqual(sorted(sampleCatalog, names.slice(1)), permissions("account:read files:read workers:read"))
})

test("PERM-3 a name that left the catalog reaches nothing", () => {
  assert.deepEqual(closure(sampleCatalog, permissions("gone:read account:read")), permissions("account:read"))
})

test("PERM-4 the hub-administration family is looked for in the closure", () => {
  assert.equal(reachesHubAdministration(sampleCatalog, permissions("admin:settings")), true)
  assert.equal(reachesHubAdministration(sampleCatalog, permissions("admin:hub")), true)
  assert.equal(reachesHubAdministration(sampleCatalog, permissions("admin:apps files:write")), false)
  assert.equal(reachesHubAdministration(sampleCatalog, []), false)
})
