import assert from "node:assert/strict"
import { test } from "node:test"
import { type Waiting, waitingAt } from "../../../src/platform/http/waiting.rules.ts"

test("CONSENT-2 an authorization waits at its own path and at the device page, and nowhere else", () => {
  const expected: readonly (readonly [string | null, Waiting | null])[] = [
    ["/oauth/authorize?client_id=a&state=b", "app"],
    ["/oauth/device", "device"],
    ["/oauth/device?user_code=BBBB-BBBB", "device"],
    [null, null],
    ["", null],
    ["/account", null],
    ["/account?next=/oauth/authorize", null],
    ["/oauth/authorized?client_id=a", null],
    ["/oauth/device-authorization", null],
    ["/sign-in?/oauth/device", null],
  ]
  for (const [next, waiting] of expected) assert.equal(waitingAt(next), waiting, String(next))
})
