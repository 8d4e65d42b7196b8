/** GET /console/events and /console/events/export: the audit trail, filtered, as a page or as a file. */
import { Readable } from "node:stream"
import { type EventKind, eventKinds, seriousKinds } from "../../model/event.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import type { TokenId } from "../../kernel/ids.ts"
import { DAY } from "../../kernel/time.ts"
import { type EventQuery, renderEvents, SERIOUS } from "./events.view.ts"
import { count } from "../../platform/ui/console/words.ts"
import { filteredAccount, filteredApp } from "../console/list-filters.ts"
import { EXPORTED_AT_MOST, exportedEvents, exportFormats } from "./event-export.ts"
import type { EventFilter } from "../../store/list-shapes.ts"
import { isEventKey } from "../../store/paged.ts"
import { setBrowserHeaders } from "../../platform/http/headers.ts"
import { consolePage, type ConsoleRequest } from "../console/console-page.ts"
import { listPage } from "../console/list-paging.ts"
import { eventRecords } from "./event-record.ts"
import { rowKeys } from "../../store/list.ts"

export const showEvents = consolePage("/console/events", async (request) => {
  const { services } = request
  const { query, filter, problems } = await readQuery(request)
  const { rows, paging } = await listPage(
    request,
    filter && ((page) => services.store.events(filter, page)),
    rowKeys.events,
    isEventKey,
  )
  const shown = renderEvents({
    ...request.frame,
    events: await eventRecords(services, rows),
    kinds: eventKinds,
    filter: query,
    problems,
    paging,
    exportedAtMost: count(EXPORTED_AT_MOST),
  })
  return request.send(shown)
})

/** Exports the matching events. An invalid filter gets a 404 page, because a file of all events would mislead. */
export const exportEvents = consolePage("/console/events/export", async (request) => {
  const format = exportFormats.get(request.field("format"))
  const { filter } = await readQuery(request)
  if (format === undefined || filter === null) return request.notFound()
  const { context, reply, services } = request
  setBrowserHeaders(reply, context)
  return reply
    .header("content-type", format.contentType)
    .header("content-disposition", `attachment; filename="events.${format.ending}"`)
    .header("content-security-policy", "default-src 'none'; sandbox")
    .send(Readable.from(exportedEvents(services, filter, format)))
})

type Read = {
  readonly query: EventQuery
  /** The value is null if a field is invalid. */
  readonly filter: EventFilter | null
  readonly problems: Readonly<Partial<Record<keyof EventQuery, string>>>
}

async function readQuery(request: ConsoleRequest): Promise<Read> {
  const { services } = request
  const query: EventQuery = {
    kind: request.field("kind"),
    account: request.field("account"),
    app: request.field("app"),
    credential: request.field("credential"),
    since: request.field("since"),
    until: request.field("until"),
  }
  const [userId, clientId] = await Promise.all([
    filteredAccount(services, query.account),
    filteredApp(services, query.app),
  ])
  const [since, until] = [dayOf(query.since), dayOf(query.until)]
  const kinds = kindsOf(query.kind)
  const isCredential = isIdentifier(query.credential) || query.credential === ""
  const problems = {
    ...(!isCredential && { credential: "This is not the id of a credential." }),
    ...(!userId.ok && { account: userId.error }),
    ...(!clientId.ok && { app: clientId.error }),
    ...(since === null && { since: NO_DATE }),
    ...(until === null && { until: NO_DATE }),
  }
  if (kinds === null || !isCredential || !userId.ok || !clientId.ok || since === null || until === null)
    return { query, filter: null, problems }
  const filter = {
    ...(kinds !== undefined && { kinds }),
    userId: userId.value,
    clientId: clientId.value,
    tokenId: query.credential === "" ? undefined : (query.credential as TokenId),
    since,
    // `until` names the last day that is included.
    until: until === undefined ? undefined : until + DAY,
  }
  return { query, filter, problems }
}

/** Returns undefined for every kind, and null for an unknown kind. */
function kindsOf(text: string): readonly EventKind[] | undefined | null {
  if (text === "") return undefined
  if (text === SERIOUS) return seriousKinds
  const kind = eventKinds.find((one) => one === text)
  return kind === undefined ? null : [kind]
}

const NO_DATE = "Write a date as 2026-03-12."

/** Returns the start of a day in UTC. Returns undefined for an empty text and null for an invalid date. */
function dayOf(text: string): number | null | undefined {
  if (text === "") return undefined
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(text) ? null : at / 1000
}
