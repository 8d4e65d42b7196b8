import assert from "node:assert/strict"
import { test } from "node:test"
import type { AppCounts } from "../../../src/apps/statistics/app-health.rules.ts"
import { findingsOf } from "../../../src/apps/statistics/findings.rules.ts"
import type { Reason } from "../../../src/model/refusals/refusal.rules.ts"

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
    assert.deepEqual(found({ refreshes: 100, ...refused(reason, least) }), [finding])
    assert.deepEqual(found({ refreshes: 100, ...refused(reason, least - 1) }), [])
  }
})

test("CONSOLE-4: an app fails by the share of its requests, not by their number", () => {
  for (const reason of ["clientSecretWrong", "verifierWrong", "redirectUriDiffers", "codeUnknown"] as const) {
    assert.deepEqual(found({ refreshes: 100_000, ...refused(reason, 1000) }), [], "one in a hundred")
    assert.equal(found({ refreshes: 100_000, ...refused(reason, 2100) }).length, 1, "more than two")
    assert.equal(found({ issued: 0, refreshes: 0, ...refused(reason, 5) }).length, 1, "all of them")
  }
  const [repeating] = findingsOf({ ...good, replays: 500 })
  assert.equal(repeating?.weight, 1, "a repetition is answered: it wastes requests, and none fails")
})

test("errors of one kind count together, whatever their reason", () => {
  const errors = [
    { reason: "redirectUriDiffers", count: 3 },
    { reason: "redirectUriUnregistered", count: 1_233 },
  ] as const
  const [finding] = findingsOf({ ...good, errors })
  assert.equal(finding?.sentence, "The redirect_uri did not match, 1,236 times: 55 % of its requests.")
})
