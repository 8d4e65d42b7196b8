/** Operations on counts of the service and of apps, for administrators. */
import type { ReadablePeriod } from "../../api/records/statistics-responses.ts"
import { appsHealth, overview } from "../statistics.ts"
import { type Call, success } from "../../api/kit/operation.ts"
import { overviewRecord, rankedRecord } from "../../api/records/statistics-responses.ts"

const DAYS = 30
const APPS = 100

export async function getOverview({
  context,
  query,
}: Call<never, { readonly period?: ReadablePeriod | undefined }>) {
  return success(overviewRecord(await overview(context.services, query.period ?? "day", "finished")))
}

type WorstQuery = { readonly days?: number | undefined; readonly limit?: number | undefined }

export async function listWorstApps({ context, query }: Call<never, WorstQuery>) {
  const ranked = await appsHealth(context.services, query.days ?? DAYS, query.limit ?? APPS, "finished")
  return success({ items: ranked.map(rankedRecord), next: null })
}
