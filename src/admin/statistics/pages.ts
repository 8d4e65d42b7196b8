/** The console pages of statistics. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, page } from "../console/console-route.ts"

const overview = lazyModule(() => import("./overview.endpoint.ts"))
const health = lazyModule(() => import("./health.endpoint.ts"))

export const statisticsPages: readonly ConsoleRoute[] = [
  page("/console", overview("showOverview")),
  page("/console/health", health("showHealth")),
]
