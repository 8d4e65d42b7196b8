import { test } from "node:test"
import assert from "node:assert/strict"
import { graphemes, shownName } from "../../../src/platform/ui/shown-text.ts"
import { lifetimeInWords, waitInWords } from "../../../src/platform/ui/words.ts"

test("CLIENT-4 a name cannot reorder or hide what stands around it", () => {
  assert.equal(shownName("\u202eevil\u202c", "-"), "evil")
  assert.equal(shownName("a\u2066b\u2069c\u200fd\u061ce", "-"), "abcde")
  assert.equal(shownName("pay\u200bpal\ufeff\u00ad\u2060", "-"), "paypal")
  assert.equal(shownName("two\r\n\u2028lines\u0000\u0085", "-"), "two lines")
})

test("CLIENT-4 what scripts and pictograms need stays", () => {
  for (const name of ["می‌خواهم", "👩‍👩‍👧‍👦 Family", "דפדפן", "Việt Nam", "❤️", "ｆｕｌｌ"])
    assert.equal(shownName(name, "-"), name)
})

test("CLIENT-4 a name without a visible character is reported", () => {
  for (const name of ["", "   ", "\u200b", "\u3164\u2800", "\u0301", "\u200d"])
    assert.equal(shownName(name, "none"), "none")
})

test("CLIENT-4 marks do not pile up over the neighbouring lines", () => {
  const piled = shownName(`Z${"\u0301".repeat(50)}a`, "-")
  assert.equal(piled, `Z${"\u0301".repeat(4)}a`)
})

test("CLIENT-4 a long name is cut between characters, never inside one", () => {
  assert.equal(shownName("a".repeat(80), "-"), "a".repeat(80))
  const cut = shownName("👩‍👩‍👧‍👦".repeat(200), "-")
  assert.equal(graphemes(cut).length, 80)
  assert.ok(cut.endsWith("👩‍👩‍👧‍👦…"))
})

test("LIM-6 the lifetime of an access is shown in words and never as longer than it is", () => {
  assert.equal(lifetimeInWords(365 * 86_400), "a year")
  assert.equal(lifetimeInWords(365 * 86_400 - 1), "364 days")
  assert.equal(lifetimeInWords(86_400), "1 day")
  assert.equal(lifetimeInWords(7_199), "1 hour")
  assert.equal(lifetimeInWords(90), "1 minute")
})

test("a wait is shown in words and never as shorter than it is", () => {
  assert.equal(waitInWords(1), "1 minute")
  assert.equal(waitInWords(60), "1 minute")
  assert.equal(waitInWords(61), "2 minutes")
  assert.equal(waitInWords(3 * 3600 + 1), "4 hours")
})
