import { test } from "node:test"
import assert from "node:assert/strict"
import { isIdentifier } from "../../src/kernel/identifier.ts"

test("CLIENT-1 an identifier has 26 characters of Crockford's alphabet in lower case", () => {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
  for (const character of alphabet) assert.equal(isIdentifier(character.repeat(26)), true, character)
  for (const character of "ilouABZ-_=.%\u0000é")
    assert.equal(isIdentifier(character.repeat(26)), false, character)
  for (const length of [0, 25, 27]) assert.equal(isIdentifier("0".repeat(length)), false, `${length}`)
  assert.equal(isIdentifier(`${"0".repeat(26)}\n`), false)
})
