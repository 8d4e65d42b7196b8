/** Renders the list of invitations, the form that invites a person, and the link that it makes. */
import { type Html, html } from "../../kernel/html.ts"
import { INVITATION_DAYS } from "../../kernel/account-limits.ts"
import { option, options } from "../../platform/ui/fields.ts"
import { field, hidden } from "../../platform/ui/form.ts"
import {
  type ConsoleInput,
  heading,
  problemAlert,
  renderConsole,
  upTo,
} from "../../platform/ui/console/frame.ts"
import { moment } from "../../platform/ui/console/instant.ts"
import { filterSelect, pager, type Paging, table } from "../../platform/ui/console/list.ts"
import { tag } from "../../platform/ui/console/words.ts"
import type { InvitationRecord } from "./invitation-record.ts"

type InvitationsInput = ConsoleInput & {
  readonly invitations: readonly InvitationRecord[]
  readonly paging: Paging
}

export function forWhom({ name, email }: InvitationRecord): string {
  return [name, email].filter((part) => part !== null).join(", ") || "Anyone with the link"
}

export function renderInvitations(input: InvitationsInput): string {
  const { basePath, invitations, paging } = input
  const path = `${basePath}/console/invitations`
  const main = html`${heading(
    "Invitations",
    html`<a class="button primary" href="${basePath}/console/invitation/new">Invite a person</a>`,
    upTo(basePath, "/console/accounts", "Accounts"),
  )}
  ${table({
    caption: "Invitations",
    rows: invitations,
    empty: "No invitation is open.",
    columns: [
      { label: "For", look: "first", cell: (one) => html`<bdi>${forWhom(one)}</bdi>` },
      { label: "Link", cell: ({ mailed }) => (mailed ? "Mailed" : "Handed over") },
      { label: "Account", cell: ({ admin, groups }) => promised(admin, groups) },
      { label: "Invited by", cell: ({ invited_by: by }) => (by === null ? null : html`<bdi>${by}</bdi>`) },
      { label: "Expires", cell: ({ expires_at: at }) => moment(at) },
      {
        label: "Action",
        cell: ({ invitation_id: id }) =>
          html`<a href="${basePath}/console/invitation/revoke?id=${id}">Withdraw</a>`,
      },
    ],
  })}
  ${pager(path, {}, paging)}`
  return renderConsole(input, { title: "Invitations", place: "accounts", main })
}

function promised(admin: boolean, groups: readonly string[]): Html {
  const rest = groups.length === 0 ? (admin ? "" : "Ordinary account") : groups.join(", ")
  return html`${admin && tag("Administrator", "serious")} <bdi>${rest}</bdi>`
}

type NewInvitationInput = ConsoleInput & {
  readonly ticket: string
  /** What was typed. */
  readonly name: string
  readonly email: string
  readonly days: string
  readonly language: string
  readonly admin: boolean
  readonly chosen: ReadonlySet<string>
  readonly groups: readonly { readonly name: string; readonly title: string | null }[]
  /** Whether e-mail is configured. */
  readonly sendsMail: boolean
  readonly languages: readonly string[]
  readonly problem: string | null
}

export function renderNewInvitation(input: NewInvitationInput): string {
  const { basePath, csrf, ticket, name, email, days, admin, chosen, groups, sendsMail, problem } = input
  const { least, most } = INVITATION_DAYS
  const main = html`${heading("Invite a person", false, upTo(basePath, "/console/accounts", "Accounts"))}
    <p class="lead">The person makes the account, with a name and a way to sign in of their own choice.</p>
    ${problemAlert(problem)}
    <form class="stack" method="post" action="${basePath}/console/invitation/new">
      ${hidden("csrf", csrf)}${hidden("ticket", ticket)}
      ${field({
        name: "email",
        label: "E-mail address (optional)",
        type: "email",
        isOptional: true,
        value: email,
        hint: sendsMail
          ? "The link is mailed to it and shown nowhere else. Its use confirms the address. Without one, you hand the link over."
          : "A note for the list. This service sends no e-mail, so you hand the link over.",
        autofocus: true,
      })}
      ${field({
        name: "name",
        label: "Username (optional)",
        isOptional: true,
        value: name,
        hint: "A suggestion. The person can choose another one.",
      })}
      ${field({
        name: "days",
        label: "Days",
        inputmode: "numeric",
        value: days,
        hint: `The link works once, for ${least} to ${most} days.`,
      })}
      ${sendsMail && languageChoice(input)}
      ${
        groups.length > 0 &&
        options(
          "checkbox",
          { legend: "Groups" },
          groups.map((group) => ({
            name: "group",
            value: group.name,
            title: group.title ?? group.name,
            explanation: group.title === null ? "" : group.name,
            isChecked: chosen.has(group.name),
          })),
        )
      }
      <div class="options">
        ${option("checkbox", {
          name: "admin",
          value: "on",
          title: "Administrator",
          explanation: "Can see and change everything in this console. The mail says so.",
          isChecked: admin,
        })}
      </div>
      <button class="primary">Invite</button>
    </form>`
  return renderConsole(input, { title: "Invite a person", place: "accounts", main, narrow: true })
}

function languageChoice({ language, languages }: NewInvitationInput): Html {
  const choices = languages.map((one) => ({ value: one, label: one }))
  return filterSelect("language", "Language of the mail", language, [
    { value: "", label: "As the setting" },
    ...choices,
  ])
}

type InvitedInput = ConsoleInput & { readonly url: string; readonly expiresAt: number }

/** Shows the link. It is shown once. */
export function renderInvited(input: InvitedInput): string {
  const { basePath, url, expiresAt } = input
  const main = html`${heading("Hand over the link", false, upTo(basePath, "/console/invitations", "Invitations"))}
    <p class="lead">Give it to the person alone: it works once, until ${moment(expiresAt)}.</p>
    <div class="field">
      <label for="link">Link</label>
      <input id="link" value="${url}" readonly autofocus />
    </div>`
  return renderConsole(input, { title: "Invite a person", place: "accounts", main, narrow: true })
}
