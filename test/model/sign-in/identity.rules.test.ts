import { test } from "node:test"
import assert from "node:assert/strict"
import { identityText, isApplicationSubject, isSubject } from "../../../src/model/sign-in/identity.rules.ts"

test("UP-1 the key of a link keeps the border between issuer and subject", () => {
  const pairs = [
    ["https://a.example", "b"],
    ["https://a.exampleb", ""],
    ["https://a.example/b", "c"],
    ["https://a.example", "/bc"],
    ['https://a.example","b', "c"],
    ["https://a.example", 'b","c'],
    ["https://a.example", "B"],
    ["https://a.example/", "b"],
  ] as const
  const texts = pairs.map(([issuer, subject]) => identityText({ issuer, subject }))
  assert.equal(new Set(texts).size, pairs.length)
  assert.equal(texts[0], '["https://a.example","b"]')
})

test("UP-1 neither the provider's name nor the shown name is part of the key", () => {
  const link = { issuer: "https://a.example", subject: "1", provider: "work", shownName: "ada@a.example" }
  assert.equal(identityText(link), identityText({ issuer: link.issuer, subject: link.subject }))
})

test("UP-4 a subject has 1 to 255 visible characters, also spaces and letters of any script", () => {
  for (const text of [
    "1",
    "a".repeat(255),
    "Ada Lovelace",
    "Ада",
    "00000000-0000-0000-0000-000000000000",
    " ",
  ])
    assert.equal(isSubject(text), true, text)
  for (const text of ["", "a".repeat(256), "a\u0000", "a\nb", "a\u200bb", "\ud800"])
    assert.equal(isSubject(text), false, JSON.stringify(text))
})

test("LOGIN-2 the subject of an application has no white space besides, and nothing that cannot be seen", () => {
  for (const text of ["1", "a".repeat(255), "Ада", "a/b?c#d", "00000000-0000-0000-0000-000000000000"])
    assert.equal(isApplicationSubject(text), true, text)
  const unseen = [
    " ",
    "\t",
    "\u00a0",
    "\u2003",
    "\u3000",
    "\u00ad",
    "\u180b",
    "\u2060",
    "\ufe0f",
    "\u{e0100}",
  ]
  for (const one of unseen)
    for (const text of [one, `${one}a`, `a${one}b`, `a${one}`])
      assert.equal(isApplicationSubject(text), false, JSON.stringify(text))
  for (const text of ["", "a".repeat(256), "a\u0000", "\ud800"])
    assert.equal(isApplicationSubject(text), false, JSON.stringify(text))
})
