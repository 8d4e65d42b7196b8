/** Renders the list of accounts, and the form that adds one. */
import { PASSWORD_LENGTH } from "../../kernel/account-limits.ts"
import type { Account } from "../../model/account.rules.ts"
import { option } from "../../platform/ui/fields.ts"
import { field, hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import {
  type ConsoleInput,
  heading,
  problemAlert,
  renderConsole,
  upTo,
} from "../../platform/ui/console/frame.ts"
import {
  filterField,
  filterForm,
  filterSelect,
  noMatch,
  pager,
  type Paging,
  table,
  wholeList,
} from "../../platform/ui/console/list.ts"
import { moment } from "../../platform/ui/console/instant.ts"
import { accountLink, type AccountRef, tag } from "../../platform/ui/console/words.ts"

export type AccountView = Pick<
  Account,
  "userId" | "username" | "admin" | "groups" | "enabled" | "createdAt" | "type"
> & {
  /** The person who owns a service account. */
  readonly owner: AccountRef | null
}

/** How an account signs in. A service account does not. */
export type SignInView = {
  /** The time of the last recorded sign-in, or null. */
  readonly lastSignIn: number | null
  readonly hasSecondStep: boolean
}

export type AccountsInput = ConsoleInput & {
  readonly accounts: readonly (AccountView & SignInView)[]
  /** The search text, which account names start with. Empty text finds all names. */
  readonly name: string
  /** One of `kinds`. An empty text finds all accounts. */
  readonly only: string
  readonly paging: Paging
}

const kinds = [
  { value: "", label: "All accounts" },
  { value: "administrators", label: "Administrators" },
  { value: "disabled", label: "Disabled" },
  { value: "service", label: "Service accounts" },
] as const

export function renderAccounts(input: AccountsInput): string {
  const { basePath, accounts, name, only, paging } = input
  const path = `${basePath}/console/accounts`
  const isFiltered = name !== "" || only !== ""
  const main = html`${heading(
    "Accounts",
    html`<div class="deeds">
      <a class="button primary" href="${basePath}/console/invitation/new">Invite a person</a>
      <a class="button" href="${basePath}/console/account/new">Add an account</a>
    </div>`,
  )}
  ${filterForm(path, isFiltered, [
    filterField({ name: "name", label: "Name begins with", value: name, type: "search" }),
    filterSelect("only", "Type", only, kinds),
  ])}
  ${table({
    caption: "Accounts",
    rows: accounts,
    empty: isFiltered ? noMatch(path, "account") : "No accounts.",
    columns: [
      { label: "Name", look: "first", cell: (account) => accountLink(basePath, account) },
      { label: "Status", cell: (account) => standing(basePath, account) },
      { label: "Second step", cell: secondStep },
      {
        label: "Last sign-in",
        cell: ({ type, lastSignIn }) =>
          type === "service" ? null : lastSignIn === null ? "None recorded" : moment(lastSignIn),
      },
      { label: "Created", cell: ({ createdAt }) => moment(createdAt) },
    ],
  })}
  ${pager(path, { name, only }, paging, name === "" ? "Older" : "More")}
  ${wholeList(basePath, "/console/invitations", {}, "Open invitations")}`
  return renderConsole(input, { title: "Accounts", place: "accounts", main })
}

/** Only administrators without a second step stand out, because a stolen password opens the console. */
function secondStep({ type, admin, hasSecondStep }: AccountView & SignInView): Html | string | null {
  if (type === "service") return null
  if (hasSecondStep) return tag("Enrolled", "good")
  return admin ? tag("None", "serious") : "None"
}

/** Shows the type of the account and its owner, and whether it is an administrator or disabled. */
export function standing(
  basePath: string,
  { admin, enabled, type, owner }: Pick<AccountView, "admin" | "enabled" | "type" | "owner">,
): Html {
  const marks = html`${admin && tag("Administrator", "serious")} ${!enabled && tag("Disabled", "wrong")}`
  if (type === "service")
    return html`${tag("Service account")} ${owner !== null && html`of ${accountLink(basePath, owner)}`}
    ${marks}`
  return !admin && enabled ? html`<span class="note">Ordinary account</span>` : marks
}

export type NewAccountInput = ConsoleInput & {
  readonly typedName: string
  readonly admin: boolean
  readonly problem: string | null
}

export function renderNewAccount(input: NewAccountInput): string {
  const { basePath, csrf, typedName, admin, problem } = input
  const main = html`${heading("Add an account", false, upTo(basePath, "/console/accounts", "Accounts"))}
    ${problemAlert(problem)}
    <form class="stack" method="post" action="${basePath}/console/account/new">
      ${hidden("csrf", csrf)}
      ${field({
        name: "username",
        label: "Name",
        value: typedName,
        hint: "The person signs in with this name. Apps can see it.",
        describedBy: problem === null ? null : "problem",
        autofocus: true,
      })}
      ${field({
        name: "password",
        label: "Password",
        type: "password",
        autocomplete: "new-password",
        hint: `At least ${PASSWORD_LENGTH.least} characters. Give it to the person securely. They can change it under “Sign-in and security”.`,
      })}
      <div class="options">
        ${option("checkbox", {
          name: "admin",
          value: "on",
          title: "Administrator",
          explanation: "Can see and change everything in this console.",
          isChecked: admin,
        })}
      </div>
      <button class="primary">Add account</button>
    </form>`
  return renderConsole(input, { title: "Add an account", place: "accounts", main, narrow: true })
}
