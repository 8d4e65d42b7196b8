import { test } from "node:test"
import assert from "node:assert/strict"
import { codePointCount, isVisibleLabel, isVisibleText } from "../../src/kernel/visible-text.ts"

test("ordinary text of any script is visible", () => {
  for (const text of ["Ada's laptop", "Zoë’s Mac", "ноутбук", "笔记本", "جهاز", "a\u00a0b", "💻", "❤️", ""]) {
    assert.equal(isVisibleText(text), true, text)
  }
})

test("what cannot be seen, or turns the text around, is refused", () => {
  const hidden =
    "\u0000 \u0007 \n \u007f \u0085 \u00ad \u034f \u061c \u115f \u180e \u200b \u200d \u200e \u202e \u2028 \u2060 \u2066 \u2800 \u3164 \ufeff \uffa0 \ud800 \u{e0041}"
  for (const character of hidden.split(" ")) {
    assert.equal(isVisibleText(`a${character}b`), false, character.codePointAt(0)?.toString(16))
  }
})

test("AUTHZ-8 a label may join what writing joins, and nothing else", () => {
  for (const label of [
    "👩\u200d💻 laptop",
    "👩🏽\u200d🚀",
    "❤️\u200d🔥",
    "می\u200cخواهم",
    "क्\u200dष",
    "Ada's laptop",
  ])
    assert.equal(isVisibleLabel(label), true, label)
  for (const label of [
    "Pay\u200cPal",
    "ad\u200dmin",
    "\u200d",
    "a\u200d💻",
    "👩\u200d",
    "می\u200c",
    "a\u202eb",
    "👩\u200b💻",
    "\u0301",
    "\u0301 Acme",
  ])
    assert.equal(isVisibleLabel(label), false, JSON.stringify(label))
})

test("characters are counted as code points", () => {
  assert.equal(codePointCount("a💻é"), 3)
})
