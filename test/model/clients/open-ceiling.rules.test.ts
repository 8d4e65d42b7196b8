import { test } from "node:test"
import assert from "node:assert/strict"
import type { TokenId, UserId } from "../../../src/kernel/ids.ts"
import { withOpenCeiling } from "../../../src/model/clients/open-ceiling.rules.ts"
import { permissions, publicClient } from "../../support/core-sample.ts"

const ceiling = permissions("account:read files:read")

test("REG-4, CD-9 ceilings of documents and of self-registered apps follow, other ones stay", () => {
  for (const registeredBy of ["document", "itself"] as const) {
    const client = { ...publicClient, registeredBy, ceiling: permissions("account:read") }
    assert.deepEqual(withOpenCeiling(client, ceiling), { ...client, ceiling })
  }
  for (const registeredBy of ["administrator", "user"] as const) {
    const client = { ...publicClient, registeredBy, ceiling: permissions("account:read") }
    assert.equal(withOpenCeiling(client, ceiling), client)
  }
})

test("REG-4 a ceiling that was changed by hand stays, and an equal one is not written", () => {
  const itself = { ...publicClient, registeredBy: "itself" as const }
  const byHand = { ...itself, ceiling: permissions("account:read"), ceilingByHand: true }
  assert.equal(withOpenCeiling(byHand, ceiling), byHand)
  const equal = { ...itself, ceiling: permissions("account:read files:read") }
  assert.equal(withOpenCeiling(equal, ceiling), equal)
})

test("SERVICE-2 a ceiling stays while the app is bound to a service account", () => {
  for (const registeredBy of ["document", "itself"] as const) {
    const binding = { userId: "u" as UserId, tokenId: "t" as TokenId }
    const bound = { ...publicClient, registeredBy, ceiling: permissions("account:read"), binding }
    assert.equal(withOpenCeiling(bound, ceiling), bound)
  }
})
