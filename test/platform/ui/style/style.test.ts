import { test } from "node:test"
import assert from "node:assert/strict"
import { accountStyle } from "../../../../src/platform/ui/account-frame.ts"
import { consoleStyle } from "../../../../src/platform/ui/console/frame.ts"
import { encodedPage, sourceOf, style } from "../../../../src/platform/ui/style/style.ts"

const sheets = { style, accountStyle, consoleStyle, another: "p { color: red }", none: null }
for (const [name, sheet] of Object.entries(sheets))
  test(`SVC-11 the bytes of a page are its text in UTF-8, and its policy names a known sheet: ${name}`, () => {
    const isKnown = sheet !== null && name !== "another"
    const plain = sheet === null ? "<p>" : `<style>${sheet}</style>`
    assert.equal(encodedPage(plain).source, isKnown ? sourceOf(sheet) : undefined)
    for (const text of ["Ascii", "Größe ·", "Дозволити “доступ” 🔑", "許可 <style></style>"]) {
      const head = `<!doctype html><title>${text}</title>`
      const page = `${head}${sheet === null ? "" : `<style>${sheet}</style>`}<p>${text}</p>`
      assert.equal(Buffer.from(encodedPage(page).bytes, "latin1").toString(), page)
    }
  })
