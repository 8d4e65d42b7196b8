/** Which requests two paths of an OpenAPI document share. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { canOverlap, commonPath, templateOf, widePatternOf } from "../../../src/gate/openapi/pattern.rules.ts"
import { explicit } from "./openapi.ts"

const template = (path: string) => explicit("GET", path, "").template

test("GATE-15 in OpenAPI, no parameter takes more than one segment, however other tools write it", () => {
  for (const path of ["/{path*}", "/a/{proxy+}", "/{file:.*}", "/{a=b}", "/{a*}/b"]) {
    const read = templateOf(path)
    assert.equal(
      "problem" in read && read.problem,
      "in OpenAPI, no parameter takes more than one segment",
      path,
    )
  }
  assert.deepEqual(templateOf("/a/{id}/"), template("/a/{id}/"))
  assert.deepEqual(templateOf("a"), { problem: "expected a path that begins with /" })
})

test("GATE-15 a path without a template matches at least what the app could mean", () => {
  const patterns: Readonly<Record<string, ReturnType<typeof widePatternOf>>> = {
    "/Users/{id}.json": { folded: ["users", null], takesRest: false },
    "/users/{a}-{b}/keys/": { folded: ["users", null, "keys"], takesRest: false },
    "/users/{rest*}/more": { folded: ["users", null], takesRest: true },
    "/users/x?mode={mode}": { folded: ["users", "x"], takesRest: false },
    "/users#top": { folded: ["users"], takesRest: false },
    "/a//b": { folded: ["a", null, "b"], takesRest: false },
    "/café": { folded: [null], takesRest: false },
    "/%zz": { folded: [null], takesRest: false },
    "/": { folded: [null], takesRest: false },
  }
  for (const [path, pattern] of Object.entries(patterns)) assert.deepEqual(widePatternOf(path), pattern, path)
})

test("GATE-15 two patterns overlap if one request could match both", () => {
  const overlaps: readonly (readonly [one: string, other: string, expected: boolean])[] = [
    ["/a/b", "/A/b/", true],
    ["/a/{x}", "/{x}/b", true],
    ["/a/{x}", "/b/{x}", false],
    ["/a", "/a/b", false],
    ["/{x}", "/{x}/{y}", false],
    ["/{rest+}", "/a/b/c", true],
    ["/a/{rest+}", "/a", false],
    ["/a/{rest+}", "/b/c/d", false],
    ["/a/{rest+}", "/a/b/{more+}", true],
  ]
  for (const [one, other, expected] of overlaps)
    for (const [left, right] of [
      [one, other],
      [other, one],
    ] as const)
      assert.equal(canOverlap(widePatternOf(left), widePatternOf(right)), expected, `${left} ${right}`)
})

test("GATE-15 two templates of which neither is more specific have a common path", () => {
  const common = (one: string, other: string) => commonPath(template(one), template(other))
  assert.equal(common("/a/{x}", "/{x}/b"), "/a/b")
  assert.equal(common("/{x}/b/{y}", "/a/{x}/{z}"), "/a/b/{z}")
  assert.equal(common("/a/{x}/", "/{x}/b/"), "/a/b/")
  assert.equal(common("/Caf%C3%A9/{x}", "/{x}/b"), "/Caf%C3%A9/b")
  assert.equal(common("/a/{x}", "/a/b"), null, "the second is more specific")
  assert.equal(common("/a/b", "/{x}/b"), null, "the first is more specific")
  assert.equal(common("/{x}/{y}", "/a/b"), null)
  assert.equal(common("/a/{x}", "/a/{y}"), null, "they are the same")
  assert.equal(common("/a/{x}", "/{x}/b/c"), null, "no request matches both")
})
