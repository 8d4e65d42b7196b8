import { test } from "node:test"
import assert from "node:assert/strict"
import { builtInPermissions } from "../../../src/model/permissions/built-in-permissions.rules.ts"
import type { PermissionDefinition } from "../../../src/model/permissions/permission-catalog.rules.ts"

type Texts = { readonly title: string; readonly description: string }
const rows = Object.entries<PermissionDefinition & Texts>(builtInPermissions)

test("PERM-3 each write permission implies its read permission, and nothing else implies anything", () => {
  const implications = rows.map(([name, { implies = [] }]) => [name, ...implies])
  assert.deepEqual(implications, [
    ["account:read"],
    ["account:write", "account:read"],
    ["credentials:read"],
    ["credentials:write", "credentials:read"],
    ["apps:read"],
    ["apps:write", "apps:read"],
    ["admin:accounts"],
    ["admin:apps"],
    ["admin:credentials"],
    ["admin:settings"],
    ["admin:events"],
  ])
})

test("PERM-4 hub administration is the power over accounts and settings", () => {
  const hub = rows.filter(([, { hub_administration }]) => hub_administration === true).map(([name]) => name)
  assert.deepEqual(hub, ["admin:accounts", "admin:settings"])
})

test("PERM-2 the consent page has every admin permission, and only those, under Administration", () => {
  for (const [name, { group }] of rows)
    assert.equal(group === "Administration", name.startsWith("admin:"), name)
})

test("each has a title of its own, and a description in whole sentences", () => {
  assert.equal(new Set(rows.map(([, { title }]) => title)).size, rows.length)
  for (const [name, { title, description }] of rows) {
    assert.match(title, /^[A-Z][a-z ]+$/, name)
    assert.match(description, /^[A-Z].*\.$/, name)
  }
})
