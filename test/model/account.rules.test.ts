import { test } from "node:test"
import assert from "node:assert/strict"
import { asPerson, hasPassword, NO_PASSWORD } from "../../src/model/account.rules.ts"
import { account } from "../support/core-sample.ts"

const service = { ...account, type: "service", passwordHash: null } as const

test("SERVICE-1 a service account is no person, so sign-in treats it like an unknown account", () => {
  assert.equal(asPerson(service), null)
  assert.equal(asPerson({ ...service, passwordHash: "$argon2id$" }), null)
  assert.equal(asPerson(null), null)
  assert.equal(asPerson(account), account)
})

test("a person without a password is a person; a row without a hash is not", () => {
  const without = { ...account, passwordHash: NO_PASSWORD }
  assert.equal(asPerson(without), without)
  assert.equal(asPerson({ ...account, passwordHash: null }), null)
})

test("only a stored hash is a password", () => {
  assert.equal(hasPassword(account), true)
  assert.equal(hasPassword({ ...account, passwordHash: NO_PASSWORD }), false)
  assert.equal(hasPassword(service), false)
})
