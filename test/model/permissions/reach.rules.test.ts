import { test } from "node:test"
import assert from "node:assert/strict"
import { reach } from "../../../src/model/permissions/reach.rules.ts"
import { bounds, catalog, permissions, sampleCatalog, standing } from "../../support/core-sample.ts"

const consented = permissions("account:read admin:events files:read workers:read")
const reached = (ceiling: string, isAdministrator = true) =>
  reach(sampleCatalog, consented, bounds(ceiling), standing(isAdministrator)).join(" ")

test("PERM-5 reach is the consent cut down to the ceiling", () => {
  assert.equal(reached("account:read files:write"), "account:read files:read workers:read")
  assert.equal(reached("account:write"), "account:read")
  assert.equal(reached(""), "")
})

test("PERM-6, PERM-7 what leaves the ceiling leaves the reach, and comes back with it", () => {
  const full = "account:read files:read"
  assert.equal(reached(full), "account:read files:read workers:read")
  assert.equal(reached("account:read"), "account:read")
  assert.equal(reached(full), "account:read files:read workers:read")
})

test("PERM-5 a wider ceiling widens no consent", () => {
  assert.equal(reached("account:write files:write apps:write admin:hub admin:events"), consented.join(" "))
})

test("PERM-5 a wider table of implications widens no consent", () => {
  const before = catalog({ x: { title: "X" }, y: { title: "Y" } })
  const after = catalog({ x: { title: "X", implies: ["y"] }, y: { title: "Y" } })
  for (const table of [before, after]) {
    assert.deepEqual(reach(table, permissions("x"), bounds("x y"), standing(true)), permissions("x"))
  }
})

test("PERM-5 admin permissions reach only while the account is an administrator", () => {
  assert.equal(reached("files:read admin:events", false), "files:read workers:read")
  assert.equal(reached("files:read admin:events", true), "admin:events files:read workers:read")
})

test("PERM-5 a permission that left the catalog is not reached", () => {
  const gone = permissions("gone:read")
  assert.deepEqual(reach(sampleCatalog, gone, bounds(gone), standing(true)), [])
})

test("PERM-5 reach is in the order of the catalog of today", () => {
  const turned = catalog({ y: { title: "Y" }, x: { title: "X" } })
  assert.deepEqual(reach(turned, permissions("x y"), bounds("x y"), standing(true)), permissions("y x"))
})

test("PERM-5 the reach of a list depends on the catalog, the ceiling and the account of each call", () => {
  const [x, y] = [permissions("x"), permissions("admin:y")]
  const list = permissions("x admin:y")
  const both = catalog({ x: { title: "X" }, "admin:y": { title: "Y" } })
  const onlyX = catalog({ x: { title: "X" } })
  assert.deepEqual(reach(both, list, bounds(list), standing(true)), list)
  assert.deepEqual(reach(both, list, bounds(list), standing(false)), x)
  assert.deepEqual(reach(onlyX, list, bounds(list), standing(true)), x)
  assert.deepEqual(reach(both, list, bounds(y), standing(true)), y)
  assert.deepEqual(reach(both, list, bounds(list), standing(true)), list)
})
