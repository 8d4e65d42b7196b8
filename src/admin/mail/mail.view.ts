/** Renders the outbox in the console. It shows no address of a recipient. MAIL-10. */
import { type Html, html } from "../../kernel/html.ts"
import type { ListedMail, MailBacklog, MailKind } from "../../model/mail/mail.rules.ts"
import { type ConsoleInput, heading, renderConsole, upTo } from "../../platform/ui/console/frame.ts"
import { moment } from "../../platform/ui/console/instant.ts"
import { table } from "../../platform/ui/console/list.ts"
import { type AccountRef, accountLink, count, tag } from "../../platform/ui/console/words.ts"
import { fact } from "../../platform/ui/parts.ts"

export type MailView = ListedMail & { readonly account: AccountRef | null }

export type MailsInput = ConsoleInput & {
  /** The server with its port, and the sender's address. The value is null without e-mail. */
  readonly sender: { readonly server: string; readonly from: string } | null
  readonly backlog: MailBacklog
  readonly mails: readonly MailView[]
}

const kinds: { readonly [K in MailKind]: string } = {
  "confirm-address": "Confirm an address",
  recover: "Link for a new password",
  "address-added": "Address added",
  "address-changed": "Address changed",
  "address-restored": "Address brought back",
  "password-changed": "Password changed",
  "signed-in": "New browser",
  "app-connected": "App connected",
  "factor-added": "Way to sign in added",
  "factor-removed": "Way to sign in removed",
  "token-reused": "Token reused",
  invited: "Invitation",
  "invited-administrator": "Invitation of an administrator",
}

export function renderMails(input: MailsInput): string {
  const { basePath, sender, backlog, mails } = input
  if (sender === null) return renderUnconfigured(input)
  const main = html`${heading("E-mail", false, upTo(basePath, "/console/settings", "Settings"))}
    <p class="note">
      Mail is sent by <bdi>${sender.server}</bdi> in the name of <bdi>${sender.from}</bdi>. To try the server,
      run <code>bin/latchkey mail test ADDRESS</code>.
    </p>
    ${figures(backlog)}
    ${table({
      caption: "Mails that were not sent",
      rows: mails,
      empty: "No mail waits.",
      columns: [
        { label: "Mail", look: "first", cell: ({ kind }) => kinds[kind] },
        { label: "Account", cell: ({ account }) => account && accountLink(basePath, account) },
        { label: "Queued", cell: ({ at }) => moment(at) },
        { label: "State", cell: stateOf },
        { label: "Attempts", cell: ({ tries }) => count(tries) },
        { label: "Next attempt", cell: ({ nextTryAt }) => (nextTryAt === null ? null : moment(nextTryAt)) },
        { label: "Problem", cell: ({ problem }) => problem },
      ],
    })}`
  return renderConsole(input, { title: "E-mail", place: "settings", main })
}

function renderUnconfigured(input: MailsInput): string {
  const main = html`${heading("E-mail", false, upTo(input.basePath, "/console/settings", "Settings"))}
    <p>
      This service sends no e-mail. Name a mail server under <code>mail</code> in the configuration file.
    </p>`
  return renderConsole(input, { title: "E-mail", place: "settings", main })
}

function figures({ waiting, failing, oldestAt, sent, dropped }: MailBacklog): Html {
  return html`<dl class="figures">
      ${fact("Waiting", count(waiting))} ${fact("Failing", count(failing))}
      ${fact("Sent in a day", count(sent))} ${fact("Given up", count(dropped))}
    </dl>
    ${oldestAt !== null && html`<p class="note">The oldest waiting mail was queued ${moment(oldestAt)}.</p>`}`
}

function stateOf({ nextTryAt, problem }: ListedMail): Html {
  if (nextTryAt === null) return tag("Given up", "wrong")
  return problem === null ? tag("Waiting") : tag("Failing", "serious")
}
