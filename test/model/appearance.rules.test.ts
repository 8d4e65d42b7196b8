import { test } from "node:test"
import assert from "node:assert/strict"
import {
  appearanceMember,
  appearanceMembers,
  defaultAppearance,
  PRODUCT,
  readAppearance,
  type TextMember,
} from "../../src/model/appearance.rules.ts"

test("LOOK-1 a service without settings of its own has the product's own look", () => {
  assert.deepEqual(readAppearance(new Map()), defaultAppearance)
  assert.equal(defaultAppearance.name, PRODUCT)
})

const DIGEST = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"

test("LOOK-1 each stored member is read, and an unreadable one has its default", () => {
  const stored = new Map([
    ["appearance.name", "Acme"],
    ["appearance.color", "red"],
    ["appearance.logo", DIGEST],
    ["appearance.logo-dark", "no digest"],
    ["appearance.support", "mailto:help@acme.example"],
    ["appearance.terms", "javascript:alert(1)"],
    ["appearance.privacy", "https://acme.example/privacy"],
  ])
  assert.deepEqual(readAppearance(stored), {
    name: "Acme",
    color: null,
    logo: DIGEST,
    logoDark: null,
    support: "mailto:help@acme.example",
    terms: null,
    privacy: "https://acme.example/privacy",
  })
  assert.equal(appearanceMember("appearance.logo-dark"), appearanceMembers.logoDark)
  assert.equal(appearanceMember("appearance.css"), undefined)
})

const accepted: readonly (readonly [TextMember, string, string])[] = [
  ["name", "x", "x"],
  ["name", `  ${"é".repeat(60)} `, "é".repeat(60)],
  ["name", "🏠".repeat(60), "🏠".repeat(60)],
  ["name", "<b>Acme</b> & Söhne", "<b>Acme</b> & Söhne"],
  ["color", "#1A56DB", "#1a56db"],
  ["support", "https://acme.example", "https://acme.example/"],
  ["support", "MAILTO:help@Acme.Example", "mailto:help@acme.example"],
  ["terms", "https://acme.example/terms?lang=en#top", "https://acme.example/terms?lang=en#top"],
  ["privacy", "https://acme.example:8443/p", "https://acme.example:8443/p"],
]

for (const [member, typed, stored] of accepted)
  test(`LOOK-1 the ${member} ${typed} is stored as ${stored}`, () => {
    assert.deepEqual(appearanceMembers[member].parse(typed), { ok: true, value: stored })
  })

const refused: readonly (readonly [TextMember, string])[] = [
  ["name", ""],
  ["name", "  "],
  ["name", "x".repeat(61)],
  ["name", "Acme\nInc"],
  ["name", "Acme\u202egro"],
  ["name", "Acme\u200b"],
  ["color", "1a56db"],
  ["color", "#abc"],
  ["color", "#1a56db;background:url(x)"],
  ["color", "red"],
  ["support", "http://acme.example"],
  ["support", "help@acme.example"],
  ["support", "mailto:"],
  ["support", "mailto:a@acme.example,b@acme.example"],
  ["support", "mailto:a@acme.example?bcc=b@acme.example"],
  ["support", "mailto:a%0ab@acme.example"],
  ["terms", "mailto:help@acme.example"],
  ["terms", "javascript:alert(1)"],
  ["terms", "https://"],
  ["terms", "https://acme.example/a b"],
  ["terms", "https://acme.example/#a b"],
  ["terms", "https://user:secret@acme.example/"],
  ["privacy", "//acme.example/"],
  ["privacy", `https://acme.example/${"x".repeat(2000)}`],
]

for (const [member, typed] of refused)
  test(`LOOK-1 the ${member} ${JSON.stringify(typed.slice(0, 70))} is refused`, () => {
    assert.equal(appearanceMembers[member].parse(typed).ok, false)
  })
