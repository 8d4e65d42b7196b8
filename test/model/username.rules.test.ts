import { test } from "node:test"
import assert from "node:assert/strict"
import {
  parseNewUsername,
  parseUsername,
  usernameKey,
  usernameProblems,
} from "../../src/model/username.rules.ts"
import { USERNAME_LENGTH_AT_MOST } from "../../src/kernel/account-limits.ts"
import { ok } from "../../src/kernel/result.ts"
import { english } from "../support/page-input.ts"

test("names that differ in case, width, composition or outer spaces are one name", () => {
  const same = [
    ["Ada", "ada", "ADA", " ada ", "ａｄａ", "Ａda"],
    ["Zoë", "zoe\u0308", "ZOË"],
    ["straße", "STRASSE", "strasse"],
    ["Σίσυφος", "ΣΊΣΥΦΟΣ", "σίσυφοσ"],
    ["ﬁn", "fin"],
    ["a b", "a\u00a0b", "A B"],
  ]
  for (const names of same) assert.equal(new Set(names.map(usernameKey)).size, 1, names.join())
})

test("names that look alike in different scripts, or differ at all, are different names", () => {
  for (const [a = "", b = ""] of [
    ["ada", "аda"],
    ["ada", "adá"],
    ["a b", "ab"],
    ["a-b", "a_b"],
  ]) {
    assert.notEqual(usernameKey(a), usernameKey(b))
  }
})

test("the key of a key is that key, whatever the character", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const key = usernameKey(`a${String.fromCharCode(code)}b`)
    if (usernameKey(key) !== key) assert.fail(code.toString(16))
  }
})

test("a name is kept as it was written, composed and trimmed", () => {
  assert.deepEqual(parseUsername("  Zoe\u0308 "), ok({ username: "Zoë", usernameKey: "zoë" }))
  assert.equal(parseUsername("Ada Lovelace").ok, true)
  assert.equal(parseUsername("x".repeat(64)).ok, true)
  assert.equal(parseUsername("ada@example.com").ok, true)
})

test("a name must be there, short, visible and evenly spaced", () => {
  const long = ["x".repeat(65), "ﷺ".repeat(10)]
  const hidden = ["a\u200bb", "a\u202eb", "a\nb", "a\u0000", "\u3164", "\u115f"]
  const spaced = ["a  b", "a\tb", "a\u00a0b", "a\u3000b", "a\u2003 b"]
  for (const bad of ["", "   ", ...long, ...hidden, ...spaced]) {
    assert.equal(parseUsername(bad).ok, false, JSON.stringify(bad))
  }
})

test("a text too long for a name matches no account, and is not normalized first", () => {
  const marks = "a" + "\u0315\u0300\u05ae".repeat(20_000)
  assert.equal(usernameKey(marks), "")
  assert.equal(parseUsername(marks).ok, false)
})

test("NAME-1 a new name does not mix scripts that look alike in one word; a name that exists may", () => {
  for (const name of [
    "r\u043e\u043et",
    "\u0430dmin",
    "Adm\u03af\u03b7",
    "\u{1d42b}\u043e\u043e\u0442",
    "ada l\u043evelace",
  ]) {
    assert.equal(parseNewUsername(name).ok, false, name)
    assert.equal(parseUsername(name).ok, true, name)
  }
  for (const name of [
    "root",
    "\u0440\u0443\u0442",
    "Ada \u041b\u043e\u0432\u0435\u043b\u0435\u0439\u0441",
    "ada@example.com",
    "\u7530\u4e2d",
  ])
    assert.ok(parseNewUsername(name).ok, name)
})

test("NAME-1 an English page says the same of a name as the API", () => {
  const seen = new Set<string>()
  for (const bad of ["", "x".repeat(65), "x".repeat(1000), "a\u200bb", "a  b", "\u0430da"]) {
    const parsed = parseNewUsername(bad)
    assert.ok(!parsed.ok, bad)
    seen.add(parsed.error)
    const text = english.plain(`username.${parsed.error}`, { most: USERNAME_LENGTH_AT_MOST })
    assert.equal(text, usernameProblems[parsed.error])
  }
  assert.equal(seen.size, 5)
})
