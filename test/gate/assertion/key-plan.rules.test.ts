import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import { type KeyFacts, planKeys, startOf } from "../../../src/gate/assertion/key-plan.rules.ts"

const DAY = 86_400
const START = 1_800_000_000
const first: KeyFacts = { algorithm: "EdDSA", from: 0, createdAt: START }

test("GATE-12 the first key signs at once", () => {
  assert.deepEqual(planKeys([], "EdDSA", START, 30 * DAY), {
    current: null,
    published: [],
    expired: [],
    missing: 0,
  })
  const { current, missing } = planKeys([first], "EdDSA", START, 30 * DAY)
  assert.deepEqual([current, missing], [first, null])
})

test("GATE-12 the next key is published a day before it signs, and the last one a day after", () => {
  const due = START + 30 * DAY
  assert.equal(planKeys([first], "EdDSA", due - DAY, 30 * DAY).missing, due)
  const next = { algorithm: "EdDSA", from: due, createdAt: due - DAY }
  const before = planKeys([first, next], "EdDSA", due - 1, 30 * DAY)
  assert.deepEqual([before.current, before.published, before.missing], [first, [first, next], null])
  const after = planKeys([first, next], "EdDSA", due, 30 * DAY)
  assert.deepEqual([after.current, after.published, after.expired], [next, [first, next], []])
  assert.deepEqual(planKeys([first, next], "EdDSA", due + DAY, 30 * DAY).expired, [first])
})

test("GATE-12 after a pause of months, the next key still has a day before it signs", () => {
  const late = START + 90 * DAY + 17
  const { current, missing } = planKeys([first], "EdDSA", late, 30 * DAY)
  assert.equal(current, first)
  assert.ok(missing !== null && missing >= late + DAY && missing % 3600 === 0)
})

test("GATE-12 a key of another algorithm does not sign", () => {
  const { current, published, missing } = planKeys([first], "RS256", START, 30 * DAY)
  assert.deepEqual([current, published, missing], [null, [first], 0])
})

test("GATE-12 at any time, the key that signed a minute ago is published, and the next one has been for 23 hours", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.array(fc.integer({ min: 60, max: 40 * DAY }), { minLength: 1, maxLength: 60 }),
      (rotateDays, steps) => {
        let now = START
        let keys: readonly KeyFacts[] = []
        let last: KeyFacts | null = null
        for (const step of steps) {
          let plan = planKeys(keys, "EdDSA", now, rotateDays * DAY)
          while (plan.missing !== null) {
            keys = [...keys, { algorithm: "EdDSA", from: plan.missing, createdAt: now }]
            plan = planKeys(keys, "EdDSA", now, rotateDays * DAY)
          }
          keys = plan.published
          assert.ok(plan.current !== null && plan.published.includes(plan.current))
          if (last !== null && last !== plan.current)
            assert.ok(plan.current.createdAt <= startOf(plan.current) - 23 * 3600)
          // Between two refreshes the time passes without a change of the directory.
          const later = planKeys(keys, "EdDSA", now + 60, rotateDays * DAY)
          assert.ok(plan.published.includes(later.current ?? first) && keys.includes(plan.current))
          last = plan.current
          now += step
        }
      },
    ),
  )
})
