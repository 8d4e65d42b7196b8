/** The console pages of events. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, page } from "../console/console-route.ts"

const events = lazyModule(() => import("./events.endpoint.ts"))

export const eventPages: readonly ConsoleRoute[] = [
  page("/console/events", events("showEvents")),
  page("/console/events/export", events("exportEvents")),
]
