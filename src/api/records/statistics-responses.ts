/** What the counts say, as the API tells it. */
import type { Finding } from "../../statistics/findings.rules.ts"
import type { Health } from "../../statistics/app-health.rules.ts"
import type { Period } from "../../statistics/series.rules.ts"
import { countedEvents } from "../../records/tally-names.rules.ts"
import type { AppHealth, Overview, RankedApp } from "../../statistics/statistics.ts"
import { pageOf } from "../kit/paging.ts"
import { choice, flag, instant, list, orNull, record, text, integer } from "../kit/shape.ts"

/** No minutes: counts of the present hour would show rotations. Interface CRED-5. */
export const readablePeriods = ["day", "month"] as const satisfies readonly Period[]

export type ReadablePeriod = (typeof readablePeriods)[number]

const UNSEEN = "an access token does not see when its credential rotated."
export const FINISHED_DAYS = `Only days that are over (UTC) are counted: ${UNSEEN}`
export const FINISHED_HOURS = `Only hours that are over are counted: ${UNSEEN}`

const id = text("Identifier of the app.", "01k3v7m2q8xj5c9d4e6f7g8h9j")
const counts = (what: string) => list(what, integer("A count.", 3), { example: [3] })

const healthMembers = {
  issued: integer("Credentials of which it fetched the first tokens.", 40),
  refreshes: integer("Refreshes.", 900),
  replays: integer("Refreshes that got the same pair again, within the sixty seconds.", 2),
  replays_per_thousand: integer("The share of those among all refreshes.", 2, { most: 1000 }),
  reuses: integer("Credentials revoked because a refresh token came long after its retirement.", 0),
  code_replays: integer("Credentials revoked because a code came twice.", 0),
  errors: list(
    "Refusals that it could have spared itself, most first.",
    record(null, { reason: text("Why.", "refreshTokenRetired"), count: integer("How often.", 3) }),
  ),
}

const finding = record("Finding", {
  finding: text("Its name.", "keeps-retired-refresh-tokens"),
  weight: integer("3: people are signed out by it. 2: something fails. 1: a waste.", 3, {
    least: 1,
    most: 3,
  }),
  sentence: text("What is seen.", "One credential was revoked because a retired refresh token came again."),
  advice: text("What the app's developer does about it.", "Store the new refresh token before using it."),
})
const findings = list("What its developer should know, the worst first.", finding)

export const health = record("AppHealth", {
  client_id: id,
  days: integer("How many days; the last is yesterday (UTC).", 30),
  ...healthMembers,
  findings,
  per_day: list(
    "The same by day (UTC), oldest first.",
    record(null, { at: instant("The start of the day"), ...healthMembers }),
  ),
})

export const use = record("AppUse", {
  installations: integer("Live credentials.", 12),
  accounts: integer("Accounts that they belong to.", 7),
  is_whole: flag("False where there are more than were counted."),
})

export const worstApps = pageOf(
  "WorstApps",
  record("RankedApp", {
    client_id: id,
    client_name: orNull(text("Its name; null where it is gone.", "My notes")),
    ...healthMembers,
    findings,
  }),
)

const totals = Object.fromEntries(
  Object.entries(countedEvents).map(([name, meaning]) => [
    name.replaceAll(/[.-]/g, "_"),
    integer(`How often ${meaning}.`, 3),
  ]),
)

export const overview = record("Overview", {
  period: choice("How far back.", readablePeriods),
  from: instant("The start of the first point"),
  step_seconds: integer("The length of one point.", 3600),
  accounts: integer("Accounts there are now.", 20),
  apps: integer("Apps there are now.", 5),
  installations: integer("Installations there are now.", 60),
  totals: record("Totals", { ...totals, refusals: integer("How often something was refused.", 3) }),
  series: record("Series", {
    issued: counts(
      "Credentials of which an app fetched the first tokens; one number a point, as everywhere here.",
    ),
    refreshed: counts("Refreshes."),
    repeated: counts("Refreshes that got the same pair again."),
    revoked: counts("Credentials revoked by somebody."),
    reused: counts("Credentials revoked because a refresh token came long after its retirement."),
    sign_ins: counts("Sign-ins."),
    sign_ins_refused: counts("Sign-ins that were refused."),
    introspections: counts("Answers to resource servers."),
    refusals: list(
      "By reason, most first; what is left over stands last, as null.",
      record(null, { reason: orNull(text("Why.", "codeExpired")), counts: counts("A number a point.") }),
    ),
    devices: list(
      "Device grants by outcome.",
      record(null, {
        outcome: text("What became of them.", "approved"),
        counts: counts("A number a point."),
      }),
    ),
    installations: list("Active installations; null where nobody looked.", orNull(integer("A count.", 60)), {
      example: [60],
    }),
  }),
})

export function healthRecord({ clientId, days, total, findings: found, perDay }: AppHealth) {
  return {
    client_id: clientId,
    days,
    ...countsRecord(total),
    findings: found.map(findingRecord),
    per_day: perDay.map(({ at, ...day }) => ({ at, ...countsRecord(day) })),
  }
}

export function rankedRecord({ clientId, client, total, findings: found }: RankedApp) {
  return {
    client_id: clientId,
    client_name: client?.name ?? null,
    ...countsRecord(total),
    findings: found.map(findingRecord),
  }
}

function countsRecord({ issued, refreshes, replays, replayShare, reuses, codeReplays, errors }: Health) {
  return {
    issued,
    refreshes,
    replays,
    replays_per_thousand: Math.round(replayShare * 1000),
    reuses,
    code_replays: codeReplays,
    errors: errors.map(({ reason, count }) => ({ reason, count })),
  }
}

function findingRecord({ finding: name, weight, sentence, advice }: Finding) {
  return { finding: name, weight, sentence, advice }
}

export function overviewRecord({
  period,
  from,
  step,
  gauges,
  totals: sums,
  series,
}: Overview<ReadablePeriod>) {
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
