/** GET /console: plots and totals. */
import { type Period, periodNames } from "../../apps/statistics/series.rules.ts"
import { labelOf } from "../../model/refusals/reasons.rules.ts"
import { renderOverview } from "./overview.view.ts"
import { overview } from "../../apps/statistics/statistics.ts"
import { needsSecondFactor } from "../../model/factor.rules.ts"
import { version } from "../../kernel/process/version.ts"
import { consolePage } from "../console/console-page.ts"

/**
 * The outcomes in the plot. Before a grant is redeemed, it is approved. Stacking both outcomes would count the grant
 * twice.
 */
const OUTCOMES: ReadonlySet<string> = new Set(["approved", "refused", "expired"])

export const showOverview = consolePage("/console", async (request) => {
  const requested = request.field("period")
  const period: Period = periodNames.find((name) => name === requested) ?? "day"
  const { userId } = request.signedIn.account
  const [{ from, step, points, series, gauges }, { factors }] = await Promise.all([
    overview(request.services, period, "live"),
    request.services.store.read({ factors: userId }),
  ])
  const { issued, refreshed, repeated, installations } = series
  const page = renderOverview({
    ...request.frame,
    period,
    version,
    range: { from, step, points },
    issued,
    refreshed,
    repeated,
    // The last point shows the current number. Other points show the mean of their samples.
    installations: [...installations.slice(0, -1), gauges.installations],
    refusals: series.refusals.map(({ reason, counts }) => ({ name: labelOf(reason), values: counts })),
    devices: series.devices
      .filter(({ outcome }) => OUTCOMES.has(outcome))
      .map(({ outcome, counts }) => ({ name: outcomeLabels.get(outcome) ?? outcome, values: counts })),
    gauges,
    hasSecondStep: needsSecondFactor(factors ?? []),
  })
  return request.send(page)
})

const outcomeLabels: ReadonlyMap<string, string> = new Map([
  ["asked", "Asked for"],
  ["approved", "Approved"],
  ["refused", "Refused"],
  ["expired", "Expired"],
  ["redeemed", "Fetched"],
])
