/** Renders the console page of one account. `account-actions.ts` has the pages behind its buttons, such as Unlock. */
import { PASSWORD_LENGTH } from "../../kernel/account-limits.ts"
import type { Session } from "../../model/account.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { browserInWords } from "../../accounts/sessions/browser-name.ts"
import { field, hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { type AccountView, standing } from "./accounts.view.ts"
import type { CredentialView } from "../credentials/credential-with-app.ts"
import { credentialTable } from "../credentials/credentials.view.ts"
import type { EventRecord } from "../events/event-record.ts"
import { eventTable } from "../events/events.view.ts"
import {
  type ConsoleInput,
  heading,
  problemAlert,
  renderConsole,
  upTo,
} from "../../platform/ui/console/frame.ts"
import { table } from "../../platform/ui/console/list.ts"
import { moment } from "../../platform/ui/console/instant.ts"
import { appLink, counted, factList, groupLinks, tag } from "../../platform/ui/console/words.ts"
import { wholeList } from "../../platform/ui/console/list.ts"

export type AccountInput = ConsoleInput & {
  readonly account: AccountView
  /** The number of factors of each kind. */
  readonly factors: { readonly totp: number; readonly passkey: number; readonly recoveryLeft: number | null }
  /** Whether the account accepts codes from known browsers only. */
  readonly areCodesClosed: boolean
  /** The lists are sorted, newest first. */
  readonly sessions: readonly Session[]
  readonly apps: readonly Pick<Client, "clientId" | "name" | "enabled">[]
  readonly credentials: readonly CredentialView[]
  readonly events: readonly EventRecord[]
}

export function renderConsoleAccount(input: AccountInput): string {
  const { basePath, account } = input
  const main = html`${heading(
      html`<bdi class="name">${shownName(account.username, "An account without a name")}</bdi>`,
      false,
      upTo(basePath, "/console/accounts", "Accounts"),
    )}
    ${facts(input)} ${actions(input)}
    <section class="block" aria-labelledby="access">
      <h2 id="access">App access</h2>
      ${credentialTable(basePath, input.credentials, "No app has access.", { account: false })}
      ${wholeList(basePath, "/console/credentials", { account: account.username }, "All credentials of this account")}
    </section>
    ${account.type === "person" && sessions(input)} ${apps(input)}
    <section class="block" aria-labelledby="events">
      <h2 id="events">Events</h2>
      ${eventTable(basePath, input.events, "No events.", { account: false })}
      ${wholeList(basePath, "/console/events", { account: account.username }, "All events of this account")}
    </section>`
  return renderConsole(input, { title: shownName(account.username, "Account"), place: "accounts", main })
}

function facts({ basePath, account, factors, areCodesClosed }: AccountInput): Html {
  const { totp, passkey, recoveryLeft } = factors
  const kinds = [
    totp > 0 && counted(totp, "authenticator app"),
    passkey > 0 && counted(passkey, "passkey"),
    recoveryLeft !== null && counted(recoveryLeft, "recovery code"),
  ].filter((kind) => kind !== false)
  return factList([
    ["Status", standing(basePath, account)],
    ["Groups", account.groups.length > 0 && groupLinks(basePath, account.groups)],
    ["Created", moment(account.createdAt)],
    ["Sign-in", account.type === "service" && "None. Apps that are bound to it act as it."],
    ["Second steps", account.type === "person" && (kinds.length === 0 ? "None" : kinds.join(", "))],
    ...(areCodesClosed
      ? ([["Codes", tag("Work only in known browsers, after too many wrong codes", "wrong")]] as const)
      : []),
    ["Id", html`<code class="id">${account.userId}</code>`],
  ])
}

/** The possible actions. Harmless actions come first. */
function actions({ basePath, csrf, account, factors, areCodesClosed }: AccountInput): Html {
  const { userId, admin, enabled, type } = account
  const page = (path: string, label: string, look = "button") =>
    html`<a class="${look}" href="${basePath}/console/account/${path}">${label}</a>`
  const act = (deed: string, label: string, look?: string) =>
    page(`act?id=${encodeURIComponent(userId)}&do=${deed}`, label, look)
  const hasFactors = factors.totp + factors.passkey > 0
  return html`<div class="deeds" role="group" aria-label="What you can do">
    ${page(`rename?id=${encodeURIComponent(userId)}`, "Rename")}
    ${page(`groups?id=${encodeURIComponent(userId)}`, "Change groups")}
    ${type === "person" && page(`password?id=${encodeURIComponent(userId)}`, "Set a new password")}
    ${areCodesClosed && act("unlock", "Unlock")} ${hasFactors && act("factors", "Reset its factors")}
    ${admin ? act("withdraw", "Withdraw administration") : act("grant", "Make it an administrator")}
    ${
      enabled
        ? act("disable", "Disable", "button danger")
        : html`<form method="post" action="${basePath}/console/account/act">
            ${hidden("csrf", csrf)}${hidden("id", userId)}${hidden("do", "enable")}
            <button class="primary">Enable</button>
          </form>`
    }
    ${act("remove", "Remove", "button danger")}
  </div>`
}

function sessions({ sessions: open, texts }: AccountInput): Html {
  return html`<section class="block" aria-labelledby="sessions">
    <h2 id="sessions">Signed-in browsers</h2>
    ${table({
      caption: "Signed-in browsers",
      rows: open,
      empty: "No browser is signed in.",
      columns: [
        { label: "Browser", look: "first", cell: ({ userAgent }) => browserInWords(texts, userAgent) },
        { label: "From", cell: ({ address }) => html`<bdi>${address}</bdi>` },
        { label: "Signed in", cell: ({ createdAt }) => moment(createdAt) },
        { label: "Last seen", cell: ({ seenAt }) => moment(seenAt) },
      ],
    })}
  </section>`
}

function apps({ basePath, account, apps: owned }: AccountInput): Html | false {
  if (owned.length === 0) return false
  return html`<section class="block" aria-labelledby="apps">
    <h2 id="apps">Apps it owns</h2>
    ${table({
      caption: "Apps it owns",
      rows: owned,
      empty: "",
      columns: [
        { label: "App", look: "first", cell: (app) => appLink(basePath, app) },
        {
          label: "Status",
          cell: ({ enabled }) => (enabled ? tag("Enabled", "good") : tag("Disabled", "wrong")),
        },
      ],
    })}
    ${wholeList(basePath, "/console/apps", { owner: account.username }, "All apps of this account")}
  </section>`
}

type OneField = ConsoleInput & {
  readonly account: Pick<AccountView, "userId" | "username">
  readonly typed: string
  readonly problem: string | null
}

export function renderRename(input: OneField): string {
  const { basePath, csrf, account, typed, problem } = input
  const back = `${basePath}/console/account?id=${encodeURIComponent(account.userId)}`
  const main = html`${heading(html`Rename <bdi class="name">${shownName(account.username, "")}</bdi>`)}
    ${problemAlert(problem)}
    <form class="stack" method="post" action="${basePath}/console/account/rename">
      ${hidden("csrf", csrf)}${hidden("id", account.userId)}
      ${field({
        name: "username",
        label: "New name",
        value: typed,
        hint: "The person signs in with the new name from now on. Apps keep their access and see the new name.",
        describedBy: problem === null ? null : "problem",
        autofocus: true,
      })}
      <div class="deeds">
        <button class="primary">Rename</button><a class="button" href="${back}">Cancel</a>
      </div>
    </form>`
  return renderConsole(input, { title: "Rename", place: "accounts", main, narrow: true })
}

export function renderSetPassword(input: Omit<OneField, "typed">): string {
  const { basePath, csrf, account, problem } = input
  const back = `${basePath}/console/account?id=${encodeURIComponent(account.userId)}`
  const main = html`${heading(html`Set a new password for <bdi class="name">${shownName(account.username, "")}</bdi>`)}
    ${problemAlert(problem)}
    <p class="lead">
      This signs out every browser of the account. Apps keep their access. Make sure that the request comes
      from the owner.
    </p>
    <form class="stack" method="post" action="${basePath}/console/account/password">
      ${hidden("csrf", csrf)}${hidden("id", account.userId)}
      ${field({
        name: "password",
        label: "New password",
        type: "password",
        autocomplete: "new-password",
        hint: `At least ${PASSWORD_LENGTH.least} characters.`,
        describedBy: problem === null ? null : "problem",
        autofocus: true,
      })}
      <div class="deeds">
        <button class="primary">Set password</button><a class="button" href="${back}">Cancel</a>
      </div>
    </form>`
  return renderConsole(input, { title: "Set a new password", place: "accounts", main, narrow: true })
}
