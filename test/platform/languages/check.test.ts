import { test } from "node:test"
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { checkTexts } from "../../../src/platform/languages/check.ts"
import { builtInLanguages, ENGLISH, readTexts } from "../../../src/platform/languages/languages.ts"
import type { TextFile } from "../../../src/platform/languages/texts.ts"
import { filesUnder, textOf } from "../../support/imports.ts"

const directory = join(import.meta.dirname, "../../../src/platform/languages/texts")
const english = readTexts(ENGLISH)

const model = {
  plain: "Go on",
  named: "Hello {name}",
  counted: "{count, plural, one {# app} other {# apps}}",
  wait: "{unit, select, hours {{count, plural, one {# hour} other {# hours}}} other {longer}}",
}

const problemsIn = (tag: string, texts: unknown) => {
  const checked = checkTexts(tag, texts, model)
  return Array.isArray(checked) ? (checked as readonly string[]) : []
}

test("LANG-6 each built-in language has the keys, placeholders and plural forms that it needs, and no markup", () => {
  const files = readdirSync(directory).toSorted()
  assert.deepEqual(files, builtInLanguages.map(({ tag }) => `${tag}.json`).toSorted())
  for (const { tag } of builtInLanguages) {
    const texts = JSON.parse(readFileSync(join(directory, `${tag}.json`), "utf8")) as TextFile
    const checked = checkTexts(tag, texts, english)
    assert.deepEqual(Array.isArray(checked) ? checked : [], [], tag)
    assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(english).toSorted(), tag)
  }
})

test("LANG-6 each English text is used, and a key stands once in the file", () => {
  const sources = filesUnder("src", ".ts").map(textOf).join("\n")
  const named = [...sources.matchAll(/["`]([a-zA-Z0-9-]+(?:\.(?:[a-zA-Z0-9.-]|\$\{[^{}`]*\})+)+)["`]/g)].map(
    ([, name = ""]) => name,
  )
  const plain = new Set(named)
  const patterns = named
    .filter((name) => name.includes("${"))
    .map((name) => new RegExp(`^${name.replaceAll(".", "\\.").replaceAll(/\$\{[^}]*\}/g, ".+")}$`))
  const unused = Object.keys(english).filter(
    (key) => !plain.has(key) && !patterns.some((pattern) => pattern.test(key)),
  )
  assert.deepEqual(unused, [])
  const lines = readFileSync(join(directory, "en.json"), "utf8").match(/^ {2}"/gm) ?? []
  assert.equal(lines.length, Object.keys(english).length)
})

test("LANG-6 what fits the English text passes, also a part of a file", () => {
  assert.deepEqual(problemsIn("de", {}), [])
  assert.deepEqual(problemsIn("de", { named: "Hallo {name}", plain: "Weiter mit 1 < 2 & 3" }), [])
  assert.deepEqual(problemsIn("de", { counted: "{count, plural, =1 {Eine App} other {# Apps}}" }), [])
  assert.deepEqual(problemsIn("ja", { counted: "{count, plural, other {アプリ # 個}}" }), [])
  const arabic = ["zero", "one", "two", "few", "many", "other"].map((form) => `${form} {#}`).join(" ")
  assert.deepEqual(problemsIn("ar", { counted: `{count, plural, =0 {لا} ${arabic}}` }), [])
})

test("LANG-6 what does not fit the English text is named with its key", () => {
  const wrong: readonly (readonly [string, unknown, string | RegExp])[] = [
    ["de", [], "expected an object with a text for each key"],
    ["de", null, "expected an object with a text for each key"],
    ["de", { other: "x" }, "other: there is no such key"],
    ["de", JSON.parse('{"__proto__": "x"}'), "__proto__: there is no such key"],
    ["de", { plain: 1 }, "plain: expected a text"],
    ["de", { plain: " " }, "plain: expected a text"],
    ["de", { plain: "Weiter\r\nhier" }, "plain: control characters are not allowed"],
    ["de", { plain: "<b>Weiter</b>" }, "plain: markup is not allowed"],
    ["de", { plain: "Weiter&nbsp;hier" }, "plain: markup is not allowed"],
    ["de", { named: "Hallo" }, "named: {name} is missing"],
    ["de", { plain: "Weiter {name}" }, "plain: {name} is not a placeholder here"],
    ["de", { named: "Hallo {name" }, /^named: EXPECT/],
    ["de", { named: "{name, date}" }, /^named: a text has an element of an unknown kind/],
    ["pl", { counted: "{count, plural, one {#} other {#}}" }, 'counted: a plural lacks the form "few"'],
    [
      "de",
      { counted: "{count, plural, one {#} few {#} other {#}}" },
      'counted: a plural has the foreign form "few"',
    ],
    [
      "uk",
      { counted: "{count, plural, =1 {#} few {#} many {#} other {#}}" },
      'counted: a plural lacks the form "one"',
    ],
    ["de", { wait: "{unit, select, other {{count} lang}}" }, 'wait: the option "hours" is missing'],
    [
      "de",
      { wait: "{unit, select, hours {{count}} weeks {{count}} other {länger}}" },
      'wait: "weeks" is not an option here',
    ],
  ]
  for (const [tag, texts, problem] of wrong) {
    const [first = ""] = problemsIn(tag, texts)
    if (typeof problem === "string") assert.equal(first, problem)
    else assert.match(first, problem)
  }
})
