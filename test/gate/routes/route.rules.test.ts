import { test } from "node:test"
import assert from "node:assert/strict"
import { permissionsOf, sourceText } from "../../../src/gate/routes/route.rules.ts"
import { explicit } from "../openapi/openapi.ts"

test("GATE-10 a host has the permissions of its routes, each once and in the order of the routes", () => {
  const routes = [
    explicit("GET", "/b", "b"),
    explicit("GET", "/a", "a"),
    { ...explicit("PUT", "/a", ""), permissions: ["a", "c", "b"] },
    { ...explicit("GET", "/status", ""), isPublic: true, permissions: [] },
  ]
  assert.deepEqual(permissionsOf({ routes }), ["b", "a", "c"])
  assert.deepEqual(permissionsOf({ routes: [] }), [])
})

test("GATE-16 the source of a route is a file and a line", () => {
  assert.equal(sourceText({ file: "/etc/latchkey/gate.yaml", line: 12 }), "/etc/latchkey/gate.yaml:12")
})
