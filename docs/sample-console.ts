/** Pages of the console with input as it comes: a service on a working day. */
import { renderOverview } from "../src/page/console/overview.ts"
import { renderHealth } from "../src/page/console/health.ts"

const person = { basePath: "", username: "ada", csrf: "csrf", done: null }

/** 12 March 2026, 00:00 UTC. */
const from = 1_773_273_600
const points = 24
const range = { from, step: 3600, points }

/** Quiet at night, busy twice a day; the same at every run. */
function counts(most: number, shift = 0): number[] {
  return Array.from({ length: points }, (_, hour) => {
    const day =
      Math.exp(-(((hour - 10 - shift) / 3) ** 2)) + 0.8 * Math.exp(-(((hour - 16 - shift) / 3.2) ** 2))
    const jitter = 0.85 + 0.3 * (((hour * 7919 + shift * 104_729) % 97) / 97)
    return Math.round(most * (0.06 + day) * jitter)
  })
}

export const overview = renderOverview({
  ...person,
  period: "day",
  version: "0.1.0",
  range,
  issued: counts(84),
  refreshed: counts(2900),
  repeated: counts(60, 1),
  refusals: [
    { name: "Device polled early", values: counts(42, 1) },
    { name: "Refresh token retired", values: counts(24) },
    { name: "Verifier wrong", values: counts(15, 2) },
    { name: "Redirect address differs", values: counts(9, -1) },
    { name: "Client secret wrong", values: counts(7, 1) },
    { name: "Everything else", values: counts(12) },
  ],
  devices: [
    { name: "Approved", values: counts(31) },
    { name: "Refused", values: counts(5, 1) },
    { name: "Expired", values: counts(8, -1) },
  ],
  installations: Array.from({ length: points }, (_, hour) => (hour === 4 ? null : 18_200 + 12 * hour)),
  figures: { accounts: 2140, apps: 61, installations: 18_476 },
})

export const health = renderHealth({
  ...person,
  days: 7,
  spans: [1, 7, 30],
  apps: [
    {
      clientId: "01client",
      name: "Notebook Sync",
      counts: {
        issued: 210,
        refreshes: 9120,
        replays: 1744,
        reuses: 3,
        codeReplays: 0,
        errors: [{ reason: "refreshTokenRetired", count: 12 }],
        replayShare: 0.16,
        errorCount: 12,
      },
      findings: [
        {
          finding: "keeps-retired-refresh-tokens",
          weight: 3,
          sentence:
            "The app sent a refresh token more than a minute after it had been replaced, 3 times. Each time its " +
            "credential was revoked, and somebody had to sign in again.",
          advice: "Store the new refresh token durably before anything else, and throw the old one away.",
        },
      ],
    },
  ],
})
