import { test } from "node:test"
import assert from "node:assert/strict"
import { isScope, isScopeToken } from "../../../src/model/permissions/scope-token.rules.ts"

test("PERM-1 every character of the grammar is taken, and no other", () => {
  for (let code = 0; code < 0x180; code++) {
    const isPart = code >= 0x21 && code <= 0x7e && code !== 0x22 && code !== 0x5c
    assert.equal(isScopeToken(String.fromCharCode(code)), isPart, code.toString(16))
  }
})

test("PERM-1 a token has at least one character, and every one is of the grammar", () => {
  assert.equal(isScopeToken(""), false)
  assert.equal(isScopeToken("files:read"), true)
  for (const text of ["a b", "a\n", " a", "a\u00e9", 'a"', "a\\"])
    assert.equal(isScopeToken(text), false, text)
})

test("PERM-1 a scope is tokens between single spaces: every text of up to four characters", () => {
  const letters = ["a", "~", " ", '"', "\\", "\n", "é"]
  let texts = [""]
  for (let length = 0; length <= 4; length++) {
    for (const text of texts) assert.equal(isScope(text), text.split(" ").every(isScopeToken), text)
    texts = texts.flatMap((text) => letters.map((letter) => text + letter))
  }
})
