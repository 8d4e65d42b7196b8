/** How a path is read, and in which other ways a server could read it. `match.rules.test.ts` has the refused paths. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { compatible, PATH_FEATURES, type Reading, readPath } from "../../../src/gate/routes/path.rules.ts"

function read(target: string) {
  const path = readPath(target)
  return typeof path === "string" ? assert.fail(`${target}: ${path}`) : path
}

const text = ({ segments, trailingSlash }: Reading) =>
  JSON.stringify(segments) + (trailingSlash ? " with a slash" : "")

test("GATE-4 segments are decoded once, the query is left out, and a trailing slash is not a segment", () => {
  const readings: Readonly<Record<string, Reading>> = {
    "/": { segments: [], trailingSlash: false },
    "/?x=/y": { segments: [], trailingSlash: false },
    "/a": { segments: ["a"], trailingSlash: false },
    "/a/": { segments: ["a"], trailingSlash: true },
    "/a/b?c/d": { segments: ["a", "b"], trailingSlash: false },
    "/%61/%C3%A9": { segments: ["a", "é"], trailingSlash: false },
    "/100%25/": { segments: ["100%"], trailingSlash: true },
    "/~a_b-c.d!$&'()*+,=:@": { segments: ["~a_b-c.d!$&'()*+,=:@"], trailingSlash: false },
  }
  for (const [target, reading] of Object.entries(readings))
    assert.deepEqual(read(target).reading, reading, target)
})

test("GATE-4 a plain path has neither features nor other readings", () => {
  for (const target of ["/", "/a", "/a/b.c/", "/%61", "/a%20b"]) {
    const { features, alternatives } = read(target)
    assert.deepEqual([features, alternatives], [[], []], target)
  }
})

test("GATE-4 an encoded slash, an empty segment and a semicolon are features, encoded or not", () => {
  const features: Readonly<Record<string, readonly string[]>> = {
    "/a%2fb": ["encoded_slash"],
    "/a%2Fb": ["encoded_slash"],
    "//a": ["double_slash"],
    "/a//b": ["double_slash"],
    "/a//": ["double_slash"],
    "/a;b": ["semicolon"],
    "/a%3bb": ["semicolon"],
    "//a%2fb;c": ["encoded_slash", "double_slash", "semicolon"],
  }
  for (const [target, expected] of Object.entries(features))
    assert.deepEqual(read(target).features, expected, target)
  assert.deepEqual(new Set(Object.values(features).flat()), new Set(PATH_FEATURES))
})

test("GATE-4 where a route allows them, // is one slash, %2f is no slash, and ; begins a parameter", () => {
  assert.equal(text(read("/a//b").reading), '["a","b"]')
  assert.equal(text(read("/a%2fb/c").reading), '["a/b","c"]')
  assert.equal(text(read("/a;x=1/b;y").reading), '["a","b"]')
  assert.equal(text(read("/a//").reading), '["a"] with a slash')
})

describe("GATE-4 every way in which a server may read a path is an alternative", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    "/a%2fb": ['["a/b"]', '["a","b"]'],
    "/a;x/b": ['["a;x","b"]', '["a","b"]'],
    "//a": ['["","a"]', '["a"]'],
    "/a%3fb": ['["a?b"]', '["a"]'],
    "/%2561": ['["%61"]', '["a"]'],
    "/%ef%bd%81": ['["ａ"]', '["a"]'],
    "/a%3fb/c": ['["a?b","c"]', '["a"]'],
  }
  for (const [target, expected] of Object.entries(cases))
    test(target, () => assert.deepEqual(read(target).alternatives.map(text), expected))
})

test("GATE-4 the number of other readings is bounded, whatever a client combines", () => {
  const { alternatives } = read(`/%2561%3f;//%2f${"/a;b%2fc".repeat(500)}`)
  assert.ok(alternatives.length <= 32, String(alternatives.length))
})

test("GATE-4 letters that Unicode calls compatible become plain ones", () => {
  assert.equal(compatible("ａｄｍｉｎ"), "admin")
  assert.equal(compatible("．．／"), "../")
  assert.equal(compatible("ﬁle"), "file")
  assert.equal(compatible("admin"), "admin")
})

test("GATE-4 what decoding twice would make special is refused, and what stays plain is read", () => {
  for (const escape of ["%2e", "%2F", "%25", "%5C", "%3b", "%3B", "%00", "%1f", "%7F"])
    assert.equal(readPath(`/a%25${escape.slice(1)}b`), "double percent-encoding", escape)
  for (const escape of ["%20", "%41", "%3a", "%7e", "%80", "%g0", "%2"])
    assert.equal(typeof readPath(`/a%25${escape.slice(1)}b`), "object", escape)
})

test("GATE-4 a path has at most 8192 characters, its query not counted", () => {
  const longest = `/${"x".repeat(8191)}`
  assert.equal(typeof readPath(`${longest}?${"x".repeat(9000)}`), "object")
  assert.equal(readPath(`${longest}x`), "more than 8192 characters")
  assert.equal(readPath("x"), "not a path")
})
