/** Renders the page of the audit trail, newest first. */
import { type EventKind, isSerious } from "../../model/event.rules.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { type ConsoleInput, heading, renderConsole } from "../../platform/ui/console/frame.ts"
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
  tabs,
} from "../../platform/ui/console/list.ts"
import { exactMoment } from "../../platform/ui/console/instant.ts"
import { accountLink, appLink, kindInWords, tag } from "../../platform/ui/console/words.ts"
import type { EventRecord } from "./event-record.ts"

/** The value of the filter that selects every serious kind. */
export const SERIOUS = "serious"

export type EventQuery = {
  /** A kind of event, or `SERIOUS`. */
  readonly kind: string
  readonly account: string
  readonly app: string
  readonly credential: string
  readonly since: string
  readonly until: string
}

export type EventsInput = ConsoleInput & {
  readonly events: readonly EventRecord[]
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
  const weights = [
    { value: "", label: "All" },
    { value: SERIOUS, label: "Serious" },
  ]
  const main = html`${heading("Events", tabs("Weight", path, filter, "kind", weights))} ${filters(input)}
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
    { value: SERIOUS, label: "Everything serious" },
    ...kinds.map((kind) => ({ value: kind, label: kindInWords(kind) })),
  ]
  const text = (name: keyof EventQuery, label: string, type: "text" | "date" = "text") =>
    filterField({ name, label, type, value: filter[name], problem: problems[name] ?? null })
  return filterForm(`${basePath}/console/events`, isFiltered(filter), [
    filterSelect("kind", "What", filter.kind, choices),
    text("account", "Account"),
    text("app", "App (name or id)"),
    // People do not type the id of a credential. The field therefore appears only if a link has filled it in.
    filter.credential !== "" && text("credential", "Credential (id)"),
    text("since", "From (UTC)", "date"),
    text("until", "To (UTC)", "date"),
  ])
}

type Shown = { readonly account?: boolean; readonly app?: boolean; readonly credential?: boolean }

/** Renders events as a table. A page about one account, app or credential does not repeat it in a column. */
export function eventTable(
  basePath: string,
  rows: readonly EventRecord[],
  empty: Insertable,
  { account = true, app = true, credential = true }: Shown = {},
): Html {
  const columns: readonly (Column<EventRecord> | false)[] = [
    { label: "What", look: "first", cell: ({ kind }) => what(kind) },
    { label: "When", cell: ({ at }) => exactMoment(at) },
    account && {
      label: "Account",
      cell: ({ user_id: userId, username }) =>
        userId === null ? null : accountLink(basePath, { userId, username }),
    },
    app && {
      label: "App",
      cell: ({ client_id: clientId, client_name: name }) =>
        clientId === null ? null : appLink(basePath, { clientId, name }),
    },
    { label: "By / from", cell: (row) => byOf(basePath, row) },
    { label: "More", cell: (row) => more(basePath, row, credential) },
  ]
  return table({ caption: "Events", rows, empty, columns: columns.filter((column) => column !== false) })
}

function what(kind: EventKind): Html | string {
  const words = kindInWords(kind)
  return isSerious(kind) ? html`<span class="alarm">${words}</span> ${tag("Serious", "serious")}` : words
}

/** Renders the IP address, and the actor if another account acted. */
function byOf(
  basePath: string,
  { actor_id: actorId, actor: username, user_id: userId, address }: EventRecord,
): Html {
  const from = address === null ? "the command line" : html`<bdi>${address}</bdi>`
  if (actorId === null || actorId === userId) return html`${from}`
  const link = accountLink(basePath, { userId: actorId, username })
  return html`${link}, ${from}`
}

function more(basePath: string, { detail, token_id: id }: EventRecord, isLinked: boolean): Html | null {
  const tokenId = isLinked ? id : null
  if (detail === null && tokenId === null) return null
  const words = detail !== null && html`<bdi>${shownName(detail, "", 200)}</bdi>`
  const credential =
    tokenId !== null && html`<a href="${basePath}/console/credential?id=${tokenId}">Credential</a>`
  return html`${words}${detail !== null && tokenId !== null && " · "}${credential}`
}
