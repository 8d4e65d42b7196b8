import { test } from "node:test"
import assert from "node:assert/strict"
import {
  allValues,
  formFlaw,
  parseForm,
  parseQuery,
  refuseRepeated,
  required,
} from "../../src/kernel/form.ts"
import { form } from "../support/core-sample.ts"

const entries = (text: string) => [...form(text).values]

test("TOKEN-6 names and values are decoded", () => {
  assert.deepEqual(entries("a=1&b=x+y%20z&%63=%C3%A9%2B"), [
    ["a", "1"],
    ["b", "x y z"],
    ["c", "é+"],
  ])
  assert.deepEqual(entries("a=b=c"), [["a", "b=c"]])
})

test("TOKEN-6 a parameter without a value is omitted", () => {
  assert.deepEqual(entries("a=&b&&c=1&"), [["c", "1"]])
  assert.deepEqual(entries(""), [])
})

test("ERR-4 what is not well-formed is no form", () => {
  for (const text of [
    "a=%",
    "a=%4",
    "a=%zz",
    "%=1",
    "a=%ff",
    "a=%c3",
    "a=%ed%a0%80",
    "a=%c0%af",
    "a=%f5%80%80%80",
  ]) {
    assert.equal(parseForm(text), null, text)
  }
  for (const text of ["a= b", "a=é", "a=1\n", "a=\u0000", "a=\u007f", "\ufeffa=1"]) {
    assert.equal(parseForm(text), null, JSON.stringify(text))
  }
})

test("ERR-4 a hundred parameters are read, one more is no form", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join("&")
  assert.equal(form(many(100)).values.size, 100)
  assert.equal(parseForm(many(101)), null)
  assert.equal(parseForm("a&".repeat(101)), null)
  assert.notEqual(parseForm("&".repeat(5000)), null)
})

test("ERR-4 a name given twice is repeated, also where a value is empty or the name is escaped", () => {
  for (const text of ["a=1&a=2", "a=1&a=1", "a=&a=1", "a=1&a", "a&a", "a=1&%61=2"]) {
    assert.deepEqual([...form(text).repeated], ["a"], text)
  }
  assert.equal(form("a=1&A=2").repeated.size, 0)
})

test("every value of a repeated name is kept in order, the empty ones left out", () => {
  assert.deepEqual(allValues(form("r=1&x=9&r=&r=2&r=3"), "r"), ["1", "2", "3"])
  assert.deepEqual(allValues(form("r=&r=2"), "r"), ["2"])
  assert.deepEqual(allValues(form("r=1"), "r"), ["1"])
  assert.deepEqual(allValues(form("r="), "r"), [])
  assert.equal(form("r=1&r=2").values.get("r"), "1")
})

test("names that objects have by nature are ordinary names", () => {
  assert.deepEqual(entries("__proto__=1&constructor=2"), [
    ["__proto__", "1"],
    ["constructor", "2"],
  ])
  assert.equal(form("a=1").values.get("toString"), undefined)
})

test("ERR-4 nothing but resource may be given twice", () => {
  assert.equal(refuseRepeated(form("resource=a&resource=b&x=1")).ok, true)
  assert.deepEqual(refuseRepeated(form("scope=a&scope=b")), {
    ok: false,
    error: { reason: "parameterRepeated", parameter: "scope" },
  })
})

test("ERR-11 a parameter name that a client made up is not logged", () => {
  const refused = refuseRepeated(form("lkr_0123=1&lkr_0123=1"))
  assert.deepEqual(refused, { ok: false, error: { reason: "parameterRepeated", parameter: "(unknown)" } })
})

test("ERR-4 a required parameter is there and not empty", () => {
  assert.deepEqual(required(form("code=1"), "code"), { ok: true, value: "1" })
  for (const text of ["", "code", "code="]) {
    assert.deepEqual(required(form(text), "code"), {
      ok: false,
      error: { reason: "parameterMissing", parameter: "code" },
    })
  }
})

test("ERR-15 a query is read parameter by parameter, whatever else is in it", () => {
  const { form: readable, malformed } = parseQuery("a=1&%ff=2&b=%zz&c=3&b=4&&d")
  assert.deepEqual(
    [...readable.values],
    [
      ["a", "1"],
      ["c", "3"],
      ["b", "4"],
    ],
  )
  assert.deepEqual(
    [...malformed],
    [
      ["", "2"],
      ["b", "%zz"],
    ],
  )
  assert.deepEqual([...readable.repeated], ["b"])
  const many = parseQuery(Array.from({ length: 5000 }, (_, n) => `x${n}=1`).join("&"))
  assert.equal(many.form.values.size, 5000)
  for (const text of ["", "a=b", "a=b&a=c", "a=&a=b", "resource=x&resource=y", "a+b=%20c"])
    assert.deepEqual(parseQuery(text), { form: parseForm(text), malformed: new Map() })
})

test("ERR-15 after a hundred malformed parameters the rest is ignored", () => {
  const broken = (count: number) => "a=%&".repeat(count)
  assert.deepEqual([...parseQuery(`${broken(99)}b=1`).form.values], [["b", "1"]])
  assert.deepEqual([...parseQuery(`${broken(100)}b=1`).form.values], [])
})

test("ERR-4 a flaw has the name of its parameter and the place of its first wrong character", () => {
  assert.equal(formFlaw("a=1&b=2%20&c=+"), null)
  assert.deepEqual(formFlaw("a=1&scope=x y"), { parameter: "scope", place: 12, isSpace: true })
  assert.deepEqual(formFlaw("scope=%4"), { parameter: "scope", place: 7, isSpace: false })
  assert.deepEqual(formFlaw("a=1&scope=%ff"), { parameter: "scope", place: 5, isSpace: false })
  assert.deepEqual(formFlaw("a=1&Secret=x y"), { parameter: "(unknown)", place: 13, isSpace: true })
  assert.deepEqual(formFlaw("a b=1"), { parameter: "(unknown)", place: 2, isSpace: true })
})
