/** GET /console/health: the apps with the most problems, and findings about them. */
import { renderHealth } from "./health.view.ts"
import { appsHealth } from "../../apps/statistics/statistics.ts"
import { consolePage } from "../console/console-page.ts"

const spans = [1, 7, 30] as const

const APPS_SHOWN = 20

export const showHealth = consolePage("/console/health", async (request) => {
  const days = spans.find((span) => String(span) === request.field("days")) ?? 7
  const ranked = await appsHealth(request.services, days, APPS_SHOWN, "live")
  const page = renderHealth({
    ...request.frame,
    days,
    spans,
    apps: ranked.map(({ clientId, client, total, findings }) => ({
      clientId,
      name: client?.name ?? null,
      counts: total,
      findings,
    })),
  })
  return request.send(page)
})
