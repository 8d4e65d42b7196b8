import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { Hash, Permission } from "../../../src/kernel/ids.ts"
import { digest } from "../../../src/kernel/hash.ts"
import { NO_REPEATS } from "../../../src/model/credential.rules.ts"
import { familyBytes, familyFrom, type PackedFamily } from "../../../src/store/codecs/packed-family.ts"

const LARGEST = 2 ** 36 - 1
const scope = ["files:read", "files:write"] as Permission[]

function family(numbers: readonly number[]): PackedFamily {
  return {
    currentHash: digest("current"),
    key: "familykey",
    retired: { hash: digest("retired"), answeredScope: scope },
    retirements: numbers.map((number) => ({ generation: number, at: LARGEST - number })),
    accessTokens: numbers.map((number, i) => ({
      hash: digest(`token ${i}`) as Hash,
      issuedAt: number,
      expiresAt: LARGEST - number,
      narrowedTo: i % 3 === 1 ? scope.slice(1) : null,
      ...(i % 3 === 2 && { resources: ["https://api.example", "https://b.example"] }),
    })),
    repeats: NO_REPEATS,
  }
}

describe("a packed family", () => {
  it("keeps every number of 36 bits", () => {
    const powers = Array.from({ length: 36 }, (_, bit) => 2 ** bit)
    const numbers = [0, LARGEST, ...powers, ...powers.map((power) => power - 1)].slice(0, 63)
    const one = family(numbers)
    assert.deepEqual(familyFrom(familyBytes(one, scope), scope), one)
  })

  it("keeps the facts of a JWT, with and without other texts", () => {
    const jwt = { resource: "https://api.example/v1", expiresAt: 1_800_000_300 }
    for (const answeredScope of [scope, scope.slice(1)])
      for (const numbers of [[], [0, 1, 2]]) {
        const one = { ...family(numbers), retired: { hash: digest("retired"), answeredScope, jwt } }
        assert.deepEqual(familyFrom(familyBytes(one, scope), scope), one)
      }
  })

  it("refuses a number that does not fit", () => {
    for (const number of [-1, LARGEST + 1, NaN])
      assert.throws(() => familyBytes(family([number]), scope), /does not fit six letters/)
  })
})
