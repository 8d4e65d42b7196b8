/** Operations on counts of the service and of apps, for administrators. */
import { lazyHandlers, type Operation, operation } from "../api/operation.ts"
import {
  FINISHED_DAYS,
  FINISHED_HOURS,
  worstApps,
  overviewShape,
  worstAppsQuery,
  overviewQuery,
} from "./statistics.shapes.ts"

const handlers = lazyHandlers(() => import("./statistics.handlers.ts"))

export const statisticsOperations: readonly Operation[] = [
  operation("GET", "/api/admin/statistics", "adminGetOverview", {
    summary: "Get the statistics of the last day or month",
    notes: FINISHED_HOURS,
    needs: ["admin:events"],
    query: overviewQuery,
    answers: overviewShape,
    run: handlers((of) => of.getOverview),
  }),
  operation("GET", "/api/admin/statistics/apps", "adminListWorstApps", {
    summary: "List the apps with problems, the worst first",
    notes: FINISHED_DAYS,
    needs: ["admin:events"],
    query: worstAppsQuery,
    answers: worstApps,
    run: handlers((of) => of.listWorstApps),
  }),
]
