import { test } from "node:test"
import assert from "node:assert/strict"
import { appTile, monogram, monogramColor, monogramLetters } from "../../../src/platform/ui/monogram.ts"
import { app } from "./sample.ts"

test("SVC-12 the monogram shows the first letters, digit or pictogram of the name", () => {
  const letters: readonly (readonly [string, string])[] = [
    ["notebook", "N"],
    ["Notebook Sync", "NS"],
    ["git-credential-oauth", "GC"],
    ["the third  of four", "TT"],
    ["Bob's notes", "BN"],
    ["Bob’s notes", "BN"],
    ["L'Équipe", "L"],
    ["'Quoted' words", "QW"],
    ["A1 B2", "AB"],
    ["5 Minutes", "5"],
    ["Minutes 5", "M"],
    ["Мои заметки", "МЗ"],
    ["Ελλάδα Ώρα", "ΕΏ"],
    ["Notes דפדפן", "N"],
    ["日本語 メモ", "日"],
    ["متصفح الملفات", "م"],
    ["नमस्ते दुनिया", "न"],
    ["¹st", "S"],
    ["  élan", "É"],
    ["e\u0301lan", "E\u0301"],
    ["“7zip”", "7"],
    ["ßeta", "ß"],
    ["👩‍👩‍👧‍👦 Family", "👩‍👩‍👧‍👦"],
    ["🇳🇴 Fjord", "🇳🇴"],
    ["דפדפן הקבצים", "ד"],
    ["\u202eevil", "E"],
    ["<script>", "S"],
    ["", ""],
    ["…!", ""],
  ]
  for (const [name, letter] of letters) assert.equal(monogramLetters(name), letter, name)
})

test("SVC-12 the color belongs to the app, not to its name", () => {
  assert.equal(monogramColor("01client"), monogramColor("01client"))
  const colors = new Set(Array.from({ length: 200 }, (_, n) => monogramColor(`client-${n}`)))
  assert.equal(colors.size, 10)
})

test("SVC-12 white letters can be read on every color", () => {
  for (let n = 0; n < 200; n++) {
    const color = monogramColor(`client-${n}`)
    assert.ok(contrastWithWhite(color) >= 5.5, `${color}: ${contrastWithWhite(color)}`)
  }
})

test("SVC-12 an app without a name has a drawing", () => {
  assert.doesNotMatch(String(monogram("01client", "\u200b")), /<text/)
  assert.match(String(monogram("01client", "Notebook")), />N<\/text/)
  assert.match(String(monogram("01client", "👩‍👩‍👧‍👦 Family")), />👩‍👩‍👧‍👦<\/text/)
  assert.match(String(monogram("01client", "<b> & co")), />BC<\/text/)
})

test("CLIENT-8, SVC-12 the icon is shown for a verified app only", () => {
  const iconUrl = "/oauth/apps/01client/icon"
  const tile = (verified: boolean, url: string | null) =>
    String(appTile("/base", { ...app, verified, iconUrl: url }))
  assert.match(tile(true, iconUrl), /<img src="\/base\/oauth\/apps\/01client\/icon" alt=""/)
  assert.match(tile(false, iconUrl), /^<svg/)
  assert.match(tile(true, null), /^<svg/)
})

test("ICON-3 below an icon there is the monogram, and the icon has no size without a picture", () => {
  const tile = String(appTile("", { ...app, verified: true, iconUrl: "/oauth/apps/01client/icon" }))
  assert.ok(tile.includes(String(monogram(app.clientId, app.name))))
  assert.doesNotMatch(/<img[^>]*>/.exec(tile)?.[0] ?? "width", /width|height|style/)
})

test("SVC-11 an icon from elsewhere is not shown", () => {
  for (const iconUrl of [
    "https://evil.example/i.png",
    "//evil.example/i",
    "/\\evil.example/i",
    "data:,x",
    "i",
  ])
    assert.match(String(appTile("", { ...app, verified: true, iconUrl })), /^<svg/, iconUrl)
})

/** Computes the contrast ratio of WCAG 2.2. */
function contrastWithWhite(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
}
