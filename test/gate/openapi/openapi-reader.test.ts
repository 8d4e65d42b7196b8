/** Which documents are read, and which stop the start of the gate. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { HEAD, importing, problemsOf } from "./openapi.ts"

test("GATE-15 JSON is read as YAML is, with tabs and CRLF too", () => {
  const document = {
    openapi: "3.0.3",
    components: { securitySchemes: { o: { type: "oauth2", flows: {} } } },
    "x-more": [1, null, "é"],
    paths: { "/a": { get: { security: [{ o: ["a"] }] } }, "x-other": 1 },
  }
  for (const text of [
    JSON.stringify(document),
    JSON.stringify(document, null, "\t"),
    JSON.stringify(document, null, 2).replaceAll("\n", "\r\n"),
    `\uFEFF${JSON.stringify(document)}`,
  ])
    assert.deepEqual(problemsOf(text), [])
})

test("GATE-15 an alias of YAML is followed", () => {
  const { ask, problems } = importing(`security: &reading [{ oauth: [read] }]
paths:
  /a: &item
    get: { security: *reading }
  /b: *item
`)
  assert.deepEqual([problems, ask("GET", "/a"), ask("GET", "/b")], [[], "read", "read"])
})

test("GATE-15 versions 3.0 and 3.1 are read, with and without quotes", () => {
  for (const version of ["3.0.0", "3.0", "3.1", '"3.1.1"', '"3.0"', "3.1.0-rc1"])
    assert.deepEqual(problemsOf(`openapi: ${version}\npaths: {}`), [], version)
  for (const version of ["3.2.0", "2.0", "3", "4.0", "3.10", "null", "[3.1]", "x3.1"])
    assert.deepEqual(
      problemsOf(`paths: {}\nopenapi: ${version}`),
      ["2: openapi: expected version 3.0 or 3.1"],
      version,
    )
  assert.deepEqual(problemsOf("swagger: '2.0'\npaths: {}"), ["1: openapi: expected version 3.0 or 3.1"])
})

describe("GATE-15 a broken document", () => {
  const cases: Readonly<Record<string, string>> = {
    "paths: [1": "6: ",
    "paths: {}\n---\npaths: {}": "7: ",
    "x: 1": "1: expected paths",
    "paths: 1": "6: paths: expected names with values",
    "paths:\n  a:\n    get: {}": '7: paths: "a": expected a path that begins with /',
    "paths:\n  /a: [1]": "7: /a: expected names with values",
    "paths:\n  /a:\n    get: 1": "8: GET /a: expected names with values",
    "paths:\n  /a:\n    get:": "8: GET /a: expected names with values",
    "paths:\n  /a:\n    GET: {}": '8: /a: "GET" is not known',
    "paths:\n  /a:\n    query: {}": '8: /a: "query" is not known',
    "paths:\n  /a:\n    get: {}\n    get: {}": "9: Map keys must be unique",
    "paths:\n  /a: {}\n  /a: {}": "8: Map keys must be unique",
    "paths: {}\nsecurity:": "7: security: expected a list",
    "paths: {}\nsecurity: {}": "7: security: expected a list",
    "paths: {}\nsecurity: [1]": "7: security: expected names with values",
    "paths: {}\nsecurity: [null]": "7: security: expected names with values",
    "paths: {}\nsecurity: [{ no: [a] }]": '7: security: "no" is not in components: securitySchemes',
    "paths: {}\nsecurity: [{ oauth: a }]": "7: security: oauth: expected a list",
    "paths: {}\nsecurity: [{ oauth: }]": "7: security: oauth: expected a list",
    "paths: {}\nsecurity: [{ oauth: [1] }]": "7: security: 1: expected the name of one permission",
    "paths: {}\nsecurity:\n  - oauth:\n      - a b":
      '9: security: "a b": expected the name of one permission',
    "paths:\n  /a:\n    get:\n      security:": "9: security: expected a list",
    "paths: {}\nservers: 1": "7: servers: expected a list",
    "paths: {}\nservers: [{}]": "7: servers: expected url",
    "paths: {}\nservers: [{ url: 1 }]": "7: servers: expected url",
    "paths:\n  /a:\n    get: { <<: *x }": "8: ",
    "x: &x { security: [] }\npaths:\n  /a:\n    get: { <<: *x }": '9: GET /a: "<<" is not read',
    "paths:\n  /a:\n    get: { ? [a] : 1 }": "8: GET /a: expected names with values",
  }
  for (const [text, problem] of Object.entries(cases))
    test(text, () => {
      const [first = "none", ...more] = problemsOf(HEAD + text)
      assert.ok(first.startsWith(problem), first)
      assert.deepEqual(more, [])
    })

  test("names a broken security scheme", () => {
    const of = (scheme: string) =>
      problemsOf(`openapi: 3.1.0\npaths: {}\ncomponents:\n  securitySchemes:\n    s: ${scheme}`)
    assert.deepEqual(of("{}"), ["5: securitySchemes: s: expected type"])
    assert.deepEqual(of("{ type: 1 }"), ["5: securitySchemes: s: type: expected a text"])
    assert.deepEqual(of("{ $ref: '#/x' }"), [])
    assert.deepEqual(of("{ type: http, scheme: Bearer }"), [])
  })
})
