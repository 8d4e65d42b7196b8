import { test } from "node:test"
import assert from "node:assert/strict"
import { type Json, parseJson } from "../../src/kernel/json.ts"

/** Converts a value to the form that `JSON.parse` returns, but with objects that have no prototype. */
function plain(value: Json): unknown {
  if (value instanceof Map)
    return Object.assign(Object.create(null), Object.fromEntries([...value].map(([k, v]) => [k, plain(v)])))
  return Array.isArray(value) ? value.map(plain) : value
}

test("REG-2 what JSON is, is read as JSON.parse reads it", () => {
  for (const text of [
    "null",
    " true\n",
    "[ ]",
    "{ }",
    "-0.5e+10",
    "0",
    "1E3",
    '"\\u00e9\\n\\"\\\\\\/\u00e9 \u{1F511}"',
    '{"a":[1,{"b":null},"c"],"":false, "d" : {} }',
    "[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]",
    '"\\ud83d\\udd11"',
  ]) {
    const value = parseJson(text)
    assert.ok(value !== undefined, text)
    assert.equal(JSON.stringify(plain(value)), JSON.stringify(JSON.parse(text)), text)
  }
})

test("REG-2 what is not JSON, names a member twice or goes too deep, is nothing", () => {
  for (const text of [
    "",
    " ",
    "{",
    "[1,]",
    "[,1]",
    '{"a":1,}',
    '{"a" 1}',
    "{a:1}",
    "{'a':1}",
    "01",
    "1.",
    ".5",
    "+1",
    "0x10",
    "NaN",
    "Infinity",
    "undefined",
    "nul",
    "truefalse",
    '"a',
    '"\t"',
    '"\u0000"',
    '"\\x41"',
    '"\\u12"',
    "1 2",
    "{} {}",
    "// c\n1",
    "\ufeff{}",
    "\u00a01",
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":1,"__proto__":2}',
    '"\\ud800"',
    '{"\\udc00":1}',
    "[".repeat(17) + "]".repeat(17),
    "[".repeat(60_000),
    '{"a":'.repeat(10_000),
  ])
    assert.equal(parseJson(text), undefined, JSON.stringify(text.slice(0, 40)))
})

test("REG-2 names that objects inherit are names like any other", () => {
  const value = parseJson('{"__proto__":{"verified":true},"constructor":1,"toString":[]}')
  assert.ok(value instanceof Map)
  assert.deepEqual([...value.keys()], ["__proto__", "constructor", "toString"])
  assert.equal(Reflect.get(Object.prototype, "verified"), undefined)
})

test("LIM a body of the greatest length takes no time that grows faster than it", () => {
  const long = "x".repeat(65_000)
  assert.equal(parseJson(JSON.stringify(long)), long)
  assert.equal(parseJson(`"${"\\n".repeat(32_000)}"`), "\n".repeat(32_000))
  assert.equal(parseJson(`"${"\\n".repeat(32_000)}`), undefined)
  assert.equal(parseJson(`[${" ".repeat(65_000)}`), undefined)
})
