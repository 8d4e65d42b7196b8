import { test } from "node:test"
import assert from "node:assert/strict"
import { type Machine, step } from "../../src/kernel/machine.ts"

type Door = { state: "open" } | { state: "shut"; times: number }
type Push = { event: "push"; force: number } | { event: "look" }

const door: Machine<Door, Push, string> = {
  open: { push: () => "slams", look: () => "is open" },
  shut: { push: ({ times }, { force }) => `shakes ${times + force}`, look: () => "is shut" },
}

const run = (state: Door, event: Push): string => step(door, state, event)

test("the cell of the state and the event decides, with the facts of both", () => {
  assert.equal(run({ state: "open" }, { event: "push", force: 1 }), "slams")
  assert.equal(run({ state: "shut", times: 2 }, { event: "push", force: 1 }), "shakes 3")
  assert.equal(run({ state: "shut", times: 2 }, { event: "look" }), "is shut")
})

test("an event that no cell knows is a fault", () => {
  const kick = { event: "kick" } as unknown as Push
  assert.throws(() => run({ state: "open" }, kick), /no cell for open and kick/)
})
