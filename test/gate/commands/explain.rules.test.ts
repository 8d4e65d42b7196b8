/** How the answer of the gate to one request is explained. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { explain, type Facts, readRequest } from "../../../src/gate/commands/explain.rules.ts"
import type { GateRoute } from "../../../src/gate/routes/route.rules.ts"
import { explicit } from "../openapi/openapi.ts"

const ROUTE: GateRoute = { ...explicit("GET", "/notes/{id}", "notes:read"), elevation: true }
const FACTS: Facts = {
  request: { method: "GET", host: "api.example", target: "/notes/1?token=secret" },
  found: { found: "route", route: ROUTE },
  methods: ["GET", "HEAD"],
  answer: { status: 403, reason: "permissionLacking" },
  resource: "https://api.example",
  access: null,
  now: 100,
  trouble: null,
}

describe("GATE-17 the URL is read as it is written", () => {
  const cases = {
    "https://api.example/a/../b/%2e%2E//c;d\\e?x=1": "/a/../b/%2e%2E//c;d\\e?x=1",
    "HTTP://api.example:8443/A": "/A",
    "https://api.example": "/",
    "https://api.example?x": "/?x",
    "https://api.example#x": "/#x",
    "https://api.example\\a": "\\a",
    "https://api.example/user@host": "/user@host",
    "https://api.example/\n": "/\n",
  }
  for (const [url, target] of Object.entries(cases))
    test(url, () => assert.equal(readRequest("GET", url)?.target, target))

  for (const url of [
    "",
    "/notes",
    "api.example/notes",
    "https://",
    "https:///x",
    "https://me:secret@api.example/",
    "ftp://x/",
  ])
    test(`refused: ${url}`, () => assert.equal(readRequest("GET", url), null))
})

test("GATE-17 the query and the fragment are left out", () => {
  const { path } = explain(FACTS)
  assert.equal(path, "/notes/1")
  assert.equal(JSON.stringify(explain(FACTS)).includes("secret"), false)
  const request = { ...FACTS.request, target: "/a#secret" }
  assert.equal(explain({ ...FACTS, request }).path, "/a")
})

test("GATE-17 what the route needs and the token lacks", () => {
  const lacks = (access: Facts["access"]) => explain({ ...FACTS, access }).lacks
  assert.deepEqual(explain(FACTS).needs, { permissions: ["notes:read"], elevation: true })
  assert.equal(lacks(null), null)
  assert.deepEqual(lacks({ permissions: ["other"], elevatedUntil: 101 }), {
    permissions: ["notes:read"],
    elevation: false,
  })
  for (const elevatedUntil of [null, 100])
    assert.deepEqual(lacks({ permissions: ["notes:read"], elevatedUntil }), {
      permissions: [],
      elevation: true,
    })
  assert.deepEqual(explain(FACTS).route, { methods: ["GET"], path: "/notes/{id}", source: "gate.yaml:9" })
})

describe("GATE-17 why a request is refused before its token", () => {
  const cases: readonly (readonly [Partial<Facts>, RegExp])[] = [
    [{ found: null }, /^the file has no host api\.example$/],
    [{ found: { found: "undeclared" }, methods: [] }, /^no route matches the path$/],
    [{ found: { found: "undeclared" } }, /^the path has a route only for GET, HEAD; case matters$/],
    [{ found: { found: "refusedPath", problem: "a dot segment" } }, /^the path contains a dot segment$/],
    [{ found: { found: "refusedPath", problem: "not a path" } }, /^the target is not a path$/],
    [
      { found: { found: "notAllowed", route: ROUTE, feature: "semicolon" } },
      /paths: \{allow: \[semicolon\]\}/,
    ],
    [
      { found: { found: "ambiguous", route: ROUTE } },
      /ignores case, a trailing slash, a suffix, the rest after a script or an encoding/,
    ],
    [
      { found: { found: "route", route: { ...ROUTE, closed: "its security is optional" } } },
      /^the gate cannot check this operation: its security is optional$/,
    ],
  ]
  for (const [facts, because] of cases)
    test(String(because), () => {
      const explanation = explain({ ...FACTS, ...facts })
      assert.match(explanation.because, because)
      assert.deepEqual([explanation.needs, explanation.lacks], [null, null])
      assert.equal(explanation.route !== null, "route" in (facts.found ?? {}))
    })
})

describe("GATE-17 why a request with a route gets its answer", () => {
  const cases: Readonly<Record<string, RegExp>> = {
    passed: /^the token has everything/,
    tokenMissing: /^no token was given; --token-stdin/,
    tokenMalformed: /without Bearer/,
    tokenInvalid: /unknown, expired or revoked/,
    audienceMissing: /names no resource, and require_audience/,
    audienceOther: /another resource than https:\/\/api\.example$/,
    permissionLacking: /lacks a permission/,
    elevationLacking: /is not elevated/,
    serviceUnavailable: /cannot check the token: connect refused$/,
  }
  for (const [reason, because] of Object.entries(cases))
    test(reason, () =>
      assert.match(
        explain({ ...FACTS, answer: { status: 403, reason }, trouble: "connect refused" }).because,
        because,
      ),
    )
  test("public", () => {
    const route = { ...ROUTE, isPublic: true, permissions: [] }
    assert.match(explain({ ...FACTS, found: { found: "route", route } }).because, /^the route is public/)
  })
})
