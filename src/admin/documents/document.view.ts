/** Renders documents of clients in the console: the list, and the section on an app's page. CD-11. */
import { type Html, html } from "../../kernel/html.ts"
import type { DocumentState } from "../../model/clients/document.rules.ts"
import { type ConsoleInput, heading, renderConsole, upTo } from "../../platform/ui/console/frame.ts"
import { moment } from "../../platform/ui/console/instant.ts"
import { pager, type Paging, table } from "../../platform/ui/console/list.ts"
import { appLink, count, factList, tag } from "../../platform/ui/console/words.ts"
import type { DocumentRecord } from "../../oauth/documents/document-record.rules.ts"

const states: { readonly [S in DocumentState]: readonly [string, "plain" | "good" | "serious" | "wrong"] } = {
  fresh: ["Fresh", "good"],
  stale: ["Stale", "plain"],
  failing: ["Failing", "serious"],
  pinned: ["Pinned", "plain"],
  denied: ["Denied", "wrong"],
}

export type DocumentsInput = ConsoleInput & {
  readonly documents: readonly DocumentRecord[]
  readonly paging: Paging
}

export function renderDocuments(input: DocumentsInput): string {
  const { basePath, documents, paging } = input
  const main = html`${heading("Documents of apps", false, upTo(basePath, "/console/apps", "Apps"))}
    <p class="note">
      These apps describe themselves in a document at their own address. A copy is kept here. It is fetched
      again when someone connects the app and the copy is not fresh any more.
    </p>
    ${table({
      caption: "Documents of apps",
      rows: documents,
      empty: "No app has connected by a document yet.",
      columns: [
        {
          label: "App",
          look: "first",
          cell: ({ client_id, client_name }) => appLink(basePath, { clientId: client_id, name: client_name }),
        },
        { label: "Host", cell: ({ host }) => html`<bdi>${host}</bdi>` },
        { label: "State", cell: stateTag },
        { label: "Last fetch", cell: ({ fetched_at }) => (fetched_at === null ? null : moment(fetched_at)) },
        { label: "Next fetch", cell: nextFetch },
        { label: "Problem", cell: ({ last_error }) => last_error },
        { label: "Credentials", cell: ({ credentials }) => count(credentials) },
      ],
    })}
    ${pager(`${basePath}/console/documents`, {}, paging)}`
  return renderConsole(input, { title: "Documents of apps", place: "apps", main })
}

/** Renders the section of an app's page about its document. */
export function documentPart(basePath: string, document: DocumentRecord, hasKey: boolean): Html {
  const { client_id, state, fetched_at, last_error } = document
  const act = (action: string, label: string) =>
    html`<a
      class="button"
      href="${basePath}/console/app/act?${new URLSearchParams({ id: client_id, do: action }).toString()}"
      >${label}</a
    >`
  const isFetched = state !== "pinned" && state !== "denied"
  return html`<section class="block" aria-labelledby="document">
    <h2 id="document">Its document</h2>
    <p class="note">
      The app describes itself at
      <a href="${client_id}" rel="noreferrer noopener" target="_blank"><bdi>${client_id}</bdi></a
      >. Name, redirect URIs and keys follow that document.
    </p>
    ${factList([
      ["State", stateTag(document)],
      ["Last fetch", fetched_at === null ? "Never" : moment(fetched_at)],
      ["Next fetch", nextFetch(document)],
      ["Problem", last_error],
    ])}
    <div class="deeds" role="group" aria-label="What you can do with the document">
      ${isFetched && act("document-refresh", "Fetch now")} ${isFetched && act("document-pin", "Pin")}
      ${state === "pinned" && act("document-unpin", "Unpin")}
      ${(state === "denied" || (state === "failing" && hasKey)) && act("document-allow", "Allow")}
      ${state !== "denied" && act("document-deny", "Deny")}
    </div>
  </section>`
}

function stateTag({ state }: DocumentRecord): Html {
  const [text, look] = states[state]
  return tag(text, look)
}

function nextFetch({ state, next_fetch_at }: DocumentRecord): Html | string {
  if (next_fetch_at === null) return state === "pinned" ? "None: it is pinned" : "None"
  return state === "stale" ? "When the app is next connected" : html`After ${moment(next_fetch_at)}`
}
