/**
 * Derives notices from the events of a change. Every event passes through here, whatever wrote it. MAIL-7.
 *
 * Notices go to the confirmed address. A new password is also told to the address before a recent change, because a thief
 * may have changed it.
 */
import type { Hash, MailId } from "../../kernel/ids.ts"
import { hostOf } from "../../kernel/https-url.ts"
import { NOTICE_KEPT_SECONDS } from "../../kernel/account-limits.ts"
import type { Change, Decided } from "../../model/change.rules.ts"
import type { Event, EventKind } from "../../model/event.rules.ts"
import type { MailKind, NewMail } from "../../model/mail/mail.rules.ts"

type Notice = Omit<NewMail, "mailId">

/** The events of which people get a mail. */
const kinds: { readonly [K in EventKind]?: MailKind } = {
  "password-changed": "password-changed",
  "factor-added": "factor-added",
  "factor-removed": "factor-removed",
  "factors-reset": "factor-removed",
  "identity-linked": "factor-added",
  "identity-unlinked": "factor-removed",
  "signed-in": "signed-in",
  consented: "app-connected",
  "device-approved": "app-connected",
  "code-replayed": "token-reused",
  "refresh-token-reused": "token-reused",
}

export function noticesOf(changes: readonly Change[]): readonly Notice[] {
  const notices: Notice[] = []
  for (const change of changes)
    if (change.change === "eventRecorded") notices.push(...noticesOfEvent(change.event, changes))
  return notices
}

function noticesOfEvent(event: Event, changes: readonly Change[]): readonly Notice[] {
  const kind = kinds[event.kind]
  if (kind === undefined || event.userId === null) return []
  const notice: Notice = {
    userId: event.userId,
    kind,
    to: "current",
    clientId: event.clientId,
    redirectHost: kind === "app-connected" ? redirectHostIn(changes) : null,
    networkAddress: event.address,
    sealedLink: null,
    unlessKnown: kind === "signed-in" ? browserIn(changes) : null,
    at: event.at,
    expiresAt: event.at + NOTICE_KEPT_SECONDS,
  }
  return kind === "password-changed" ? [notice, { ...notice, to: "former" }] : [notice]
}

function browserIn(changes: readonly Change[]): Hash | null {
  for (const change of changes) if (change.change === "browserKnown") return change.browserHash
  return null
}

/** Returns the host of the redirect URI of a new credential. Returns null for an app on the person's own machine. */
function redirectHostIn(changes: readonly Change[]): string | null {
  for (const change of changes) {
    const host = change.change === "credentialAdded" ? hostOf(change.credential.code?.redirectUri ?? "") : ""
    if (host !== "") return host
  }
  return null
}

export function queued(notice: Notice, mailId: MailId): Change {
  return { change: "mailQueued", mail: { ...notice, mailId } }
}

/** Leaves out the mails if the operator has not configured e-mail. */
export function withoutMail<A>(config: object | null, { answer, changes }: Decided<A>): Decided<A> {
  return config === null
    ? { answer, changes: changes.filter(({ change }) => change !== "mailQueued") }
    : { answer, changes }
}
