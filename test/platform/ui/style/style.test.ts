import { test } from "node:test"
import assert from "node:assert/strict"
import { accountStyle } from "../../../../src/platform/ui/account-frame.ts"
import { consoleStyle } from "../../../../src/platform/ui/console/frame.ts"
import { pageParts, pageText, sourceOf, style } from "../../../../src/platform/ui/style/style.ts"

const sheets = { style, accountStyle, consoleStyle, another: "p { color: red }", none: null }
for (const [name, sheet] of Object.entries(sheets))
  test(`SVC-11 the parts of a page are its text, and its policy names a known sheet: ${name}`, () => {
    const source = sheet === null || name === "another" ? undefined : sourceOf(sheet)
    for (const text of ["Ascii", "Größe ·", "Дозволити “доступ” 🔑", "許可 &lt;style>&lt;/style>"]) {
      const [head, body] = [`<!doctype html><title>${text}</title>`, `</style><p>${text}</p>`]
      const page = sheet === null ? head + text : pageText(`${head}<style>`, sheet, body)
      const same = `${page} `.slice(0, -1)
      for (const one of [page, same, head, page]) {
        const { before, sheet: bytes, after, source: found } = pageParts(one)
        assert.equal(before + bytes.toString() + after, one)
        assert.equal(found, one === head ? undefined : source)
      }
    }
  })
