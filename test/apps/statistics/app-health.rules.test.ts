import assert from "node:assert/strict"
import { test } from "node:test"
import { findingsOf } from "../../../src/apps/statistics/findings.rules.ts"
import {
  type AppCounts,
  badness,
  healthOf,
  replayShare,
} from "../../../src/apps/statistics/app-health.rules.ts"
import type { ClientId } from "../../../src/kernel/ids.ts"
import type { Reason } from "../../../src/model/refusals/refusal.rules.ts"
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
const found = (counts: Partial<AppCounts>) => findingsOf({ ...good, ...counts }).map(({ finding }) => finding)
const refused = (reason: Reason, count: number) => ({ errors: [{ reason, count }] })

test("nothing is found in an app that does well", () => {
  assert.deepEqual(found({}), [])
  assert.deepEqual(found({ issued: 0, refreshes: 0 }), [])
})

test("AUTH-7 repetitions are a finding where they are many and a good share", () => {
  assert.deepEqual(found({ replays: 9, refreshes: 9 }), [])
  assert.deepEqual(found({ replays: 10, refreshes: 1000 }), [])
  assert.deepEqual(found({ replays: 21, refreshes: 1000 }), ["sends-refresh-tokens-twice"])
  const [finding] = findingsOf({ ...good, replays: 250, refreshes: 750 })
  assert.equal(
    finding?.sentence,
    "The app often sends a refresh token twice: 25 % of its refreshes are repetitions.",
  )
  assert.match(finding?.advice ?? "", /Let one request refresh at a time/)
})

test("CRED-2 CODE-3 what signs people out comes first", () => {
  const counts = { reuses: 1, codeReplays: 2, replays: 500, ...refused("devicePolledEarly", 50) }
  assert.deepEqual(found(counts), [
    "keeps-retired-refresh-tokens",
    "sends-codes-twice",
    "sends-refresh-tokens-twice",
    "polls-too-fast",
  ])
  assert.deepEqual(found({ codeReplays: 1 }), [])
})

test("errors are a finding from five on, polls and ends from fifty", () => {
  const rows: readonly [Reason, number, string][] = [
    ["clientSecretWrong", 5, "secret-wrong"],
    ["assertionExpired", 5, "assertion-wrong"],
    ["verifierWrong", 5, "verifier-wrong"],
    ["redirectUriUnregistered", 5, "redirect-differs"],
    ["refreshTokenUnknown", 5, "sends-unknown-tokens"],
    ["credentialRevoked", 50, "goes-on-when-over"],
    ["devicePolledEarly", 50, "polls-too-fast"],
    ["scopeOverCeiling", 5, "asks-beyond-registration"],
    ["parameterMissing", 5, "requests-malformed"],
  ]
  for (const [reason, least, finding] of rows) {
    assert.deepEqual(found(refused(reason, least)), [finding])
    assert.deepEqual(found(refused(reason, least - 1)), [])
  }
})

test("errors of one kind count together, whatever their reason", () => {
  const errors = [
    { reason: "redirectUriDiffers", count: 3 },
    { reason: "redirectUriUnregistered", count: 1_233 },
  ] as const
  const [finding] = findingsOf({ ...good, errors })
  assert.equal(finding?.sentence, "The redirect_uri did not match, 1,236 times.")
})

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
