/** Paths that two operations of an OpenAPI document match. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { closeAmbiguous } from "../../../src/gate/openapi/ambiguity.rules.ts"
import { explicit, importing, KEY, op, PUBLIC } from "./openapi.ts"

describe("GATE-15 two operations that match one path", () => {
  const crossed = (one: string, other: string) => `paths:
  /a/{x}:
    get: ${one}
  /{x}/b:
    get: ${other}
`
  test("are refused there if they need different permissions", () => {
    const { ask, uncovered } = importing(crossed(op("one"), op("other")))
    assert.equal(ask("GET", "/a/b"), "closed")
    assert.deepEqual([ask("GET", "/a/c"), ask("GET", "/c/b")], ["one", "other"])
    assert.deepEqual(uncovered, ["8 GET /a/b: /a/{x} and /{x}/b (api.yaml:10) both match it"])
    assert.equal(importing(crossed(PUBLIC, op("other"))).ask("GET", "/a/b"), "closed")
    assert.equal(importing(crossed(op("one"), KEY)).ask("GET", "/a/b"), "closed")
  })

  test("pass if they need the same, or if the path has a route", () => {
    assert.equal(importing(crossed(op("x", "y"), op("y", "x"))).ask("GET", "/a/b"), "x y")
    assert.equal(importing(crossed(PUBLIC, PUBLIC)).ask("GET", "/a/b"), "public")
    const routes = [explicit("GET", "/a/b", "explicit")]
    assert.equal(importing(crossed(op("one"), op("other")), routes).ask("GET", "/a/b"), "explicit")
    const third = importing(`${crossed(op("one"), op("other"))}  /a/b:
    get: ${op("third")}
`)
    assert.deepEqual([third.ask("GET", "/a/b"), third.uncovered], ["third", []])
  })

  test("of which one is more specific, or whose methods or lengths differ, are not refused", () => {
    const { ask, uncovered } = importing(`paths:
  /{x}/{y}:
    get: ${op("any")}
  /a/{y}:
    get: ${op("a")}
  /{x}/b:
    put: ${op("put")}
  /a/{y}/c:
    get: ${op("long")}
`)
    assert.deepEqual([ask("GET", "/a/b"), ask("PUT", "/a/b"), ask("GET", "/a/b/c")], ["a", "put", "long"])
    assert.deepEqual(uncovered, [])
  })
})

test("GATE-15 only the methods that both serve and no other route has are closed", () => {
  const one = { ...explicit("GET", "/a/{x}", "one"), methods: ["GET", "PUT", "POST"] }
  const other = { ...explicit("GET", "/{x}/b", "other"), methods: ["HEAD", "PUT", "DELETE"] }
  const closed = (...known: readonly ReturnType<typeof explicit>[]) =>
    closeAmbiguous([one, other], known).map(({ methods, template, isPublic, permissions }) => [
      methods,
      template.text,
      isPublic,
      permissions,
    ])
  assert.deepEqual(closed(), [[["PUT", "HEAD"], "/a/b", false, []]])
  assert.deepEqual(closed(explicit("PUT", "/a/b", "own")), [[["HEAD"], "/a/b", false, []]])
  assert.deepEqual(closed(explicit("GET", "/a/b", "own"), explicit("PUT", "/a/b", "own")), [])
})

test("GATE-15 two closed operations stay closed there without a route more", () => {
  const closed = (path: string) => ({
    ...explicit("GET", path, ""),
    permissions: [],
    closed: "its own reason",
  })
  assert.deepEqual(closeAmbiguous([closed("/a/{x}"), closed("/{x}/b")], []), [])
  const anyToken = { ...explicit("GET", "/{x}/b", ""), permissions: [] }
  assert.equal(closeAmbiguous([closed("/a/{x}"), anyToken], []).length, 1)
})
