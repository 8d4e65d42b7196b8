import { test } from "node:test"
import assert from "node:assert/strict"
import { html } from "../../../src/kernel/html.ts"
import { type TextKey, Texts } from "../../../src/platform/languages/texts.ts"

const KEY: TextKey = "common.to-account"

const textsOf = (text: string, tag = "en", direction: "ltr" | "rtl" = "ltr") =>
  new Texts({ tag, direction, name: tag }, [{ [KEY]: text }])

test("a text is escaped, also where it has no placeholder", () => {
  assert.equal(String(textsOf("a < b & c").html(KEY)), "a &lt; b &amp; c")
  assert.equal(textsOf("a < b & c").plain(KEY), "a < b & c")
})

test("values are inserted: markup as it is, strings escaped, numbers as the language writes them", () => {
  const texts = textsOf("{app} has {count} for {name}.", "de")
  const values = { app: html`<bdi>A</bdi>`, count: 1234567, name: "<b>" }
  assert.equal(String(texts.html(KEY, values)), "<bdi>A</bdi> has 1.234.567 for &lt;b&gt;.")
  assert.equal(texts.plain(KEY, { app: "A", count: 1, name: "<b>" }), "A has 1 for <b>.")
})

test("PAGE-1 a sentence that ends with a name has one period", () => {
  const texts = textsOf("{known, select, yes {You refused {app}. Really.} other {No.}}")
  const of = (app: Parameters<typeof texts.html>[1]) => String(texts.html(KEY, { known: "yes", ...app }))
  assert.equal(of({ app: html`<bdi>Acme Inc.</bdi>` }), "You refused <bdi>Acme Inc.</bdi> Really.")
  assert.equal(of({ app: "Acme Inc." }), "You refused Acme Inc. Really.")
  assert.equal(of({ app: "Acme" }), "You refused Acme. Really.")
})

test("a plural has the forms of its language, and a select the rest under other", () => {
  const polish = textsOf("{count, plural, one {# plik} few {# pliki} other {# plików}}", "pl")
  assert.deepEqual(
    [1, 3, 5, 22].map((count) => polish.plain(KEY, { count })),
    ["1 plik", "3 pliki", "5 plików", "22 pliki"],
  )
  const wait = textsOf(
    "Wait {unit, select, hours {{count, plural, one {# hour} other {# hours}}} other {longer}}.",
  )
  assert.equal(wait.plain(KEY, { unit: "hours", count: 1 }), "Wait 1 hour.")
  assert.equal(wait.plain(KEY, { unit: "days", count: 1 }), "Wait longer.")
})

test("a value that is missing is an error and not a gap", () => {
  assert.throws(() => textsOf("Hello {name}").plain(KEY), /needs the value "name"/)
})

test("a language that lacks a text has that of its fallback", () => {
  const texts = new Texts({ tag: "de", direction: "ltr", name: "Deutsch" }, [{}, { [KEY]: "fallback" }])
  assert.equal(texts.plain(KEY), "fallback")
})

test("dates, spans and lists are as the language writes them", () => {
  const { formats } = textsOf("")
  const at = Date.UTC(2026, 2, 12, 14, 5, 9) / 1000
  assert.deepEqual(
    [formats.day(at), formats.time(at), formats.exactTime(at), formats.ago(3 * 3600)],
    ["12 March 2026", "14:05", "14:05:09 UTC", "3 hours ago"],
  )
  assert.equal(formats.list(["A", "B", "C"]).join(""), "A, B and C")
  assert.equal(textsOf("", "de").formats.day(at), "12. März 2026")
})
