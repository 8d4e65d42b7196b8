import { test } from "node:test"
import assert from "node:assert/strict"
import {
  defaultOpenPermissions,
  openCeiling,
  openPermissions,
} from "../../../src/model/permissions/open-permissions.rules.ts"
import { openidCatalog } from "../../../src/model/permissions/openid-permissions.rules.ts"
import type { PermissionDefinition } from "../../../src/model/permissions/permission-catalog.rules.ts"
import { defaultOf, readSettings, settings } from "../../../src/model/setting.rules.ts"
import { catalog, sampleCatalog } from "../../support/core-sample.ts"

const defaults = (extension: Record<string, PermissionDefinition>) =>
  defaultOpenPermissions(catalog(extension))

test("REG-3 of the built-in permissions only account:read is open by default", () => {
  assert.deepEqual(defaults({}), ["account:read"])
})

test("REG-3 every permission of the operator is open by default, unless it is an admin one", () => {
  assert.deepEqual(defaultOpenPermissions(sampleCatalog), [
    "account:read",
    "files:read",
    "files:write",
    "workers:read",
  ])
  assert.deepEqual(defaults({ "admin:notes": { title: "Administer" }, notes: { title: "Notes" } }), [
    "account:read",
    "notes",
  ])
})

test("REG-3 a permission that brings another built-in one along is left out, however far away that is", () => {
  const open = defaults({
    near: { title: "Near", implies: ["credentials:read"] },
    far: { title: "Far", implies: ["middle"] },
    middle: { title: "Middle", implies: ["notes", "apps:write"] },
    write: { title: "Write", implies: ["account:write"] },
    read: { title: "Read", implies: ["account:read", "notes"] },
    notes: { title: "Notes" },
  })
  assert.deepEqual(open, ["account:read", "read", "notes"])
})

test("REG-3 the default follows the catalog; a stored value, * among them, keeps its meaning", () => {
  const { openPermissions: row } = settings
  const inForce = (text: string | null) =>
    readSettings(text === null ? new Map() : new Map([[row.key, text]]), sampleCatalog).openPermissions
  assert.equal(defaultOf(row, sampleCatalog), "account:read files:read files:write workers:read")
  assert.deepEqual(inForce(null), ["account:read", "files:read", "files:write", "workers:read"])
  assert.deepEqual(inForce("account:write"), ["account:write"])
  assert.equal(inForce("*"), null)
  assert.ok(openPermissions(sampleCatalog, inForce("*")).includes("credentials:write" as never))
  assert.deepEqual(openPermissions(sampleCatalog, inForce(null)), inForce(null))
})

test("REG-3 OpenID Connect adds nothing to the default: an administrator names its permissions, or *", () => {
  const withOpenid = openidCatalog(sampleCatalog) ?? assert.fail("the catalog takes them")
  const four = ["openid", "profile", "email", "groups"]
  assert.deepEqual(defaultOpenPermissions(withOpenid), defaultOpenPermissions(sampleCatalog))
  assert.deepEqual(openCeiling(withOpenid, four), four)
  assert.deepEqual(openCeiling(withOpenid, null).slice(-4), four)
  assert.deepEqual(defaults({ groups: { title: "Groups" } }), ["account:read", "groups"])
})
