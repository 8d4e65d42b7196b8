/** The audit trail, newest first, with names beside ids. */
import type { Event } from "../records/event.rules.ts"
import { type Html, html, type Insertable } from "../kernel/html.ts"
import { shownName } from "../ui/shown-text.ts"
import { type ConsoleInput, heading, renderConsole } from "../ui/console/frame.ts"
import {
  addressOf,
  type Column,
  filterField,
  filterForm,
  filterSelect,
  noMatch,
  pager,
  type Paging,
  table,
} from "../ui/console/list.ts"
import { moment } from "../ui/console/instant.ts"
import { accountLink, appLink, idOnly, kindInWords } from "../ui/console/words.ts"

export type EventView = Event & {
  /** Null without an app, or if it was removed. */
  readonly username: string | null
  readonly appName: string | null
  readonly actorName: string | null
}

export type EventQuery = {
  readonly kind: string
  readonly account: string
  readonly app: string
  readonly credential: string
  readonly since: string
  readonly until: string
}

export type EventsInput = ConsoleInput & {
  readonly events: readonly EventView[]
  readonly kinds: readonly string[]
  readonly filter: EventQuery
  readonly problems: Readonly<Partial<Record<keyof EventQuery, string>>>
  readonly paging: Paging
  readonly exportedAtMost: string
}

export function renderEvents(input: EventsInput): string {
  const { basePath, events, filter, paging, exportedAtMost } = input
  const path = `${basePath}/console/events`
  const exported = (format: string) => addressOf(`${path}/export`, { ...filter, format })
  const main = html`${heading("Events")} ${filters(input)}
  ${eventTable(basePath, events, isFiltered(filter) ? noMatch(path, "event") : "Nothing is recorded yet.")}
  ${pager(path, filter, paging)}
  ${
    events.length > 0 &&
    html`<p class="ways">
      <span class="note">This list as a file:</span>
      <a href="${exported("csv")}">CSV for a spreadsheet</a> <a href="${exported("jsonl")}">JSON lines</a>
      <span class="note">newest first, at most ${exportedAtMost} events</span>
    </p>`
  }`
  return renderConsole(input, { title: "Events", place: "events", main })
}

function isFiltered(filter: EventQuery): boolean {
  return Object.values(filter).some((value) => value !== "")
}

function filters({ basePath, kinds, filter, problems }: EventsInput): Html {
  const choices = [
    { value: "", label: "Everything" },
    ...kinds.map((kind) => ({ value: kind, label: kindInWords(kind) })),
  ]
  const text = (name: keyof EventQuery, label: string, type: "text" | "date" = "text") =>
    filterField({ name, label, type, value: filter[name], problem: problems[name] ?? null })
  return filterForm(`${basePath}/console/events`, isFiltered(filter), [
    filterSelect("kind", "What", filter.kind, choices),
    text("account", "Account"),
    text("app", "App (name or id)"),
    // Shown only after a link from the page of a credential: the id is not meant to be typed.
    filter.credential !== "" && text("credential", "Credential (id)"),
    text("since", "From (UTC)", "date"),
    text("until", "To (UTC)", "date"),
  ])
}

type Shown = { readonly account?: boolean; readonly app?: boolean; readonly credential?: boolean }

/** The subject of the page needs no column. */
export function eventTable(
  basePath: string,
  rows: readonly EventView[],
  empty: Insertable,
  { account = true, app = true, credential = true }: Shown = {},
): Html {
  const columns: readonly (Column<EventView> | false)[] = [
    { label: "What", look: "first", cell: ({ kind }) => kindInWords(kind) },
    { label: "When", cell: ({ at }) => moment(at) },
    account && { label: "Account", cell: (row) => accountOf(basePath, row) },
    app && { label: "App", cell: (row) => appOf(basePath, row) },
    { label: "By / from", cell: (row) => byOf(basePath, row) },
    { label: "More", cell: (row) => more(basePath, row, credential) },
  ]
  return table({ caption: "Events", rows, empty, columns: columns.filter((column) => column !== false) })
}

function accountOf(basePath: string, { userId, username }: EventView): Html | null {
  if (userId === null) return null
  return username === null ? idOnly(userId) : accountLink(basePath, { userId, username })
}

function appOf(basePath: string, { clientId, appName }: EventView): Html | null {
  if (clientId === null) return null
  return appName === null ? idOnly(clientId) : appLink(basePath, { clientId, name: appName })
}

/** Who did it, if that was another account, and from where. */
function byOf(basePath: string, { actorId, actorName, userId, address }: EventView): Html {
  const from = address === null ? "the command line" : html`<bdi>${address}</bdi>`
  if (actorId === null || actorId === userId) return html`${from}`
  const actor =
    actorName === null ? idOnly(actorId) : accountLink(basePath, { userId: actorId, username: actorName })
  return html`${actor}, ${from}`
}

function more(basePath: string, { detail, tokenId: id }: EventView, isLinked: boolean): Html | null {
  const tokenId = isLinked ? id : null
  if (detail === null && tokenId === null) return null
  const words = detail !== null && html`<bdi>${shownName(detail, "", 200)}</bdi>`
  const credential =
    tokenId !== null && html`<a href="${basePath}/console/credential?id=${tokenId}">Credential</a>`
  return html`${words}${detail !== null && tokenId !== null && " · "}${credential}`
}
