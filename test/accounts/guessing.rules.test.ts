import { test } from "node:test"
import assert from "node:assert/strict"
import { guessingEvents } from "../../src/accounts/guessing.rules.ts"
import { event } from "../../src/model/event.rules.ts"
import { NOW, USER_ID } from "../support/core-sample.ts"

const address = "192.0.2.7"
const suspected = (count: number | undefined) =>
  guessingEvents(
    [
      { limit: { requests: 30, seconds: 600 }, count, userId: null },
      { limit: { requests: 10, seconds: 600 }, count, userId: USER_ID },
    ],
    { now: NOW, address },
  )

test("AUDIT-2: the failure that reaches a limit is a series, with the account whose limit it is", () => {
  for (const count of [undefined, 1, 9, 11, 29, 31]) assert.deepEqual(suspected(count), [], String(count))
  const [ofAccount, ofAddress] = [suspected(10), suspected(30)]
  assert.deepEqual(ofAccount, [
    {
      change: "eventRecorded",
      event: event("guessing-suspected", NOW, {
        userId: USER_ID,
        address,
        detail: "10 wrong passwords in 10 minutes",
      }),
    },
  ])
  assert.deepEqual(
    ofAddress.map((one) => one.change === "eventRecorded" && one.event.userId),
    [null],
  )
})
