import { test } from "node:test"
import assert from "node:assert/strict"
import { sameHash } from "../../src/kernel/constant-time.ts"
import type { Hash } from "../../src/kernel/ids.ts"
import { hash } from "../support/core-sample.ts"

test("two digests are the same when every character is", () => {
  assert.equal(sameHash(hash(1), hash(1)), true)
  for (let at = 0; at < 43; at++) {
    const other = `${hash(1).slice(0, at)}~${hash(1).slice(at + 1)}` as Hash
    assert.equal(sameHash(hash(1), other), false, `${at}`)
  }
})

test("a digest of another length is another digest", () => {
  assert.equal(sameHash(hash(1), hash(1).slice(1) as Hash), false)
  assert.equal(sameHash("" as Hash, hash(1)), false)
})
