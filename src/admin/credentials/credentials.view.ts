/** Renders the list of credentials, newest first. */
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { type ConsoleInput, heading, renderConsole } from "../../platform/ui/console/frame.ts"
import {
  type Column,
  filterField,
  filterForm,
  filterSelect,
  noMatch,
  pager,
  type Paging,
  table,
} from "../../platform/ui/console/list.ts"
import { moment } from "../../platform/ui/console/instant.ts"
import { accountLink, appLink, count, stateTag } from "../../platform/ui/console/words.ts"
import type { CredentialView } from "./credential-with-app.ts"

type CredentialsInput = ConsoleInput & {
  readonly credentials: readonly CredentialView[]
  readonly filter: { readonly account: string; readonly app: string; readonly state: string }
  /** Problems with the fields of the filter. */
  readonly problems: { readonly account: string | null; readonly app: string | null }
  readonly paging: Paging
}

const states = [
  { value: "", label: "All" },
  { value: "live", label: "Active" },
  { value: "over", label: "Ended" },
] as const

export function renderCredentials(input: CredentialsInput): string {
  const { basePath, credentials, filter, problems, paging } = input
  const path = `${basePath}/console/credentials`
  const isFiltered = Object.values(filter).some((value) => value !== "")
  const main = html`${heading("Credentials")}
    <p class="note">
      A credential is the access that one consent gave to an app. Credentials that have ended are removed
      after a week.
    </p>
    ${filterForm(path, isFiltered, [
      filterField({ name: "account", label: "Account", value: filter.account, problem: problems.account }),
      filterField({ name: "app", label: "App (name or id)", value: filter.app, problem: problems.app }),
      filterSelect("state", "State", filter.state, states),
    ])}
    ${credentialTable(basePath, credentials, isFiltered ? noMatch(path, "credential") : "No credentials yet.")}
    ${pager(path, filter, paging)}`
  return renderConsole(input, { title: "Credentials", place: "credentials", main })
}

type Shown = { readonly account?: boolean; readonly app?: boolean }

/** Renders the table. On the page of one account or app, the table has no column for it. */
export function credentialTable(
  basePath: string,
  rows: readonly CredentialView[],
  empty: Insertable,
  { account = true, app = true }: Shown = {},
): Html {
  const columns: readonly (Column<CredentialView> | false)[] = [
    { label: "Installation", look: "first", cell: (row) => installation(basePath, row) },
    app && {
      label: "App",
      cell: ({ client_id: clientId, appName: name }) => appLink(basePath, { clientId, name }),
    },
    account && {
      label: "Account",
      cell: ({ user_id: userId, username }) => accountLink(basePath, { userId, username }),
    },
    { label: "State", cell: ({ state }) => stateTag(state) },
    { label: "Permissions in effect", cell: reachInShort },
    { label: "Consented", cell: ({ consented_at }) => moment(consented_at) },
    { label: "Refreshed", cell: ({ rotated_at }) => (rotated_at === null ? "Never" : moment(rotated_at)) },
  ]
  const shown = columns.filter((column) => column !== false)
  return table({ caption: "Credentials", rows, empty, columns: shown })
}

function installation(basePath: string, { token_id, installation_name }: CredentialView): Html {
  const name = installation_name === null ? "" : shownName(installation_name, "", 100)
  return html`<a href="${basePath}/console/credential?id=${token_id}"
    >${name === "" ? html`<code>…${token_id.slice(-8)}</code>` : html`<bdi>${name}</bdi>`}</a
  >`
}

/** Counts the consented permissions that the credential reaches now. */
function reachInShort({ reach, scope }: CredentialView): string {
  const [reached, consented] = [reach, scope].map((names) => (names === "" ? 0 : names.split(" ").length))
  return `${count(reached ?? 0)} of ${count(consented ?? 0)}`
}
