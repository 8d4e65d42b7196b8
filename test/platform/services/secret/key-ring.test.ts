import { test } from "node:test"
import assert from "node:assert/strict"
import { deriveKeys } from "../../../../src/kernel/keys.ts"
import { KeyRing } from "../../../../src/platform/services/secret/key-ring.ts"

const former = Buffer.from("f".repeat(44))
const next = Buffer.from("n".repeat(44))

test("SECRET-2 a process seals with the secret in force, and opens what any secret that it holds sealed", () => {
  const ring = new KeyRing([former, next])
  const byNext = deriveKeys(next).seal("mail link", "content")
  const byFormer = ring.seal("mail link", "content")
  assert.equal(deriveKeys(former).open("mail link", byFormer), "content")
  assert.equal(ring.open("mail link", byNext), "content")
  assert.equal(ring.take(deriveKeys(next).checkValue), true)
  assert.equal(deriveKeys(next).open("mail link", ring.seal("mail link", "content")), "content")
  assert.equal(ring.open("mail link", byFormer), "content")
  assert.equal(ring.open("totp 1", byFormer), null, "a seal is bound to its purpose")
})

test("SECRET-2 a secret that the process does not hold is not taken, and a secret counts once", () => {
  const ring = new KeyRing([former])
  assert.equal(ring.take(deriveKeys(next).checkValue), false)
  assert.equal(ring.checkValue, deriveKeys(former).checkValue)
  ring.hold(next)
  ring.hold(next)
  assert.equal(ring.holds.length, 2)
  assert.equal(
    ring.open("mail link", deriveKeys(Buffer.from("x".repeat(44))).seal("mail link", "content")),
    null,
  )
})
