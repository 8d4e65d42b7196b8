/** The style sheets work for both directions of writing: they name the sides `inline-start` and `inline-end`. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { filesUnder, textOf } from "../../support/imports.ts"

/** A side in the name of a property, or in the value of one that aligns, floats or places. */
const SIDE = /(?:^|-)(?:left|right)(?:-|$)/
const ALIGNS = /^(?:text-align(?:-last)?|float|clear|justify-\w+|place-\w+|object-position|transform-origin)$/
/** Shorthands with four values, which are top, right, bottom and left. */
const FOUR = /^(?:margin|padding|inset|scroll-margin|scroll-padding|border-(?:width|style|color|radius))$/

test("no style sheet of pages and mails has a left or a right side", () => {
  const sheets = filesUnder("src", ".css")
  assert.ok(sheets.length >= 10, "the style sheets were not read")
  assert.deepEqual(
    sheets.flatMap((file) => physical(textOf(file)).map((found) => `${file}: ${found}`)),
    [],
    "write inline-start and inline-end",
  )
})

test("a physical side is found in properties, in values and in shorthands with four values", () => {
  const found = [
    "margin-left: 0",
    "right: 0",
    "border-top-left-radius: 1px",
    "text-align: left",
    "float: right",
    "margin: 0 auto 0 0",
    "padding: 0 calc(1px + var(--s1)) 0 var(--s1)",
    "border-radius: 1px 2px 3px 4px",
  ]
  assert.deepEqual(physical(`a { ${found.join("; ")}; }`), found)
  const logical =
    "a:hover { margin: 0 auto 1px; inset: 1px 2px 3px 2px; text-align: start; inset-inline-end: 0 }"
  assert.deepEqual(physical(logical), [])
})

/** Returns the declarations that name a physical side. */
function physical(sheet: string): readonly string[] {
  const text = sheet.replace(/\/\*[^]*?\*\//g, "")
  return [...text.matchAll(/(?<=[{;]\s*)([\w-]+)\s*:\s*([^;{}]+?)\s*(?=[;}])/g)]
    .filter(([, property = "", value = ""]) => {
      if (SIDE.test(property)) return true
      if (ALIGNS.test(property)) return /\b(?:left|right)\b/.test(value)
      const sides = value.match(/(?:[^\s(]|\([^()]*(?:\([^()]*\)[^()]*)*\))+/g) ?? []
      if (!FOUR.test(property) || sides.length !== 4) return false
      return property === "border-radius" || sides[1] !== sides[3]
    })
    .map(([declaration]) => declaration)
}
