/** Tests what is derived from the color of the operator, over a thousand random colors. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import fc from "fast-check"
import {
  backgrounds,
  CONTROL,
  paletteOf,
  plots,
  type Scheme,
  TEXT,
} from "../../../../src/platform/ui/brand/color.rules.ts"
import { contrastOf } from "../../../../src/platform/ui/brand/oklch.rules.ts"

const schemes: readonly Scheme[] = ["light", "dark"]

/** Asserts every contrast that a page has with this color. */
function assertLegible(color: string): void {
  for (const scheme of schemes) {
    const { accent, accentOver, onAccent, link, plots: series } = paletteOf(color, scheme)
    const atLeast = (least: number, one: string, other: string, what: string) =>
      assert.ok(contrastOf(one, other) >= least, `${color}, ${scheme}: ${what} ${one} on ${other}`)
    for (const background of backgrounds[scheme]) {
      atLeast(TEXT, link, background, "link")
      atLeast(CONTROL, accent, background, "button, icon or focus ring")
      atLeast(CONTROL, accentOver, background, "button below the pointer")
    }
    for (const button of [accent, accentOver]) atLeast(TEXT, onAccent, button, "text of a button")
    assert.notEqual(accentOver, accent, `${color}, ${scheme}: a button does not change below the pointer`)
    for (const one of series) atLeast(CONTROL, one, backgrounds[scheme][1], "series")
    assert.equal(new Set(series).size, 6, `${color}, ${scheme}: two series of one color`)
  }
}

test("BRAND-1: the contrast that is measured is that of WCAG 2.2", () => {
  assert.equal(contrastOf("#000000", "#ffffff"), 21)
  assert.equal(contrastOf("#777777", "#ffffff").toFixed(2), "4.48")
  assert.equal(contrastOf("#767676", "#ffffff").toFixed(2), "4.54")
  assert.equal(contrastOf("#0000ff", "#ffffff").toFixed(2), "8.59")
})

test("BRAND-1: each text keeps 4.5 and each control 3, in light and dark, with a thousand random colors", () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`)
  fc.assert(fc.property(hex, assertLegible), { numRuns: 1000 })
})

test("BRAND-1: white, black, neon and the corners of the color space keep the contrast too", () => {
  const corners = ["00", "01", "7f", "80", "fe", "ff"]
  for (const r of corners) for (const g of corners) for (const b of corners) assertLegible(`#${r}${g}${b}`)
  for (const neon of ["#39ff14", "#ccff00", "#ff10f0", "#04d9ff"]) assertLegible(neon)
})

test("BRAND-1: a color that has the contrast is used as it is, another is moved in lightness only", () => {
  assert.deepEqual(
    [paletteOf("#4F46E5", "light").accent, paletteOf("#4F46E5", "light").link],
    ["#4f46e5", "#4f46e5"],
  )
  assert.equal(paletteOf("#FFFFFF", "dark").link, "#ffffff")
  const [light, dark] = [paletteOf("#ffffff", "light"), paletteOf("#000000", "dark")]
  // A gray stays a gray, also one with a trace of a hue.
  for (const moved of [light.accent, light.link, dark.accent, dark.link])
    assert.match(moved, /^#([0-9a-f]{2})\1\1$/)
  // A gray button would look disabled.
  for (const neutral of ["#ffffff", "#000000", "#808080", "#c0c0c0", "#f8f7f5"])
    for (const scheme of schemes) {
      const { accent, onAccent, link } = paletteOf(neutral, scheme)
      assert.equal(link, accent)
      assert.ok(contrastOf(accent, backgrounds[scheme][1]) >= 12, `${neutral}, ${scheme}: ${accent}`)
      assert.ok(contrastOf(accent, onAccent) >= 12, `${neutral}, ${scheme}: ${onAccent} on ${accent}`)
    }
  for (const trace of ["#fffffe", "#010000"])
    for (const scheme of schemes) {
      const { accent } = paletteOf(trace, scheme)
      const channels = [1, 3, 5].map((at) => Number.parseInt(accent.slice(at, at + 2), 16))
      assert.ok(Math.max(...channels) - Math.min(...channels) <= 20, `${trace}, ${scheme}: ${accent}`)
    }
})

test("BRAND-1: the moved color keeps its hue and is moved no further than it must be", () => {
  const yellow = paletteOf("#ffee00", "light").accent
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(yellow.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  assert.ok(r > 2 * b && g > 2 * b && Math.abs(r - g) < 40, yellow)
  const least = Math.min(...backgrounds.light.map((background) => contrastOf(yellow, background)))
  assert.ok(least >= CONTROL && least < CONTROL + 0.15, `${yellow} has ${least}`)
})

test("BRAND-1: a series that looks like the accent gets the product's own color", () => {
  assert.deepEqual(paletteOf(plots.light[2], "light").plots.slice(0, 3), [
    plots.light[2],
    plots.light[1],
    plots.light[0],
  ])
})

test("BRAND-1: the backgrounds and series of the rules are those of the style sheets", () => {
  const sheet = (name: string) =>
    readFileSync(new URL(`../../../../src/platform/ui/style/${name}.css`, import.meta.url), "utf8")
  const inOrder = (css: string, names: readonly string[], scheme: Scheme) =>
    names.map(
      (name) => [...css.matchAll(new RegExp(`--${name}: (#\\w{6})`, "g"))][scheme === "light" ? 0 : 1]?.[1],
    )
  for (const scheme of schemes) {
    assert.deepEqual(inOrder(sheet("base"), ["page", "card", "sunken"], scheme), [...backgrounds[scheme]])
    const names = [1, 2, 3, 4, 5, 6].map((at) => `plot-${at}`)
    assert.deepEqual(inOrder(sheet("console-plots"), names, scheme), [...plots[scheme]])
  }
})
