/** Rows must be deleted as fast as they can be created. */
import { test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import type { ClientId, GrantId, Hash } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { DEVICE_SECONDS } from "../../../src/kernel/limits.ts"
import { HOUR, YEAR } from "../../../src/kernel/time.ts"
import { beginImport, finishImport } from "../../../src/admin/moving-in/staging.ts"
import { startHousekeeping } from "../../../src/admin/upkeep/housekeeping.ts"
import { permissions } from "../../support/core-sample.ts"
import { fixture } from "../../support/fixture.ts"
import { until } from "../../support/until.ts"

/** Housekeeping once deleted only 200 rows a second. These rows would then stay for a minute and a half. */
const GRANTS = 20_000

test("LOAD-4 twenty thousand unanswered device grants go at once when their hour is over", async (t: TestContext) => {
  const { testServer } = await fixture({ span: t })
  const askedAt = testServer.clock.now()
  for (let first = 0; first < GRANTS; first += 1000)
    await testServer.store.change({}, () =>
      decided(null, ...Array.from({ length: 1000 }, (_, i) => unanswered(first + i, askedAt))),
    )
  const left = async () => {
    const [row] = await testServer.database.rows("SELECT count(*) AS n FROM device_grant")
    return Number(row?.["n"])
  }
  testServer.clock.advance(DEVICE_SECONDS + HOUR - 1)
  assert.equal(await testServer.store.sweep(testServer.clock.now(), GRANTS), 0)
  assert.equal(await left(), GRANTS)
  testServer.clock.advance(1)
  t.after(startHousekeeping(testServer.latchkey, () => Promise.resolve(testServer.clock.now())))
  await until(async () => (await left()) === 0, "no grant is left", 45_000)
})

test("MOVE-5 an import runs on while housekeeping trusts a clock that is a year behind", async (t: TestContext) => {
  const { testServer } = await fixture({ span: t })
  const { latchkey, clock } = testServer
  const begun = await beginImport(latchkey, "csv", null)
  assert.ok(begun.ok)
  const { importId } = begun.value
  const third = Promise.withResolvers<null>()
  let rounds = 0
  const stop = startHousekeeping(latchkey, () => {
    if (++rounds === 3) third.resolve(null)
    return Promise.resolve(clock.now() - YEAR)
  })
  t.after(stop)
  await third.promise
  assert.deepEqual(await finishImport(latchkey, importId, [], "csv: 0 accounts"), { ok: true, value: null })
})

function unanswered(number: number, askedAt: number): Change {
  const text = String(number)
  return {
    change: "deviceGrantAdded",
    grant: {
      request: {
        grantId: `01kb3w5f6y8m2q4r7t9v1${text.padStart(5, "0")}` as GrantId,
        deviceHash: `d${text}`.padEnd(43, "_") as Hash,
        userCodeHash: `u${text}`.padEnd(43, "_") as Hash,
        clientId: "01kb3w5f6y8m2q4r7t9v1x3z5a" as ClientId,
        purpose: {
          purpose: "access",
          asked: permissions("account:read"),
          installationName: null,
          resources: [],
        },
        address: "192.0.2.7",
        askedAt,
        expiresAt: askedAt + DEVICE_SECONDS,
      },
      answer: { state: "pending" },
    },
  }
}
