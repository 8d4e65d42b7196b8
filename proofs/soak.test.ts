/** Runs for a few seconds what `npm run prove -- --only soak` runs for an hour. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { signedInBrowser } from "../test/support/connect.ts"
import { addAccount } from "../test/support/seed.ts"
import { until } from "../test/support/until.ts"
import { Fleet } from "./mixed/fleet.ts"
import { usageOf } from "./mixed/usage.ts"
import { soak } from "./soak/soak.ts"
import { slopeOf } from "./soak/trend.ts"
import { slice } from "./slice.ts"

test("a few seconds of everything at once stay below 256 MB, and rows past their time go by themselves", async (t) => {
  const figures = await soak.prove(slice(t, "sqlite", 0.0005))
  assert.ok(Number(figures["requests"]) > 100, JSON.stringify(figures))
})

test("the line through samples is not drawn away by a few that are far off", () => {
  const samples = Array.from({ length: 100 }, (_, at) => ({ at, value: at % 17 === 0 ? 1000 : 3 * at + 1 }))
  assert.ok(Math.abs(slopeOf(samples) - 3) < 0.5, String(slopeOf(samples)))
})

test("the memory of a password that was looked at is given back, whichever thread did it", async (t) => {
  const fleet = await Fleet.open(t, { engine: "sqlite" })
  await addAccount(fleet.dir, "alice")
  await fleet.start()
  const [member] = fleet.members
  assert.ok(member)
  await signedInBrowser(fleet, "alice")
  const before = usageOf(member.pid).residentMiB
  // The test runs two hashes at a time. Each may run on any of four threads and takes 19 MiB.
  for (let n = 0; n < 6; n++)
    await Promise.all([signedInBrowser(fleet, "alice"), signedInBrowser(fleet, "alice")])
  // The thread releases its memory after it has returned its result.
  let after = NaN
  const isBack = () => (after = usageOf(member.pid).residentMiB) - before < 30
  await until(isBack, "the memory is given back").catch(() => undefined)
  t.diagnostic(`${before.toFixed(1)} MiB before, ${after.toFixed(1)} MiB after`)
  assert.ok(after - before < 30, `${before} MiB have become ${after} MiB`)
})
