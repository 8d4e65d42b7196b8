/** Tests colors in OKLCH. */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { hexOf, oklchOf } from "../../../../src/platform/ui/brand/oklch.rules.ts"

test("BRAND-1: a color is read and written without a change", () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`)
  fc.assert(fc.property(hex, (color) => assert.equal(hexOf(oklchOf(color)), color)))
})

test("BRAND-1: lightness, chroma and hue are those of CSS Color 4", () => {
  const { lightness, chroma, hue } = oklchOf("#ff0000")
  assert.deepEqual(
    [lightness.toFixed(3), chroma.toFixed(3), ((hue * 180) / Math.PI).toFixed(1)],
    ["0.628", "0.258", "29.2"],
  )
})

test("BRAND-1: a chroma that no screen has is reduced, and the hue stays", () => {
  const wanted = { lightness: 0.4, chroma: 0.4, hue: 2 }
  const { lightness, chroma, hue } = oklchOf(hexOf(wanted))
  assert.ok(Math.abs(lightness - 0.4) < 0.01 && Math.abs(hue - 2) < 0.05)
  assert.ok(chroma > 0.05 && chroma < 0.2, String(chroma))
})
