/** GET /console/health: the apps with the most problems, and findings about them. */
import { renderHealth } from "./health.view.ts"
import { appsHealth } from "../../apps/statistics/statistics.ts"
import { consolePage, fieldOf, frameOf, sendConsole } from "../console/console-page.ts"

const spans = [1, 7, 30] as const

const APPS_SHOWN = 20

export const showHealth = consolePage("/console/health", async (context, reply, request) => {
  const days = spans.find((span) => String(span) === fieldOf(request, "days")) ?? 7
  const ranked = await appsHealth(context.services, days, APPS_SHOWN, "live")
  const page = renderHealth({
    ...frameOf(context, request),
    days,
    spans,
    apps: ranked.map(({ clientId, client, total, findings }) => ({
      clientId,
      name: client?.name ?? null,
      counts: total,
      findings,
    })),
  })
  return sendConsole(context, reply, page)
})
