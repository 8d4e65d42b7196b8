import { describe, it } from "node:test"
import assert from "node:assert/strict"
import {
  parseTypedCode,
  RECOVERY_ALPHABET,
  RECOVERY_CODE_LENGTH,
  shownRecoveryCode,
} from "../../../src/accounts/factors/typed-code.rules.ts"

describe("FACTOR-6: a recovery code", () => {
  it("differs from a one-time password by its form, however it is typed", () => {
    assert.deepEqual(parseTypedCode(" 123 456 "), { kind: "totp", digits: "123456" })
    const letters = "0k3v19qx2m7hd4tz"
    for (const typed of [letters, shownRecoveryCode(letters), "OK3V L9QX 2M7H D4TZ", "0k3v-i9qx-2m7h-d4tz"])
      assert.deepEqual(parseTypedCode(typed), { kind: "recovery", letters })
    for (const typed of [
      "",
      "12345",
      "1234567",
      "１２３４５６",
      letters.slice(1),
      `${letters}0`,
      "u".repeat(16),
    ])
      assert.equal(parseTypedCode(typed), null, typed)
    assert.equal(shownRecoveryCode(letters), "0k3v-19qx-2m7h-d4tz")
    assert.equal(new Set(RECOVERY_ALPHABET).size ** RECOVERY_CODE_LENGTH, 2 ** 80)
  })

  it("is read from up to 64 characters, all of them printable ASCII", () => {
    assert.deepEqual(parseTypedCode(`${" ".repeat(58)}123456`), { kind: "totp", digits: "123456" })
    assert.equal(parseTypedCode(`${" ".repeat(59)}123456`), null)
    for (const typed of ["123\u00a0456", "123\t456", "123456\n", "\u0000123456"])
      assert.equal(parseTypedCode(typed), null, JSON.stringify(typed))
  })
})
