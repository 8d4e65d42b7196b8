/** How a path is read, and in which other ways a server could read it. `match.rules.test.ts` has the refused paths. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { PATH_FEATURES, readPath } from "../../../src/gate/routes/path.rules.ts"
import type { Reading } from "../../../src/gate/routes/readings.rules.ts"

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

test("GATE-4 what decoding twice would make special is refused, and what stays plain is read", () => {
  for (const escape of [
    "%2e",
    "%2F",
    "%23",
    "%3f",
    "%25",
    "%5C",
    "%3b",
    "%3B",
    "%00",
    "%1f",
    "%7F",
    "%80",
    "%c0%ae",
    "%u0061",
  ])
    assert.equal(
      readPath(`/a%25${escape.slice(1).replaceAll("%", "%25")}b`),
      "double percent-encoding",
      escape,
    )
  for (const escape of ["%20", "%41", "%3a", "%7e", "%g0", "%2"])
    assert.equal(typeof readPath(`/a%25${escape.slice(1)}b`), "object", escape)
})

test("GATE-4 a path has at most 8192 characters, its query not counted", () => {
  const longest = `/${"x".repeat(8191)}`
  assert.equal(typeof readPath(`${longest}?${"x".repeat(9000)}`), "object")
  assert.equal(readPath(`${longest}x`), "more than 8192 characters")
  assert.equal(readPath("x"), "not a path")
  const several = "more than 32 segments that can be read in several ways"
  for (const separator of ["/", "%2f", "%2F"]) {
    assert.equal(typeof readPath(`/%20${`${separator}a`.repeat(31)}`), "object")
    assert.equal(readPath(`/%20${`${separator}a`.repeat(32)}`), several)
  }
  assert.equal(typeof readPath("/a".repeat(4000)), "object")
})

test("GATE-4 a path has at most 2048 characters in segments that are not ASCII, as they are compatible", () => {
  const tooLong = "more than 2048 characters in segments that are not ASCII"
  assert.equal(typeof readPath(`/${"%E6%97%A5".repeat(910)}`), "object")
  assert.equal(typeof readPath(`/${"%EF%B7%BA".repeat(113)}`), "object")
  for (const expanding of ["%EF%B7%BA", "%25EF%25B7%25BA"])
    assert.equal(readPath(`/${expanding.repeat(114)}`), tooLong, expanding)
})
