import { test } from "node:test"
import assert from "node:assert/strict"
import { deriveKeys } from "../../../../src/kernel/keys.ts"
import { KeyRing } from "../../../../src/platform/services/secret/key-ring.ts"

const former = Buffer.from("f".repeat(44))
const next = Buffer.from("n".repeat(44))

test("SECRET-2 a process seals and opens with the secret in force alone, and stored rows open with any secret that it holds", () => {
  const ring = new KeyRing([former, next])
  const byNext = deriveKeys(next).seal("mail link", "content")
  const byFormer = ring.seal("mail link", "content")
  assert.equal(deriveKeys(former).open("mail link", byFormer), "content")
  assert.equal(ring.openStored("mail link", byNext), "content")
  assert.equal(ring.open("consent", deriveKeys(next).seal("consent", "{}")), null, "before the switch")
  const consent = ring.seal("consent", "{}")
  assert.equal(ring.open("consent", consent), "{}")
  assert.equal(ring.take(deriveKeys(next).checkValue), true)
  assert.equal(deriveKeys(next).open("mail link", ring.seal("mail link", "content")), "content")
  assert.equal(ring.openStored("mail link", byFormer), "content")
  assert.equal(ring.open("consent", consent), null, "after the switch")
  assert.equal(ring.openStored("totp 1", byFormer), null, "a seal is bound to its purpose")
  ring.forgetReplaced(next)
  assert.equal(ring.openStored("mail link", byFormer), null)
  assert.deepEqual(ring.holds, [deriveKeys(next).checkValue])
})

test("SECRET-2 a process keeps a secret that will replace the one in force", () => {
  const ring = new KeyRing([former])
  ring.forgetReplaced(next)
  assert.deepEqual(ring.holds, [deriveKeys(former).checkValue, deriveKeys(next).checkValue])
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
