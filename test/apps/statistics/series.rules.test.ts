import assert from "node:assert/strict"
import { test } from "node:test"
import type { Reason } from "../../../src/model/refusals/refusal.rules.ts"
import { Lines, seriesOf, spanOf, totalsOf } from "../../../src/apps/statistics/series.rules.ts"
import { refusedNames, type TallyName } from "../../../src/model/tally-names.rules.ts"
import { DAY, HOUR, MINUTE } from "../../../src/kernel/time.ts"

const NOW = 1_800_000_123

test("a period ends with the point that is not over yet", () => {
  for (const [period, step, points] of [
    ["hour", MINUTE, 60],
    ["day", HOUR, 24],
    ["month", DAY, 30],
  ] as const) {
    const span = spanOf(period, NOW)
    assert.deepEqual([span.step, span.points, span.from % step], [step, points, 0])
    const last = span.from + (points - 1) * step
    assert.ok(last <= NOW && NOW < last + step)
  }
})

const span = { from: 0, step: HOUR, points: 3 }
function lines(rows: readonly (readonly [number, TallyName, number])[]): Lines {
  const drawn = new Lines(span)
  drawn.add(rows.map(([at, name, count]) => ({ grain: "minute", at, name, clientId: null, count })))
  return drawn
}

test("counts fall into their points and add up there", () => {
  const drawn = lines([
    [0, "credential.issued", 1],
    [HOUR - MINUTE, "credential.issued", 2],
    [2 * HOUR, "credential.issued", 4],
    [HOUR, "device.asked", 7],
  ])
  const series = seriesOf(drawn)
  assert.deepEqual(series.issued, [3, 0, 4])
  assert.deepEqual(series.refreshed, [0, 0, 0])
  assert.deepEqual(
    series.devices.find(({ outcome }) => outcome === "asked"),
    { outcome: "asked", counts: [0, 7, 0] },
  )
  const totals = totalsOf(drawn)
  assert.deepEqual([totals["credential.issued"], totals["device.asked"], totals.refusals], [7, 7, 0])
})

test("the most frequent reasons have a line each, the rest one together, and waiting is no refusal", () => {
  const reasons: readonly Reason[] = [
    "codeUnknown",
    "codeExpired",
    "verifierWrong",
    "clientUnknown",
    "scopeEmpty",
    "budgetSpent",
    "bodyNotForm",
    "accessDenied",
  ]
  const drawn = lines([
    ...reasons.map((reason, i) => [HOUR, refusedNames[reason], 20 - i] as const),
    [0, refusedNames.accessDenied, 1],
    [0, refusedNames.devicePending, 999],
  ])
  const { refusals } = seriesOf(drawn)
  assert.deepEqual(
    refusals.map(({ reason }) => reason),
    [...reasons.slice(0, 6), null],
  )
  assert.deepEqual(refusals.at(-1)?.counts, [1, 27, 0])
  assert.equal(totalsOf(drawn).refusals, 133)
})

test("seven reasons are shown by name: one alone is no rest", () => {
  const reasons = ["codeUnknown", "codeExpired", "verifierWrong", "clientUnknown", "scopeEmpty"] as const
  const more = ["budgetSpent", "bodyNotForm"] as const
  const drawn = lines([...reasons, ...more].map((reason) => [0, refusedNames[reason], 1] as const))
  assert.equal(seriesOf(drawn).refusals.filter(({ reason }) => reason === null).length, 0)
})

test("installations are the mean of the samples, zero for empty samples, nothing without samples", () => {
  const { installations } = seriesOf(
    lines([
      [0, "installations", 30],
      [0, "installations.looks", 3],
      [HOUR, "installations.looks", 2],
    ]),
  )
  assert.deepEqual(installations, [10, 0, null])
})
