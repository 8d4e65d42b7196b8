import { test } from "node:test"
import assert from "node:assert/strict"
import { pageBytes } from "../../../../src/platform/ui/style/page-bytes.ts"
import { consoleStyle, style } from "../../../../src/platform/ui/style/style.ts"

for (const [name, sheet] of Object.entries({ style, consoleStyle, another: "p { color: red }", none: null }))
  test(`The bytes of a page are its text in UTF-8, with the sheet ${name}`, () => {
    for (const text of ["Ascii", "Größe ·", "Дозволити “доступ” 🔑", "許可 <style></style>"]) {
      const head = `<!doctype html><title>${text}</title>`
      const page = `${head}${sheet === null ? "" : `<style>${sheet}</style>`}<p>${text}</p>`
      assert.equal(Buffer.from(pageBytes(page), "latin1").toString(), page)
    }
  })
