import { test } from "node:test"
import assert from "node:assert/strict"
import {
  type CatalogProblem,
  loadCatalog,
  type PermissionDefinition,
} from "../../../src/model/permissions/permission-catalog.rules.ts"
import { isAdmin } from "../../../src/model/permissions/permission.rules.ts"
import { catalog, permission, permissions } from "../../support/core-sample.ts"

function problemsOf(extension: Record<string, PermissionDefinition>): readonly CatalogProblem[] {
  const loaded = loadCatalog(extension)
  assert.equal(loaded.ok, false)
  return loaded.ok ? [] : loaded.error
}

test("PERM-1 the built-in names, in their order, each write implying its read", () => {
  const builtIn = catalog()
  assert.deepEqual(
    [...builtIn.keys()],
    permissions(
      "account:read account:write credentials:read credentials:write apps:read apps:write " +
        "admin:accounts admin:apps admin:credentials admin:settings admin:events",
    ),
  )
  for (const { name, implies } of builtIn.values()) {
    const read = name.replace(/:write$/, ":read")
    assert.deepEqual(implies, name === read ? [] : [read])
  }
})

test("PERM-2 no built-in permission without admin: implies one with it", () => {
  for (const { name, closure } of catalog().values()) {
    if (!isAdmin(name)) assert.equal(closure.some(isAdmin), false, name)
  }
})

test("PERM-4 the built-in hub-administration family is accounts and settings", () => {
  const family = [...catalog().values()].filter((entry) => entry.hubAdministration)
  assert.deepEqual(
    family.map((entry) => entry.name),
    ["admin:accounts", "admin:settings"],
  )
})

test("every built-in permission says in words what it is", () => {
  const titles = [...catalog().values()].map((entry) => {
    assert.notEqual(entry.description, "")
    assert.notEqual(entry.group, "Other")
    return entry.title
  })
  assert.equal(new Set(titles).size, titles.length)
  assert.ok(!titles.some((title) => title === "" || /:/.test(String(title))))
})

test("PERM-3 configured permissions come after the built-in ones and may imply them, in circles too", () => {
  const extended = catalog({
    "c:x": { title: "C", implies: ["b:x"] },
    "b:x": { title: "B", implies: ["c:x", "account:write"], group: "Mine" },
  })
  assert.deepEqual([...extended.keys()].slice(-2), ["c:x", "b:x"])
  const closed = permissions("account:read account:write c:x b:x")
  assert.deepEqual(extended.get(permission("c:x"))?.closure, closed)
  assert.deepEqual(extended.get(permission("b:x"))?.closure, closed)
  assert.equal(extended.get(permission("b:x"))?.group, "Mine")
  assert.equal(extended.get(permission("c:x"))?.group, "Other")
})

test("the places count the catalog's order", () => {
  const places = [...catalog({ extra: { title: "Extra" } }).values()].map((entry) => entry.place)
  assert.deepEqual(
    places,
    places.map((_, index) => index),
  )
})

test("a built-in name cannot be defined again", () => {
  assert.deepEqual(problemsOf({ "account:read": { title: "Mine" } }), [
    { permission: "account:read", problem: "This name is built in and cannot be defined again." },
  ])
})

test("PERM-1 a name must fit into a scope", () => {
  for (const name of ["", "two words", 'quo"te', "back\\slash", "tab\t", "é", "\u0000"]) {
    assert.equal(problemsOf({ [name]: { title: "X" } }).length, 1, JSON.stringify(name))
  }
  assert.equal(problemsOf({ [`x${"y".repeat(100)}`]: { title: "X" } }).length, 1)
  assert.ok(catalog({ ["y".repeat(100)]: { title: "X" } }).size > 11)
})

test("a title must say something", () => {
  assert.equal(problemsOf({ x: { title: "  " } }).length, 1)
  assert.equal(problemsOf({ x: { title: new Map() } }).length, 1)
  assert.equal(
    problemsOf({
      x: {
        title: new Map([
          ["de", "Lesen"],
          ["en", " "],
        ]),
      },
    }).length,
    1,
  )
  assert.equal(catalog({ x: { title: new Map([["de", "Lesen"]]) } }).has(permission("x")), true)
})

test("an implied name must exist", () => {
  const [problem] = problemsOf({ x: { title: "X", implies: ["nowhere"] } })
  assert.match(problem?.problem ?? "", /nowhere/)
})

test("PERM-2 a catalog where a non-admin permission implies an admin one does not load, in one step or in more", () => {
  assert.equal(problemsOf({ x: { title: "X", implies: ["admin:apps"] } })[0]?.permission, "x")
  const longer = problemsOf({
    x: { title: "X", implies: ["y"] },
    y: { title: "Y", implies: ["admin:z"] },
    "admin:z": { title: "Z", implies: ["x"] },
  })
  assert.deepEqual(
    longer.map((problem) => problem.permission),
    ["y"],
  )
})

test("PERM-4 only admin permissions can be in the hub-administration family", () => {
  assert.equal(problemsOf({ x: { title: "X", hub_administration: true } }).length, 1)
  const extended = catalog({ "admin:x": { title: "X", hub_administration: true } })
  assert.equal(extended.get(permission("admin:x"))?.hubAdministration, true)
})

test("every problem is reported at once, each with its permission", () => {
  const problems = problemsOf({ "a b": { title: "", implies: ["nowhere"] }, "account:read": { title: "X" } })
  assert.deepEqual(
    problems.map((problem) => problem.permission),
    ["a b", "a b", "a b", "account:read"],
  )
})

test("names that objects have by nature are ordinary names", () => {
  const extended = catalog({
    constructor: { title: "C" },
    toString: { title: "T", implies: ["constructor"] },
  })
  assert.deepEqual(extended.get(permission("toString"))?.closure, ["constructor", "toString"])
  assert.equal(problemsOf({ x: { title: "X", implies: ["valueOf"] } }).length, 1)
})
