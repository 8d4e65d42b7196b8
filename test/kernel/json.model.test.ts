import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { type Json, parseJson } from "../../src/kernel/json.ts"

/** Converts a value to the form that `JSON.parse` returns. */
function plain(value: Json): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, of]) => [name, plain(of)]))
  return Array.isArray(value) ? value.map(plain) : value
}

const depth = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0

test("REG-2: what JSON.stringify writes is read back, up to the depth that is allowed", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), fc.boolean(), (value, spaced) => {
      const text = JSON.stringify(value, null, spaced ? 1 : 0)
      const read = parseJson(text)
      if (depth(value) > 16 || !JSON.stringify(value).isWellFormed()) assert.equal(read, undefined)
      else if (read !== undefined) assert.deepEqual(plain(read), JSON.parse(text))
      else assert.match(text, /\\ud[89a-f]/i, "only half a character may keep it from being read")
    }),
    { numRuns: 300 },
  )
})

test("REG-2: nothing is read that JSON.parse does not read the same way", () => {
  const pieces = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"a"',
    '"b"',
    '"\\u0061"',
    "1",
    "-0",
    "1e9",
    "true",
    "null",
    " ",
    "\n",
    "\\",
    '"',
    "x",
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 14 }), (tokens) => {
      const text = tokens.join("")
      const read = parseJson(text)
      if (read !== undefined) assert.deepEqual(plain(read), JSON.parse(text))
    }),
    { numRuns: 5000 },
  )
})
