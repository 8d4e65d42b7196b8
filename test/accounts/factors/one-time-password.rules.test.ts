import { describe, it } from "node:test"
import assert from "node:assert/strict"
import { newStep, rightSteps, stepsAround } from "../../../src/accounts/factors/one-time-password.rules.ts"

describe("FACTOR-4: a one-time password", () => {
  it("is right in its own step of thirty seconds and in one to either side", () => {
    assert.deepEqual(stepsAround(59), [0, 1, 2])
    assert.deepEqual(stepsAround(60), [1, 2, 3])
    const codes = [
      { step: 1, code: "111111" },
      { step: 2, code: "222222" },
      { step: 3, code: "111111" },
    ]
    assert.deepEqual(rightSteps(codes, "111111"), [1, 3])
    assert.deepEqual(rightSteps(codes, "333333"), [])
    assert.deepEqual(rightSteps(codes, "11111"), [])
  })

  it("is accepted once, and only forward", () => {
    assert.equal(newStep([101], 100), 101)
    assert.equal(newStep([100], 100), null)
    assert.equal(newStep([99], 100), null)
    assert.equal(newStep([99, 101], 100), 101)
    assert.equal(newStep([], 100), null)
  })
})
