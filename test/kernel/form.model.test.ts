/** Compares the form parser with the platform's own encoder, and tests it with arbitrary input. */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { allValues, parseForm } from "../../src/kernel/form.ts"

const word = fc.string({ unit: "grapheme", maxLength: 12 })
const entries = fc.array(fc.tuple(fc.oneof(word, fc.constantFrom("a", "b", "__proto__")), word), {
  maxLength: 20,
})

test("TOKEN-6 what the platform encodes is read back, name by name", () => {
  fc.assert(
    fc.property(entries, (pairs) => {
      const form = parseForm(new URLSearchParams(pairs).toString()) ?? assert.fail("not a form")
      for (const [name] of pairs) {
        const values = pairs.filter(([other]) => other === name).map(([, value]) => value)
        const full = values.filter((value) => value !== "")
        assert.deepEqual(allValues(form, name), full)
        assert.equal(form.values.get(name), full[0])
        assert.equal(form.repeated.has(name), values.length > 1)
      }
    }),
  )
})

test("ERR-4 any text is either a form, read as the platform reads it, or none", () => {
  const piece = fc.constantFrom(..."&=+%ab01é \n", "%41", "%c3%a9", "%C3", "%e0%80%80", "%zz", "x=1")
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("")
      const form = parseForm(text)
      if (form === null) return
      const params = new URLSearchParams(text)
      for (const [name, value] of form.values) assert.ok(params.getAll(name).includes(value), text)
      for (const name of params.keys()) {
        assert.equal(form.repeated.has(name), params.getAll(name).length > 1, text)
      }
    }),
    { numRuns: 1000 },
  )
})
