/** Sample input for pages of the console: a service on a working day. */
import { samplePage } from "../test/support/page-input.ts"
import { defaultSwitches } from "../src/model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../src/model/clients/openid-members.rules.ts"
import { administratorFrame } from "../src/admin/apps/administrator-frame.ts"
import { type AppFormInput, renderAppForm } from "../src/apps/pages/form.view.ts"
import { renderNotFound } from "../src/platform/ui/console/not-found.ts"
import { labelOf } from "../src/model/refusals/reasons.rules.ts"
import { renderSecret } from "../src/apps/pages/secret.view.ts"
import type { DocumentRecord } from "../src/oauth/documents/document-record.rules.ts"
import { renderDocuments } from "../src/admin/documents/document.view.ts"
import { renderProve } from "../src/accounts/guards/reauthenticate.view.ts"
import { renderOverview } from "../src/admin/statistics/overview.view.ts"
import { renderHealth } from "../src/admin/statistics/health.view.ts"

const person = { ...samplePage(), username: "ada", csrf: "csrf", done: null }

/** 12 March 2026, 00:00 UTC. */
const from = 1_773_273_600
const points = 24
const range = { from, step: 3600, points }

/** Returns counts that are low at night and high twice a day. They are the same in every run. */
function counts(most: number, shift = 0): number[] {
  return Array.from({ length: points }, (_, hour) => {
    const day =
      Math.exp(-(((hour - 10 - shift) / 3) ** 2)) + 0.8 * Math.exp(-(((hour - 16 - shift) / 3.2) ** 2))
    const jitter = 0.85 + 0.3 * (((hour * 7919 + shift * 104_729) % 97) / 97)
    return Math.round(most * (0.06 + day) * jitter)
  })
}

const overview = renderOverview({
  ...person,
  period: "day",
  version: "0.2.0",
  range,
  issued: counts(84),
  refreshed: counts(2900),
  repeated: counts(60, 1),
  refusals: [
    { name: labelOf("devicePolledEarly"), values: counts(42, 1) },
    { name: labelOf("refreshTokenReused"), values: counts(24) },
    { name: labelOf("verifierWrong"), values: counts(15, 2) },
    { name: labelOf("redirectUriUnregistered"), values: counts(9, -1) },
    { name: labelOf("clientSecretWrong"), values: counts(7, 1) },
    { name: labelOf(null), values: counts(12) },
  ],
  devices: [
    { name: "Approved", values: counts(31) },
    { name: "Refused", values: counts(5, 1) },
    { name: "Expired", values: counts(8, -1) },
  ],
  installations: Array.from({ length: points }, (_, hour) => (hour === 4 ? null : 18_200 + 12 * hour)),
  hasSecondStep: true,
  gauges: { accounts: 2140, apps: 61, installations: 18_476 },
})

const calm = {
  issued: 4,
  refreshes: 60,
  replays: 1,
  reuses: 0,
  codeReplays: 0,
  serviceTokens: 0,
  errors: [{ reason: "scopeUnknown", count: 1 }],
  replayShare: 0.016,
  errorCount: 1,
} as const

const health = renderHealth({
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
        serviceTokens: 0,
        errors: [
          { reason: "refreshTokenReused", count: 12 },
          { reason: "devicePolledEarly", count: 3 },
        ],
        replayShare: 0.16,
        errorCount: 15,
      },
      findings: [
        {
          finding: "keeps-retired-refresh-tokens",
          weight: 3,
          sentence:
            "The app sent a refresh token more than a minute after it had been replaced, 3 times. Each time its " +
            "credential was revoked, and a person had to sign in again.",
          advice: "Store the new refresh token durably before anything else, and throw the old one away.",
        },
      ],
    },
    ...["Team wiki", "My scripts", "Notes API"].map((name) => ({
      clientId: name,
      name,
      counts: calm,
      findings: [],
    })),
  ],
})

function documentOf(url: string, name: string, more: Partial<DocumentRecord>): DocumentRecord {
  return {
    client_id: url,
    client_name: name,
    host: new URL(url).host,
    state: "fresh",
    fetched_at: from + 3_600,
    next_fetch_at: from + 7_200,
    last_error: null,
    left_out: [],
    credentials: 1_204,
    ...more,
  }
}

const wrong: AppFormInput = {
  ...administratorFrame(person),
  of: { ticket: "ticket" },
  typed: {
    type: null,
    name: "Team wiki",
    redirectUris: ["https://wiki.example/#back", "https://wiki.example/back", "javascript:alert(1)"],
    permissions: ["files:write"],
    groups: [],
    ...defaultSwitches,
    ...defaultOpenid,
    jwks: "",
    jwksUri: "",
    workload: { issuer: "", audience: "", subject: "" },
    owner: "grcae",
    serviceAccount: "",
  },
  offered: [
    {
      group: "Files",
      permissions: [
        { name: "files:read", title: "Read files", description: "Names and contents.", implies: [] },
        { name: "files:write", title: "Change files", description: "", implies: ["Read files"] },
      ],
    },
  ],
  problems: [
    { field: "type", message: "Choose what kind of app it is." },
    {
      field: "redirect_uris",
      message: "Line 1: The address has a fragment (#).\nLine 3: The scheme is not allowed.",
    },
    { field: "owner", message: 'There is no account named "grcae". Did you mean "grace"?' },
  ],
  problem: null,
}

export const consolePages = {
  "console-overview": overview,
  "console-health": health,
  "console-app-wrong": renderAppForm(wrong),
  "console-secret": renderSecret({
    ...administratorFrame(person),
    clientId: "01m7zs66h87tvz3mfqzy46asa3",
    name: "Team wiki",
    secret: "lks_4cQ5m1aT0kP8vZrXw2yNnB6uJdHfLs9eGiKoRtYqWxU3aBcD",
    isNewApp: true,
    connection: {
      issuer: "https://id.example.org",
      metadata: "https://id.example.org/.well-known/oauth-authorization-server",
    },
  }),
  "console-nowhere": renderNotFound(person),
  "console-documents": renderDocuments({
    ...person,
    documents: [
      documentOf("https://claude.ai/oauth/claude-code-client-metadata", "Claude Code", {}),
      documentOf("https://chatgpt.com/oauth/client.json", "ChatGPT", {
        state: "pinned",
        next_fetch_at: null,
      }),
      documentOf("https://tools.example/oauth/client.json", "Team tools", {
        state: "failing",
        last_error: "The host answered with status 403.",
      }),
      documentOf("https://zed.dev/oauth/client-metadata.json", "Zed", { state: "stale" }),
      documentOf("https://evil.example/client.json", "evil.example", {
        state: "denied",
        fetched_at: null,
        next_fetch_at: null,
        credentials: 0,
      }),
    ],
    paging: { next: null, isFirst: true },
  }),
  "console-prove": renderProve({
    ...person,
    admin: true,
    prompt: {
      action: "change “Open registration”",
      place: { area: "console", here: "settings" },
      back: "/console/settings",
    },
    action: "/account/prove",
    carried: { name: "continue", value: "sealed" },
    providers: [],
    continueTo: "sealed",
    proof: { passkey: null, problem: null, accepts: { totp: true, recovery: true, password: false } },
  }),
}
