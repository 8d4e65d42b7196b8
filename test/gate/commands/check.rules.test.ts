/** What `gate check` reports, and what it remarks on permissions. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { Catalog } from "../../../src/gate/commands/catalog.rules.ts"
import { remarksOn, reportOf } from "../../../src/gate/commands/check.rules.ts"
import { routeTable } from "../../../src/gate/routes/match.rules.ts"
import type { GateHost, GateRoute } from "../../../src/gate/routes/route.rules.ts"
import { explicit } from "../openapi/openapi.ts"

const SERVICE = "https://id.example"

function host(routes: readonly GateRoute[], uncovered: GateHost["uncovered"] = []): GateHost {
  return {
    name: "api.example",
    resource: "https://api.example/",
    requireAudience: false,
    routes,
    table: routeTable(routes),
    uncovered,
  }
}

const full: Catalog = { permissions: new Set(["a"]), isPartial: false }
const partial: Catalog = { permissions: new Set(["a"]), isPartial: true }
const unchecked: Catalog = { unchecked: "it answered 404 to discovery" }

test("GATE-16 a covered route is reported as it is declared, and a closed one only as uncovered", () => {
  const source = { file: "api.yaml", line: 7 }
  const open = { ...explicit("PUT", "/notes/{id}", "a"), elevation: true }
  const closed = { ...explicit("GET", "/closed", "b"), closed: "its security is optional" }
  const refused = { source, methods: ["GET"], path: "/closed", reason: "its security is optional" }
  assert.deepEqual(reportOf(host([open, closed], [refused]), full), {
    host: "api.example",
    resource: "https://api.example/",
    covered: [
      {
        methods: ["PUT"],
        path: "/notes/{id}",
        public: false,
        permissions: ["a"],
        elevation: true,
        source: "gate.yaml:9",
      },
    ],
    uncovered: [{ ...refused, source: "api.yaml:7" }],
    permissions: [],
  })
})

test("GATE-16 a permission that is not listed has its state and every route that needs it", () => {
  const routes = [
    explicit("GET", "/1", "a"),
    explicit("GET", "/2", "b"),
    { ...explicit("GET", "/3", "b"), source: { file: "api.yaml", line: 3 } },
    explicit("GET", "/4", "admin:accounts"),
  ]
  const states = (catalog: Catalog) =>
    reportOf(host(routes), catalog).permissions.map(({ name, state }) => `${name} ${state}`)
  assert.deepEqual(states(full), ["b missing", "admin:accounts unchecked"])
  assert.deepEqual(states(partial), ["b unlisted", "admin:accounts unchecked"])
  assert.deepEqual(states(unchecked), ["a unchecked", "b unchecked", "admin:accounts unchecked"])
  assert.deepEqual(reportOf(host(routes), full).permissions[0]?.sources, ["gate.yaml:9", "api.yaml:3"])
})

test("GATE-16 each state has its own remark, with the first route of each host once", () => {
  const needs = (...names: readonly string[]) => host(names.map((name) => explicit("GET", `/${name}`, name)))
  const hosts = [needs("a", "b", "admin:accounts"), needs("b", "c")]
  const remarks = (catalog: Catalog, ...of: readonly GateHost[]) =>
    remarksOn(
      of.map((one) => reportOf(one, catalog)),
      SERVICE,
      catalog,
    )
  assert.deepEqual(remarks(full, needs("a")), [])
  assert.deepEqual(remarks(full, ...hosts), [
    `The catalog of ${SERVICE} lacks: b (gate.yaml:9), c (gate.yaml:9). No token can have that.`,
    "Not checked, because no service lists permissions of administrators: admin:accounts (gate.yaml:9).",
  ])
  assert.deepEqual(remarks(partial, needs("b")), [
    `${SERVICE} does not list: b (gate.yaml:9). It lists only what apps that anyone can register may ask for, so these may exist.`,
  ])
  assert.deepEqual(remarks(unchecked, ...hosts), [
    `The permissions were not compared with the catalog of ${SERVICE}: it answered 404 to discovery.`,
  ])
  assert.deepEqual(remarks(unchecked, host([])), [], "there was nothing to compare")
})
