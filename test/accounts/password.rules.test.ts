import { test } from "node:test"
import assert from "node:assert/strict"
import { passwordProblem, passwordProblems } from "../../src/accounts/password.rules.ts"
import { PASSWORD_LENGTH } from "../../src/kernel/account-limits.ts"
import { english } from "../support/page-input.ts"

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
    assert.equal(passwordProblem(password, "Ada Lovelace"), "is-name")
  }
  assert.equal(passwordProblem("Ada Lovelace 1815", "Ada Lovelace"), null)
})

test("an English page says the same of a password as the API", () => {
  for (const bad of ["short", "x".repeat(1025), "Ada Lovelace"]) {
    const problem = passwordProblem(bad, "ada lovelace")
    assert.ok(problem !== null)
    const text = english.plain(`password.${problem}`, PASSWORD_LENGTH).replace("1,024", "1024")
    assert.equal(text, passwordProblems[problem])
  }
})
