import { test } from "node:test"
import assert from "node:assert/strict"
import type { Family } from "../../../src/model/credential.rules.ts"
import { rotate } from "../../../src/oauth/credential/family.rules.ts"
import { classify, type Presented } from "../../../src/oauth/credential/refresh-token.rules.ts"
import { consent, firstFamily, hash, NOW, pair } from "../../support/core-sample.ts"

/** Returns the family after rotations at these times. It begins with generation 1 at `NOW`. */
function rotatedAt(...times: readonly number[]): Family {
  return times.reduce((family, at) => {
    const rotation = {
      pair: pair(family.generation + 1),
      narrowedTo: null,
      answeredScope: [],
      accessSeconds: 60,
      from: null,
    }
    return rotate(consent, family, rotation, at)
  }, firstFamily)
}

function present(family: Family, generation: number, now: number, key = "family key"): Presented {
  const isGenuine = (familyKey: string) => familyKey === key
  return classify(family, { generation, hash: pair(generation).refreshHash, isGenuine }, now)
}

test("CRED-1 the token of the current generation is current, at any time", () => {
  const family = rotatedAt(NOW + 10)
  for (const now of [0, NOW, NOW + 10, NOW + 1e9]) assert.equal(present(family, 2, now), "current")
  assert.equal(present(firstFamily, 1, NOW), "current")
})

test("CRED-2, LIM-4 the one before it is just retired for sixty seconds, and then retired long ago", () => {
  const family = rotatedAt(NOW + 10)
  assert.equal(present(family, 1, NOW + 10), "previousWithinGrace")
  assert.equal(present(family, 1, NOW + 70), "previousWithinGrace")
  assert.equal(present(family, 1, NOW + 71), "reusedAfterGrace")
})

test("CRED-2 an older one goes by its own retirement: the window does not slide", () => {
  const family = rotatedAt(NOW + 10, NOW + 50, NOW + 60)
  assert.equal(present(family, 1, NOW + 70), "olderWithinGrace")
  assert.equal(present(family, 1, NOW + 71), "reusedAfterGrace")
  assert.equal(present(family, 2, NOW + 71), "olderWithinGrace")
  assert.equal(present(family, 2, NOW + 111), "reusedAfterGrace")
  assert.equal(present(family, 3, NOW + 111), "previousWithinGrace")
})

test("CRED-2 every generation is judged to the second, however many rotations came after", () => {
  for (const spacing of [0, 1, 2, 8, 61]) {
    const times = Array.from({ length: 100 }, (_, i) => NOW + i * spacing)
    const family = rotatedAt(...times)
    const last = NOW + 99 * spacing
    for (let generation = 1; generation < 100; generation++) {
      const retiredAt = NOW + (generation - 1) * spacing
      for (const now of [Math.max(last, retiredAt + 60), Math.max(last, retiredAt + 61)]) {
        const expected = now - retiredAt > 60 ? "reusedAfterGrace" : "olderWithinGrace"
        assert.equal(
          present(family, generation, now),
          expected,
          `${spacing} s apart, generation ${generation}`,
        )
      }
    }
  }
})

test("CRED-2 a retirement in the future is past its window", () => {
  const family = rotatedAt(NOW + 10, NOW + 20)
  assert.equal(present(family, 2, NOW + 14), "reusedAfterGrace")
  assert.equal(present(family, 1, NOW + 4), "reusedAfterGrace")
})

test("CRED-1, CRED-2 a retirement by a node whose clock is slightly ahead does not count as future", () => {
  const family = rotatedAt(NOW + 10, NOW + 20)
  assert.equal(present(family, 2, NOW + 15), "previousWithinGrace")
  assert.equal(present(family, 1, NOW + 15), "olderWithinGrace")
})

test("CRED-2 where nodes take turns a retirement is not earlier than the one before it", () => {
  const family = rotatedAt(NOW + 10, NOW + 7, NOW + 10, NOW + 6, NOW + 11)
  assert.deepEqual(family.retirements, [
    { generation: 5, at: NOW + 11 },
    { generation: 4, at: NOW + 10 },
  ])
  assert.equal(present(family, 1, NOW + 70), "olderWithinGrace")
  assert.equal(present(family, 1, NOW + 71), "reusedAfterGrace")
})

test("CRED-2 a window that was over at a rotation is over for good, also when the clock is set back", () => {
  const family = rotatedAt(NOW + 10, NOW + 100, NOW + 200)
  assert.equal(present(family, 1, NOW + 20), "reusedAfterGrace")
  assert.equal(present(family, 2, NOW + 130), "reusedAfterGrace")
})

test("CRED-2 an altered secret was never issued", () => {
  const family = rotatedAt(NOW + 10, NOW + 20)
  for (const generation of [1, 2, 3]) {
    const token = { generation, hash: hash("forged"), isGenuine: () => false }
    for (const now of [NOW + 20, NOW + 1000]) assert.equal(classify(family, token, now), "neverIssued")
  }
})

test("CRED-2 the last two generations go by their digest, a genuine MAC notwithstanding", () => {
  const family = rotatedAt(NOW + 10, NOW + 20)
  for (const generation of [2, 3]) {
    const token = { generation, hash: hash("other"), isGenuine: () => true }
    assert.equal(classify(family, token, NOW + 1000), "neverIssued")
  }
})

test("CRED-2 a token of another family, or of a generation that is not there, was never issued", () => {
  const family = rotatedAt(NOW + 10, NOW + 20)
  assert.equal(present(family, 1, NOW + 1000, "another key"), "neverIssued")
  for (const generation of [-1, 0, 4, Infinity]) {
    assert.equal(present(family, generation, NOW + 1000), "neverIssued", `${generation}`)
  }
  assert.equal(present(firstFamily, 0, NOW), "neverIssued")
})
