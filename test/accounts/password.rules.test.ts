import { test } from "node:test"
import assert from "node:assert/strict"
import { passwordProblem } from "../../src/accounts/password.rules.ts"

test("a password has 8 to 1024 characters, of any kind", () => {
  for (const good of ["12345678", "correct horse battery", "x".repeat(1024), "💻".repeat(8), "        "]) {
    assert.equal(passwordProblem(good, "ada"), null, good)
  }
  for (const bad of ["", "1234567", "💻".repeat(7), "x".repeat(1025)]) {
    assert.notEqual(passwordProblem(bad, "ada"), null, bad)
  }
})

test("a password is not the name of the account, in no spelling of it", () => {
  for (const password of ["Ada Lovelace", "ADA LOVELACE", " ada lovelace "]) {
    assert.match(passwordProblem(password, "Ada Lovelace") ?? "", /name of the account/)
  }
  assert.equal(passwordProblem("Ada Lovelace 1815", "Ada Lovelace"), null)
})
