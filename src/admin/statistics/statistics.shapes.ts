/** Statistics in the JSON of the API. */
import type { Health } from "../../apps/statistics/app-health.rules.ts"
import type { Period } from "../../apps/statistics/series.rules.ts"
import { countedEvents } from "../../model/tally-names.rules.ts"
import type { AppHealth, Overview, RankedApp } from "../../apps/statistics/statistics.ts"
import { numberPaging, pageOf } from "../api/paging.ts"
import {
  choice,
  idShape,
  instant,
  integer,
  list,
  optional,
  orNull,
  type Parsed,
  record,
  text,
} from "../../platform/json/shape.rules.ts"

/** The API offers no counts per minute, because they would show when a credential was refreshed. CRED-5. */
export const readablePeriods = ["day", "month"] as const satisfies readonly Period[]

export type ReadablePeriod = (typeof readablePeriods)[number]

const UNSEEN = "an access token must not show when a credential rotated."
export const FINISHED_DAYS = `Counts finished days only (UTC): ${UNSEEN}`
export const FINISHED_HOURS = `Counts finished hours only: ${UNSEEN}`

const counts = (what: string) => list(what, integer("A count.", 3), { example: [3] })

const healthMembers = {
  issued: integer("Credentials whose first tokens it fetched.", 40),
  refreshes: integer("Refreshes.", 900),
  service_tokens: integer("Access tokens of its service account.", 0),
  replays: integer("Refreshes that got the same pair again within sixty seconds.", 2),
  replays_per_thousand: integer("Their share of all refreshes, in thousandths.", 2, { most: 1000 }),
  reuses: integer("Credentials revoked because a refresh token was reused.", 0),
  code_replays: integer("Credentials revoked because a code was used twice.", 0),
  errors: list(
    "Errors that the app could have avoided, most frequent first.",
    record(null, {
      reason: text("The reason.", "refreshTokenRetired"),
      count: integer("The number of times.", 3),
    }),
  ),
}

const finding = record("Finding", {
  finding: text("The name of the finding.", "keeps-retired-refresh-tokens"),
  weight: integer("3: people are signed out. 2: requests fail. 1: requests are wasted.", 3, {
    least: 1,
    most: 3,
  }),
  sentence: text("What was observed.", "One credential was revoked because a refresh token was reused."),
  advice: text("What the developer of the app can do.", "Store the new refresh token before using it."),
})
const findings = list("Advice for the developer, most important first.", finding)

export const healthShape = record("AppHealth", {
  client_id: idShape("app"),
  days: integer("The number of days; the last is yesterday (UTC).", 30),
  ...healthMembers,
  findings,
  per_day: list(
    "The same for each day (UTC), oldest first.",
    record(null, { at: instant("The start of the day"), ...healthMembers }),
  ),
})

const rankedShape = record("RankedApp", {
  client_id: idShape("app"),
  client_name: orNull(text("The name of the app, or null if it was removed.", "My notes")),
  ...healthMembers,
  findings,
})

export const worstApps = pageOf("WorstApps", rankedShape)

const totals = Object.fromEntries(
  Object.entries(countedEvents).map(([name, meaning]) => [
    name.replaceAll(/[.-]/g, "_"),
    integer(`How often ${meaning}.`, 3),
  ]),
)

export const overviewShape = record("Overview", {
  period: choice("The period.", readablePeriods),
  from: instant("The start of the first interval"),
  step_seconds: integer("The length of an interval.", 3600),
  accounts: integer("Current number of accounts.", 20),
  apps: integer("Current number of apps.", 5),
  installations: integer("Current number of installations.", 60),
  totals: record("Totals", { ...totals, refusals: integer("Refused requests.", 3) }),
  series: record("Series", {
    issued: counts("Credentials whose first tokens were fetched. Here and below: one number per interval."),
    refreshed: counts("Refreshes."),
    repeated: counts("Refreshes that got the same pair again."),
    revoked: counts("Credentials revoked by an app, an account holder or an administrator."),
    reused: counts("Credentials revoked because a refresh token was reused."),
    sign_ins: counts("Sign-ins."),
    sign_ins_refused: counts("Sign-ins that were refused."),
    introspections: counts("Introspections by resource servers."),
    refusals: list(
      "By reason, most frequent first. The rest is last, with a null reason.",
      record(null, {
        reason: orNull(text("The reason.", "codeExpired")),
        counts: counts("One number per interval."),
      }),
    ),
    devices: list(
      "Device grants by outcome.",
      record(null, {
        outcome: text("The outcome.", "approved"),
        counts: counts("One number per interval."),
      }),
    ),
    installations: list(
      "Active installations; null for intervals without a sample.",
      orNull(integer("A count.", 60)),
      {
        example: [60],
      },
    ),
  }),
})

const daysParameter = optional(
  integer("The number of days up to the end of yesterday (UTC). Default: 30.", 30, { least: 1, most: 90 }),
)
export const healthQuery = record(null, { days: daysParameter })
export const worstAppsQuery = record(null, { days: daysParameter, limit: numberPaging.limit })
export const overviewQuery = record(null, {
  period: optional(choice("The period. Default: a day.", readablePeriods)),
})

export function healthRecord({
  clientId,
  days,
  total,
  findings: found,
  perDay,
}: AppHealth): Parsed<typeof healthShape> {
  return {
    client_id: clientId,
    days,
    ...countsRecord(total),
    findings: found,
    per_day: perDay.map(({ at, ...day }) => ({ at, ...countsRecord(day) })),
  }
}

export function rankedRecord({
  clientId,
  client,
  total,
  findings: found,
}: RankedApp): Parsed<typeof rankedShape> {
  return {
    client_id: clientId,
    client_name: client?.name ?? null,
    ...countsRecord(total),
    findings: found,
  }
}

function countsRecord({
  issued,
  refreshes,
  serviceTokens,
  replays,
  replayShare,
  reuses,
  codeReplays,
  errors,
}: Health) {
  return {
    issued,
    refreshes,
    service_tokens: serviceTokens,
    replays,
    replays_per_thousand: Math.round(replayShare * 1000),
    reuses,
    code_replays: codeReplays,
    errors,
  }
}

export function overviewRecord({
  period,
  from,
  step,
  gauges,
  totals: sums,
  series,
}: Overview<ReadablePeriod>): Parsed<typeof overviewShape> {
  const { signIns, signInsRefused, ...lines } = series
  return {
    period,
    from,
    step_seconds: step,
    accounts: gauges.accounts,
    apps: gauges.apps,
    installations: gauges.installations,
    totals: {
      ...Object.fromEntries(
        Object.entries(sums).map(([name, count]) => [name.replaceAll(/[.-]/g, "_"), count]),
      ),
      refusals: sums.refusals,
    },
    series: { ...lines, sign_ins: signIns, sign_ins_refused: signInsRefused },
  }
}
