/**
 * Random lives of a device grant. A denied grant is never approved. No grant is approved with fewer clicks on Authorize
 * than it needs. Tokens are issued at most once. A grant that was reported as ended stays ended, whatever the clock
 * says. The walks must reach every cell of the table.
 */
import { test } from "node:test"
import assert from "node:assert/strict"
import fc from "fast-check"
import type { DeviceState } from "../../../src/model/device-grant.rules.ts"
import { deviceTable } from "../../../src/oauth/device/device-table.rules.ts"
import { walk, Walker } from "./device-walk.ts"

/** The states that may follow each stored state. */
const successors: Readonly<Record<DeviceState["state"], readonly DeviceState["state"][]>> = {
  pending: ["pending", "approved", "denied", "expired"],
  approved: ["approved", "redeemed", "denied", "expired"],
  redeemed: ["redeemed"],
  denied: ["denied"],
  expired: ["expired"],
}

function holds(before: DeviceState["state"], finalBefore: DeviceState["state"] | null, walker: Walker): void {
  const { state } = walker.grant.answer
  assert.ok(successors[before].includes(state), `${before} became ${state}`)
  if (before === "pending" && state === "approved")
    assert.ok(walker.clicked.size >= walker.clicksNeeded, `approved by ${[...walker.clicked].join()}`)
  assert.ok(walker.tokenResponses <= 1)
  assert.equal(walker.tokenResponses === 1, state === "redeemed")
  if (finalBefore !== null) assert.equal(state, finalBefore, "an ended state came back")
}

test("DG-1…DG-7 every life goes as the table says, and every cell is reached", () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(walk, ({ granted, steps }) => {
      const walker = new Walker(granted, reached)
      for (const step of steps) {
        const { finalState } = walker
        const before = walker.grant.answer.state
        walker.take(step)
        holds(before, finalState, walker)
      }
    }),
    { numRuns: 5000, seed: 8628 },
  )
  const cells = Object.entries(deviceTable).flatMap(([state, events]) =>
    Object.keys(events).map((event) => `${state} ${event}`),
  )
  assert.deepEqual([...reached].sort(), cells.sort(), "every cell is reached")
})
