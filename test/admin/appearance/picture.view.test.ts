import { test } from "node:test"
import assert from "node:assert/strict"
import { pictureSheet } from "../../../src/admin/appearance/picture.view.ts"
import { style } from "../../../src/platform/ui/style/style.ts"

test("BRAND-4 a picture has the colors of its scheme, and the operator's color over them", () => {
  const [light = "", dark = ""] = Array.from(style.matchAll(/--page:#\w+/g), ([declaration]) => declaration)
  assert.notEqual(light, dark)
  const blockOf = (scheme: string) =>
    new RegExp(`\\.picture\\.${scheme}\\{([^}]*)\\}`).exec(pictureSheet("#ffe000"))?.[1] ?? ""
  assert.ok(blockOf("light").includes(`${light};`))
  assert.ok(blockOf("dark").includes(`${dark};`))
  for (const scheme of ["light", "dark"])
    assert.match(blockOf(scheme), new RegExp(`color-scheme:${scheme};--accent:#`))
})
