/** Which names are the same for some server. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { compatible, folded } from "../../../src/gate/routes/fold.rules.ts"

test("GATE-4 letters that Unicode calls compatible become plain ones", () => {
  assert.equal(compatible("ａｄｍｉｎ"), "admin")
  assert.equal(compatible("．．／"), "../")
  assert.equal(compatible("ﬁle"), "file")
  assert.equal(compatible("admin"), "admin")
  assert.equal(compatible("ad\u00admin\u200b"), "admin")
})

test("GATE-4 case is folded as programs fold it", () => {
  const words = ["strasse", "kelvin", "admin", "ﬁle", "ΟΔΟΣ", "ŉ", "ǰ"]
  for (const word of words)
    for (const written of [
      word.toUpperCase(),
      word.toLowerCase(),
      word.replace("ss", "ß"),
      word.replace("ss", "ẞ"),
      word.replace("s", "ſ"),
      word.replace("k", "K"),
      word.replaceAll("i", "ı"),
      word.replaceAll("i", "İ"),
      word.normalize("NFD"),
    ])
      assert.equal(folded(written), folded(word), `${written} as ${word}`)
  for (const plain of ["admin", "a-b_c", "Größe", "日本", "a b"])
    assert.equal(folded(plain), plain.toLowerCase().replace("ß", "ss"))
})

test("GATE-4 white space, plus signs and dots around a name are trimmed, in linear time", () => {
  for (const written of ["a", " a", "a ", "a+", "a.", "a. .", "a\u00a0", "\u2003a", "A.+."])
    assert.equal(folded(written), "a", JSON.stringify(written))
  for (const written of [".a", "a.b", "a b"]) assert.equal(folded(written), written)
  assert.equal(folded("a+b"), "a b")
  for (const blank of [" ", "+", "...", ""]) assert.equal(folded(blank), "")
  const begun = performance.now()
  folded(`${". ".repeat(50_000)}x`.repeat(4))
  assert.ok(performance.now() - begun < 2000)
})
