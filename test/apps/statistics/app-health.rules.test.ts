import assert from "node:assert/strict"
import { test } from "node:test"
import {
  type AppCounts,
  badness,
  healthOf,
  replayShare,
} from "../../../src/apps/statistics/app-health.rules.ts"
import type { ClientId } from "../../../src/kernel/ids.ts"
import type { Tally } from "../../../src/model/tally.rules.ts"

const good: AppCounts = {
  issued: 4,
  refreshes: 1000,
  replays: 0,
  reuses: 0,
  codeReplays: 0,
  serviceTokens: 0,
  errors: [],
}
test("the health of an app is what its counts come to, without what every good app gets", () => {
  const tally = (name: string, count: number): Tally => ({
    grain: "day",
    at: 0,
    name,
    clientId: "c" as ClientId,
    count,
  })
  const health = healthOf([
    tally("credential.refreshed", 30),
    tally("credential.refreshed", 60),
    tally("credential.repeated", 10),
    tally("credential.issued", 2),
    tally("refused.verifierWrong", 1),
    tally("refused.codeExpired", 4),
    tally("refused.devicePending", 99),
    tally("refused.deviceDenied", 99),
    tally("refused.a-reason-of-another-version", 99),
  ])
  assert.deepEqual(health, {
    issued: 2,
    refreshes: 90,
    replays: 10,
    reuses: 0,
    codeReplays: 0,
    serviceTokens: 0,
    errors: [
      { reason: "codeExpired", count: 4 },
      { reason: "verifierWrong", count: 1 },
    ],
    replayShare: 0.1,
    errorCount: 5,
  })
  assert.equal(replayShare({ replays: 0, refreshes: 0 }), 0)
  assert.ok(badness({ ...good, reuses: 1 }) > badness({ ...good, replays: 50 }))
})
