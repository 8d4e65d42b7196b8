/** The audit trail: what happened, newest first, with names beside ids. */
import type { Event } from "../../core/event.ts"
import { type Html, html } from "../html.ts"
import { shownName } from "../shown-text.ts"
import { type ConsoleInput, heading, renderConsole } from "./frame.ts"
import { addressOf, filterField, filterForm, filterSelect, pager, type Paging, table } from "./list.ts"
import { moment } from "./when.ts"
import { accountLink, appLink, idOnly, kindInWords } from "./words.ts"

export type EventView = Event & {
  /** Null where there is none, or it was removed. */
  readonly username: string | null
  readonly appName: string | null
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
  const isFiltered = Object.values(filter).some((value) => value !== "")
  const exported = (format: string) => addressOf(`${path}/export`, { ...filter, format })
  const main = html`${heading("Events")} ${filters(input)}
  ${eventTable(basePath, events, isFiltered ? "No event is like that." : "Nothing is recorded yet.")}
  ${pager(path, filter, paging)}
  ${
    events.length > 0 &&
    html`<p class="ways">
      <span class="note">This list as a file:</span>
      <a href="${exported("csv")}">CSV for a spreadsheet</a> <a href="${exported("jsonl")}">JSON lines</a>
      <span class="note">newest first, ${exportedAtMost} events at the most</span>
    </p>`
  }`
  return renderConsole(input, { title: "Events", place: "events", main })
}

function filters({ basePath, kinds, filter, problems }: EventsInput): Html {
  const choices = [
    { value: "", label: "Everything" },
    ...kinds.map((kind) => ({ value: kind, label: kindInWords(kind) })),
  ]
  const text = (name: keyof EventQuery, label: string, type: "text" | "date" = "text") =>
    filterField({ name, label, type, value: filter[name], problem: problems[name] ?? null })
  return filterForm(`${basePath}/console/events`, { credential: filter.credential }, [
    filterSelect("kind", "What", filter.kind, choices),
    text("account", "Account"),
    text("app", "App (name or id)"),
    text("since", "From (UTC)", "date"),
    text("until", "To (UTC)", "date"),
  ])
}

export function eventTable(basePath: string, rows: readonly EventView[], empty: string): Html {
  return table({
    caption: "Events",
    rows,
    empty,
    columns: [
      { label: "What", look: "first", cell: ({ kind }) => kindInWords(kind) },
      { label: "When", cell: ({ at }) => moment(at) },
      { label: "Account", cell: (row) => accountOf(basePath, row) },
      { label: "App", cell: (row) => appOf(basePath, row) },
      {
        label: "From",
        cell: ({ address }) => (address !== null ? html`<bdi>${address}</bdi>` : "Command line"),
      },
      { label: "More", cell: (row) => more(basePath, row) },
    ],
  })
}

function accountOf(basePath: string, { userId, username }: EventView): Html | string {
  if (userId === null) return "–"
  return username === null ? idOnly(userId) : accountLink(basePath, { userId, username })
}

function appOf(basePath: string, { clientId, appName }: EventView): Html | string {
  if (clientId === null) return "–"
  return appName === null ? idOnly(clientId) : appLink(basePath, { clientId, name: appName })
}

function more(basePath: string, { detail, tokenId }: EventView): Html {
  const credential =
    tokenId !== null && html`<a href="${basePath}/console/credential?id=${tokenId}">Credential</a>`
  const words = detail !== null && html`<bdi>${shownName(detail, "", 200)}</bdi>`
  return html`${words}${words !== false && credential !== false && html` · `}${credential}${words === false && credential === false && "–"}`
}
