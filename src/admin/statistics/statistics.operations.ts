/** Operations on counts of the service and of apps, for administrators. */
import { appsHealth, overview } from "../../apps/statistics/statistics.ts"
import { choice, optional, record } from "../../platform/json/shape.rules.ts"
import { success } from "../api/call.ts"
import { type Operation, operation } from "../api/operation.ts"
import { numberPaging, pageOf } from "../api/paging.ts"
import { DAYS, daysParameter, FINISHED_DAYS, rankedRecord, rankedShape } from "./health-record.ts"
import { FINISHED_HOURS, overviewRecord, overviewShape, readablePeriods } from "./overview-record.ts"

const APPS = 100

export const statisticsOperations: readonly Operation[] = [
  operation("GET", "/api/admin/statistics", "adminGetOverview", {
    summary: "Get the statistics of the last day or month",
    notes: FINISHED_HOURS,
    needs: ["admin:events"],
    query: record(null, { period: optional(choice("The period. Default: a day.", readablePeriods)) }),
    answers: overviewShape,
    run: async ({ services, query }) =>
      success(overviewRecord(await overview(services, query.period ?? "day", "finished"))),
  }),
  operation("GET", "/api/admin/statistics/apps", "adminListWorstApps", {
    summary: "List the apps with problems, the worst first",
    notes: FINISHED_DAYS,
    needs: ["admin:events"],
    query: record(null, { days: daysParameter, limit: numberPaging.limit }),
    answers: pageOf("WorstApps", rankedShape),
    run: async ({ services, query }) => {
      const ranked = await appsHealth(services, query.days ?? DAYS, query.limit ?? APPS, "finished")
      return success({ items: ranked.map(rankedRecord), next: null })
    },
  }),
]
