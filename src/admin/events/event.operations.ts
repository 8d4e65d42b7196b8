/** Operations on events, for administrators. */
import { lazyHandlers, type Operation, operation } from "../api/operation.ts"
import { pageOf } from "../api/paging.ts"
import { eventShape, eventQuery } from "./event-record.ts"

const handlers = lazyHandlers(() => import("./event.handlers.ts"))

export const eventOperations: readonly Operation[] = [
  operation("GET", "/api/admin/events", "adminListEvents", {
    summary: "List the audit trail, newest first",
    needs: ["admin:events"],
    query: eventQuery,
    answers: pageOf("EventPage", eventShape),
    run: handlers((of) => of.listEvents),
  }),
]
