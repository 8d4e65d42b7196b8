/** The ways in which a server may read a path. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { readPath } from "../../../src/gate/routes/path.rules.ts"
import { isUnambiguous, type Reading } from "../../../src/gate/routes/readings.rules.ts"

function read(target: string) {
  const path = readPath(target)
  return typeof path === "string" ? assert.fail(`${target}: ${path}`) : path
}

const text = ({ segments, trailingSlash }: Reading) =>
  JSON.stringify(segments) + (trailingSlash ? " with a slash" : "")

describe("GATE-4 every way in which a server may read a path is an alternative", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    "/a%2fb": ['["a/b"]', '["a","b"]'],
    "/a;x/b": ['["a;x","b"]', '["a","b"]', '["a"]'],
    "//a": ['["","a"]', '["a"]'],
    "/a%3fb": ['["a?b"]', '["a"]'],
    "/%2561": ['["%61"]', '["a"]'],
    "/%ef%bd%81": ['["ａ"]', '["a"]'],
    "/a%3fb/c": ['["a?b","c"]', '["a"]'],
    "/a%23b/c": ['["a#b","c"]', '["a"]'],
    "/a/%23": ['["a","#"]', '["a"] with a slash'],
    "/a%3f%23": ['["a?#"]', '["a"]', '["a?"]'],
    "/a/%20": ['["a"," "]', '["a"] with a slash'],
    "/a/%2B/b": ['["a","+","b"]', '["a","b"]'],
    "/a%EF%BC%9Fb%3Fc": ['["a？b?c"]', '["a?b?c"]', '["a？b"]', '["a"]', '["a?b"]'],
    "/a/...": ['["a","..."]', '["a"] with a slash'],
    "/a%20/b": ['["a ","b"]'],
  }
  for (const [target, expected] of Object.entries(cases))
    test(target, () => assert.deepEqual(read(target).alternatives.map(text), expected))
})

test("GATE-4 the number of other readings is bounded, whatever a client combines", () => {
  const { alternatives } = read("/%2561//%2f/a;b%2fc/%20/%3fx")
  assert.ok(alternatives.length > 20 && alternatives.length <= 64, String(alternatives.length))
  assert.equal(
    readPath("/%2561//%2f/a;b%2fc/%20/%3f;%23/%EF%BC%8Fx%EF%BC%9F"),
    "more than 64 ways to read it",
  )
})

test("GATE-4 only what nothing decodes, splits or trims once more is unambiguous", () => {
  for (const plain of ["", "a", "a b", "a.b", ".a", "a+b", "a&b=c,d"]) assert.ok(isUnambiguous(plain), plain)
  for (const other of ["a%b", "a?", "#", "a;b", " a", "a ", "a.", "a+", "é"])
    assert.ok(!isUnambiguous(other), other)
})
