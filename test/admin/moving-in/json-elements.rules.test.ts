import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { JsonElements } from "../../../src/admin/moving-in/json-elements.rules.ts"

function split(...pieces: readonly string[]) {
  const elements = new JsonElements()
  const found = pieces.flatMap((piece) => elements.add(piece))
  return { found, isWhole: elements.isWhole, length: elements.length }
}

test("a list is split at its commas, not at those in texts, lists and objects", () => {
  const elements = new JsonElements()
  const document = '{"a": {"b": [1, 2]}, "l": [{"x": "],}\\\\\\"", "y": [1, {"z": {}}]}, 2], "m": 3, "n": []}'
  assert.deepEqual(elements.add(document), [
    { list: "l", text: '{"x":"],}\\\\\\"","y":[1,{"z":{}}]}' },
    { list: "l", text: "2" },
  ])
  assert.equal(elements.isWhole, true)
})

test("MOVE-1 a document that is a list has elements without a name", () => {
  assert.deepEqual(split('\uFEFF [ {"a" : 1} ,\n"x y", [1, 2] ]\r\n'), {
    found: [
      { list: "", text: '{"a":1}' },
      { list: "", text: '"x y"' },
      { list: "", text: "[1,2]" },
    ],
    isWhole: true,
    length: 0,
  })
  assert.deepEqual(split("[]").found, [])
})

test("MOVE-1 only a list that is a member of the document itself has elements", () => {
  const { found, isWhole } = split(
    '{"a": {"users": [{"b": [1]}]}, "n": 1, "users": [{"c": [[2]]}], "t": "[1]"}',
  )
  assert.deepEqual([found, isWhole], [[{ list: "users", text: '{"c":[[2]]}' }], true])
})

test("MOVE-1 a document that has not ended, or that goes on after its end, is not whole", () => {
  for (const text of [
    "",
    " ",
    "[",
    "{",
    '{"a": [1]',
    '["x',
    '["x\\"]',
    "[1]]",
    "[1] {}",
    "{} x",
    '"text"',
    "7",
    "x",
  ])
    assert.equal(split(text).isWhole, false, text)
  for (const text of ["[]", "{}", '{"a": [1, {}]}', '["\\\\"]', "[1]\n "])
    assert.equal(split(text).isWhole, true, text)
})

test("MOVE-1 the length of an element that has not ended is known, and other members take no memory", () => {
  assert.equal(split(`{"users": [{"a": "${"x".repeat(100)}`).length, '{"a":"'.length + 100)
  assert.equal(split(`{"users": [1, 2], "other": {"deep": "${"x".repeat(100)}`).length < 20, true)
  assert.equal(split('{"users": [{"a": 1}').length > 0, true)
  assert.equal(split('{"users": [{"a": 1},').length, 0)
})

test("MOVE-1 where a document is cut into pieces makes no difference", () => {
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.string(),
      fc.integer(),
      fc.constantFrom(true, null, '"', "\\", "],}"),
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", '"', "]"), tie("any"), { maxKeys: 3 }),
    ),
  })).any
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), (users, size) => {
      const text = JSON.stringify({ before: [], users, after: { users } }, null, 1)
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? []
      const { found, isWhole } = split(...pieces)
      assert.equal(isWhole, true)
      assert.deepEqual(
        found.map((element) => [element.list, JSON.parse(element.text) as unknown]),
        (JSON.parse(JSON.stringify(users)) as unknown[]).map((user) => ["users", user]),
      )
    }),
    { numRuns: 300 },
  )
})
