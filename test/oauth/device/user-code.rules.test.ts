import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import {
  parseUserCode,
  shownUserCode,
  USER_CODE_ALPHABET,
} from "../../../src/oauth/device/user-code.rules.ts"

const letters = fc.string({ unit: fc.constantFrom(...USER_CODE_ALPHABET), minLength: 8, maxLength: 8 })

test("DEV-2 a code has two fours of letters that spell nothing and are not taken for one another", () => {
  assert.equal(shownUserCode("BCDFGHJK"), "BCDF-GHJK")
  assert.match(USER_CODE_ALPHABET, /^[B-Z]{20}$/)
  assert.doesNotMatch(USER_CODE_ALPHABET, /[AEIOUY]/)
})

test("DEV-2, DPAGE-1 as it is shown, in either case, with any separators or none, it is the same code", () => {
  fc.assert(
    fc.property(
      letters,
      fc.constantFrom("", "-", " ", ".", "_", " - "),
      fc.boolean(),
      (code, separator, low) => {
        const typed = ` ${code.slice(0, 4)}${separator}${code.slice(4)} `
        assert.equal(parseUserCode(low ? typed.toLowerCase() : typed), code)
      },
    ),
  )
})

test("DPAGE-1 letters that look alike, or fold into one of the alphabet, are not the code", () => {
  const lookalikes = [
    "ＢＣＤＦＧＨＪＫ", // letters of full width
    "ВCDFGHJK", // the Cyrillic letter В
    "BCDFGHJ\u212a", // the Kelvin sign, whose lower case is k
    "BCDFGHJ\u017f", // the long s, whose upper case is S
    "BCDF–GHJK", // an en dash
    "BCDF\u00a0GHJK",
    "BCDF\u200bGHJK",
    "BCDFGHJK\u0301",
    "BCDFGHJ\nK",
  ]
  for (const typed of lookalikes) assert.equal(parseUserCode(typed), null, JSON.stringify(typed))
})

test("DPAGE-1 what is no code is null, however long", () => {
  for (const typed of [
    "",
    "-",
    "BCDFGHJ",
    "BCDFGHJKL",
    "ABCDFGHJ",
    "BCDF/GHJK",
    "12345678",
    "B".repeat(9999),
  ])
    assert.equal(parseUserCode(typed), null, typed)
  assert.equal(parseUserCode(`BCDF${" ".repeat(60)}GHJK`), null)
})
