/** API operations on counts of the service and of apps, for administrators. */
import { appsHealth, overview } from "../../apps/statistics/statistics.ts"
import { type Call, success } from "../api/call.ts"
import type { Parsed } from "../../platform/json/shape.rules.ts"
import { overviewRecord, type overviewQuery, rankedRecord, type worstAppsQuery } from "./statistics.shapes.ts"

const DAYS = 30
const APPS = 100

export async function getOverview({ context, query }: Call<never, Parsed<typeof overviewQuery>>) {
  return success(overviewRecord(await overview(context.services, query.period ?? "day", "finished")))
}

export async function listWorstApps({ context, query }: Call<never, Parsed<typeof worstAppsQuery>>) {
  const ranked = await appsHealth(context.services, query.days ?? DAYS, query.limit ?? APPS, "finished")
  return success({ items: ranked.map(rankedRecord), next: null })
}
