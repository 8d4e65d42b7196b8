/** The statistics of the service in JSON. */
import { countedEvents } from "../../model/tally-names.rules.ts"
import type { Period } from "../../apps/statistics/series.rules.ts"
import type { Overview } from "../../apps/statistics/statistics.ts"
import {
  choice,
  instant,
  integer,
  list,
  orNull,
  type Parsed,
  record,
  text,
} from "../../platform/json/shape.rules.ts"

/** The API offers no counts per minute, because they would show when a credential was refreshed. CRED-5. */
export const readablePeriods = ["day", "month"] as const satisfies readonly Period[]

export const FINISHED_HOURS =
  "Counts finished hours only: an access token must not show when a credential rotated."

const counts = (what: string) => list(what, integer("A count.", 3), { example: [3] })

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

export function overviewRecord({
  period,
  from,
  step,
  gauges,
  totals: sums,
  series,
}: Overview<(typeof readablePeriods)[number]>): Parsed<typeof overviewShape> {
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
