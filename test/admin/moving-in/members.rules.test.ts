import { describe, test } from "node:test"
import assert from "node:assert/strict"
import {
  embeddedIn,
  isTrueIn,
  numberIn,
  objectIn,
  objectsIn,
  separatedTextsIn,
  textIn,
  textsIn,
  timeIn,
} from "../../../src/admin/moving-in/members.rules.ts"
import { jsonObject } from "./objects.ts"

const object = jsonObject({
  text: "a",
  number: 1.5,
  yes: true,
  no: false,
  nothing: null,
  list: ["a", 1, { x: "y" }, null, "b"],
  object: { x: "y" },
})
const members = [...object.keys(), "missing", "__proto__", "constructor"]

test("MOVE-1 a member of another type counts as missing", () => {
  const expected = {
    text: (name: string) => (name === "text" ? "a" : ""),
    number: (name: string) => (name === "number" ? 1.5 : null),
    texts: (name: string) => (name === "list" ? ["a", "b"] : []),
    objects: (name: string) => (name === "list" ? [jsonObject({ x: "y" })] : []),
    object: (name: string) => (name === "object" ? jsonObject({ x: "y" }) : new Map()),
  }
  for (const name of members) {
    assert.equal(textIn(object, name), expected.text(name), name)
    assert.equal(numberIn(object, name), expected.number(name), name)
    assert.deepEqual(textsIn(object, name), expected.texts(name), name)
    assert.deepEqual(objectsIn(object, name), expected.objects(name), name)
    assert.deepEqual(objectIn(object, name), expected.object(name), name)
  }
  assert.equal(numberIn(jsonObject({ infinite: "x" }), "infinite"), null)
  assert.equal(numberIn(new Map([["infinite", Infinity]]), "infinite"), null, "1e999 is read as infinite")
})

test("MOVE-1 a column is true if it is true or 1", () => {
  const column = jsonObject({ a: true, b: 1, c: 0, d: "true", e: 2, f: false, g: null })
  const isTrue = [...column.keys()].filter((name) => isTrueIn(column, name))
  assert.deepEqual(isTrue, ["a", "b"])
})

test("MOVE-1 an object that is written as text is read, and any other text is an empty object", () => {
  const column = jsonObject({
    ok: '{"a": "b"}',
    list: "[1]",
    broken: "{",
    repeated: '{"a":1,"a":2}',
    empty: "",
  })
  assert.deepEqual(embeddedIn(column, "ok"), jsonObject({ a: "b" }))
  for (const name of ["list", "broken", "repeated", "empty", "missing"])
    assert.equal(embeddedIn(column, name).size, 0, name)
})

describe("MOVE-1 texts are read from a list, from a list as text, or from a text with a separator", () => {
  const cases: readonly (readonly [value: unknown, separator: string, texts: readonly string[]])[] = [
    ["a, b ,c", ",", ["a", "b", "c"]],
    ["openid  email", " ", ["openid", "email"]],
    [",a,,", ",", ["a"]],
    ["", ",", []],
    [["a", " b ", 1, ""], ",", ["a", "b"]],
    ['["a","b c"]', " ", ["a", "b c"]],
    ['["a", 1, null]', ",", ["a"]],
    ["[]", ",", []],
    ["[a b", " ", ["[a", "b"]],
    [7, ",", []],
  ]
  for (const [value, separator, texts] of cases)
    test(JSON.stringify(value), () =>
      assert.deepEqual(separatedTextsIn(jsonObject({ value }), "value", separator), texts),
    )
})

describe("MOVE-1 a time is in seconds, from a date in UTC or from milliseconds", () => {
  const at = (value: unknown) => timeIn(jsonObject({ value }), "value")
  const dates = [
    "1970-01-01T00:00:00Z",
    "1999-12-31T23:59:59Z",
    "2000-02-29T12:00:00Z",
    "2000-03-01T00:00:00.000Z",
    "2024-02-29T23:59:59.999Z",
    "2100-02-28T23:59:59Z",
    "2100-03-01T00:00:00Z",
    "2026-01-31T01:02:03Z",
    "9999-12-31T23:59:59Z",
  ]
  for (const date of dates) test(date, () => assert.equal(at(date), Math.floor(Date.parse(date) / 1000)))

  test("with a space, without a zone and with the offset zero, as databases write it", () => {
    const expected = Date.parse("2026-01-02T03:04:05Z") / 1000
    for (const date of [
      "2026-01-02 03:04:05",
      "2026-01-02 03:04:05.678",
      "2026-01-02 03:04:05+0000",
      "2026-01-02T03:04:05-00:00",
    ])
      assert.equal(at(date), expected, date)
  })

  test("milliseconds are rounded down, and no time is before 1970", () => {
    assert.deepEqual([at(0), at(1999), at(1_700_000_000_123)], [0, 1, 1_700_000_000])
    assert.deepEqual([at(-1), at("1969-12-31T23:59:59Z")], [null, null])
  })

  test("anything else is no time", () => {
    for (const value of [
      "",
      "yesterday",
      "2026-01-02",
      "2026-01-02T03:04:05+01:00",
      "2026-1-2T03:04:05Z",
      true,
      null,
    ])
      assert.equal(at(value), null, String(value))
  })
})
