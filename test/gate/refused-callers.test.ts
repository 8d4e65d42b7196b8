import { test } from "node:test"
import assert from "node:assert/strict"
import { RefusedCallers } from "../../src/gate/refused-callers.ts"
import { testClock } from "../support/clock.ts"
import { recordLog } from "../support/record-log.ts"

type Line = { readonly address: string; readonly reason: string; readonly more?: number }

function opened() {
  const { log, lines } = recordLog<Line>()
  const clock = testClock()
  return { callers: new RefusedCallers(log, clock.monotonic), lines, clock }
}

test("GATE-13 an address gets one line in a minute, and the next line has the number between", () => {
  const { callers, lines, clock } = opened()
  for (let n = 0; n < 100; n++) callers.note({ reason: "secretWrong", address: "192.0.2.1" })
  callers.note({ reason: "addressNotTrusted", address: "192.0.2.2" })
  clock.advance(59)
  callers.note({ reason: "secretMissing", address: "192.0.2.1" })
  clock.advance(1)
  callers.note({ reason: "secretMissing", address: "192.0.2.1" })
  assert.deepEqual(
    lines.map(({ address, reason, more }) => [address, reason, more]),
    [
      ["192.0.2.1", "secretWrong", 0],
      ["192.0.2.2", "addressNotTrusted", 0],
      ["192.0.2.1", "secretMissing", 100],
    ],
  )
})

test("GATE-13 the addresses of an IPv6 network share a line, and so do all beyond a number", () => {
  const { callers, lines, clock } = opened()
  for (let n = 0; n < 100; n++) callers.note({ reason: "notHttp", address: `2001:db8::${n.toString(16)}` })
  assert.equal(lines.length, 1)
  for (let n = 0; n < 5000; n++)
    callers.note({ reason: "notHttp", address: `10.0.${Math.floor(n / 250)}.${n % 250}` })
  assert.equal(lines.length, 1001)
  clock.advance(120)
  callers.note({ reason: "notHttp", address: "10.1.0.0" })
  assert.equal(lines.at(-1)?.address, "10.1.0.0")
})
