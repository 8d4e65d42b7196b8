/** Which requests the operations of an OpenAPI document let through. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { explicit, importing, KEY, op, PUBLIC } from "./openapi.ts"

test("GATE-15 path and method give a route, and every other request is undeclared", () => {
  const { ask, uncovered, problems } = importing(`paths:
  /users/{id}:
    get: ${op("users:read")}
    put: ${op("users:read", "users:write")}
  /status:
    get: ${PUBLIC}
`)
  assert.equal(ask("GET", "/users/1?x=2"), "users:read")
  assert.equal(ask("HEAD", "/users/1"), "users:read")
  assert.equal(ask("PUT", "/users/1"), "users:read users:write")
  assert.equal(ask("GET", "/status"), "public")
  assert.equal(ask("DELETE", "/users/1"), "undeclared")
  assert.equal(ask("GET", "/users"), "undeclared")
  assert.equal(ask("GET", "/users/1/.."), "refusedPath")
  assert.deepEqual([uncovered, problems], [[], []])
})

test("GATE-15 security of the document is for operations without their own", () => {
  const { ask } = importing(`security: [{ oauth: [all] }]
paths:
  /a:
    get: {}
    put: ${op("own")}
    post: ${PUBLIC}
`)
  assert.deepEqual(
    ["GET", "PUT", "POST"].map((method) => ask(method, "/a")),
    ["all", "own", "public"],
  )
})

describe("GATE-15 an operation that is not covered", () => {
  test("is refused also where a less specific path is covered, and is reported with its line", () => {
    const { ask, uncovered } = importing(
      `paths:
  /users/{id}:
    get: ${op("users:read")}
  /users/me:
    get: ${KEY}
    delete: {}
`,
      [explicit("GET", "/{any*}", "all"), explicit("DELETE", "/{any*}", "all")],
    )
    assert.equal(ask("GET", "/users/1"), "users:read")
    assert.equal(ask("GET", "/users/me"), "closed")
    assert.equal(ask("HEAD", "/users/me"), "closed")
    assert.equal(ask("DELETE", "/users/me"), "closed")
    assert.equal(ask("GET", "/else"), "all")
    assert.deepEqual(uncovered, [
      "10 GET /users/me: the security scheme key is apiKey",
      "11 DELETE /users/me: neither it nor the document has security",
    ])
  })

  test("may be a path item with $ref: every method of its path is refused", () => {
    const { ask, uncovered } = importing(`paths:
  /{any}:
    get: ${op("all")}
    patch: ${op("all")}
  /a:
    $ref: other.yaml#/a
    get: ${PUBLIC}
`)
    for (const method of ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"])
      assert.equal(ask(method, "/a"), "closed", method)
    assert.deepEqual(uncovered, ["10 any /a: its path item is a $ref"])
  })

  const paths: Readonly<Record<string, RegExp>> = {
    "/users/{id}.json": /must be a whole segment/,
    "/users/{id}:cancel": /must be a whole segment/,
    "/users/{a}-{b}": /must be a whole segment/,
    "/users/{rest*}": /no parameter takes more than one segment/,
    "/users/{proxy+}": /no parameter takes more than one segment/,
    "/users/{file:.*}": /no parameter takes more than one segment/,
    "/users/x?mode={mode}": /a path has no query/,
    "/users/café": /percent-encoded/,
    "/users//x": /no empty segment/,
    "/users/..": /dot segment/,
  }
  for (const [path, reason] of Object.entries(paths))
    test(`may have a path without a template: ${path}. What could match its requests is closed`, () => {
      const { ask, uncovered } = importing(`paths:
  /users/{id}:
    get: ${op("users:read")}
    put: ${op("users:write")}
  /teams/{id}:
    get: ${op("teams:read")}
  "${path}":
    get: ${op("more")}
`)
      assert.notEqual(ask("GET", "/users/x"), "more")
      if (path !== "/users//x") assert.equal(ask("GET", "/users/x"), "closed")
      assert.equal(ask("PUT", "/users/x"), "users:write")
      assert.equal(ask("GET", "/teams/1"), "teams:read")
      const own = uncovered.find((line) => line.startsWith(`13 GET ${path}: `)) ?? ""
      assert.match(own, reason)
    })

  test("with a path without a template names an explicit route that could match", () => {
    const { uncovered, ask } = importing(
      `paths:
  /users/{id}.json:
    get: ${op("more")}
`,
      [explicit("GET", "/users/{id}", "users:read")],
    )
    assert.equal(ask("GET", "/users/1"), "users:read")
    assert.match(uncovered.join(), /; requests to it could match gate\.yaml:9$/)
  })

  test("may be one of another host", () => {
    const { uncovered, ask } = importing(`servers: [{ url: https://other.example }]
paths:
  /a:
    get: ${op("a")}
`)
    assert.equal(ask("GET", "/a"), "undeclared")
    assert.deepEqual(uncovered, ["9 GET /a: no URL of its servers is a path or an address of api.example"])
  })
})

describe("GATE-15 HEAD", () => {
  test("has its own operation before the one of GET", () => {
    const { ask } = importing(`paths:
  /a:
    get: ${PUBLIC}
    head: ${op("head")}
  /b:
    get: ${op("get")}
    head: ${KEY}
`)
    assert.deepEqual([ask("GET", "/a"), ask("HEAD", "/a")], ["public", "head"])
    assert.deepEqual([ask("GET", "/b"), ask("HEAD", "/b")], ["get", "closed"])
  })
})

test("GATE-15 an explicit route replaces the operation of its path and method, whatever the parameter is called", () => {
  const { ask, uncovered } = importing(
    `paths:
  /users/{id}:
    get: ${op("document")}
    head: ${op("document")}
    put: ${op("document")}
  /users/me:
    get: ${op("me")}
  /closed:
    get: ${KEY}
`,
    [explicit("GET", "/users/{name}", "explicit"), explicit("GET", "/closed", "open")],
  )
  assert.equal(ask("GET", "/users/1"), "explicit")
  assert.equal(ask("HEAD", "/users/1"), "explicit")
  assert.equal(ask("PUT", "/users/1"), "document")
  assert.equal(ask("GET", "/users/me"), "me")
  assert.equal(ask("GET", "/closed"), "open")
  assert.deepEqual(uncovered, [])
})

describe("GATE-15 base paths", () => {
  test("come from the operation, else its path, else the document", () => {
    const { ask } = importing(`servers: [{ url: /v1 }, { url: https://api.example/v2/ }]
paths:
  /a:
    get: ${op("a")}
  /b:
    servers: [{ url: /b1 }]
    get: ${op("b")}
    put: { servers: [{ url: / }], security: [{ oauth: [b] }] }
`)
    assert.deepEqual(
      ["/v1/a", "/v2/a", "/a"].map((path) => ask("GET", path)),
      ["a", "a", "undeclared"],
    )
    assert.deepEqual(
      ["/b1/b", "/v1/b", "/b"].map((path) => ask("GET", path)),
      ["b", "undeclared", "undeclared"],
    )
    assert.equal(ask("PUT", "/b"), "b")
  })

  test("that the gate refuses cover nothing", () => {
    const { ask, uncovered } = importing(`servers: [{ url: /v1/../x }]
paths:
  /a:
    get: ${op("a")}
`)
    assert.equal(ask("GET", "/x/a"), "undeclared")
    assert.match(uncovered.join(), /dot segment/)
  })
})

test("GATE-15 paths that differ in the names of parameters alone are a problem for the same method", () => {
  const { problems } = importing(`paths:
  /a/{x}:
    get: ${op("one")}
    put: ${op("one")}
  /a/{y}:
    get: ${op("other")}
    post: ${op("other")}
`)
  assert.deepEqual(problems, ["11: GET /a/{y} is the same as the operation of line 8"])
})
