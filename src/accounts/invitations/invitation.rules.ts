/**
 * Rules of invitations: INVITE-1…INVITE-7.
 *
 * An invitation is a row until its link is used, it is withdrawn, it expires, or the one who invited stops being an
 * administrator. The link of a mailed invitation exists in the mail alone, so using it confirms the address.
 */
import type { MailId } from "../../kernel/ids.ts"
import { LINK_LEFT_SECONDS, NOTICE_KEPT_SECONDS } from "../../kernel/account-limits.ts"
import { isWithin } from "../../kernel/time.ts"
import type { Account } from "../../model/account.rules.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import type { Actor, EventKind } from "../../model/event.rules.ts"
import type { Factor } from "../../model/factor.rules.ts"
import type { Invitation } from "../../model/invitation.rules.ts"
import { newEmailAddress } from "../../model/mail/email-address.rules.ts"
import type { AccountEmail } from "../../model/mail/email.rules.ts"
import { addedAccount } from "../account-change.rules.ts"
import { groupEvents } from "../groups/group-change.rules.ts"
import { mailed } from "../email/email-change.rules.ts"

export type Invited = "done" | "name-taken" | "address-taken" | "not-administrator"

type Rows = {
  /** The account that has the name, and the one that has the address. */
  readonly accountByName: Account | null
  readonly emailByKey: AccountEmail | null
  /** The administrator who invites. */
  readonly account: Account | null
}

/** What the mail of an invitation needs besides. Null without a mail. */
type InvitationMail = { readonly sealedLink: string; readonly language: string | null } | null

export function decideInvited(
  { accountByName, emailByKey, account }: Rows,
  invitation: Invitation,
  mail: InvitationMail,
  by: Actor,
): Decided<Invited> {
  const { email, madeAt: at, admin, expiresAt } = invitation
  if (!isInvitationOpen(invitation, account, at)) return decided("not-administrator")
  if (accountByName !== null) return decided("name-taken")
  if (emailByKey !== null) return decided("address-taken")
  const end = Math.min(at + NOTICE_KEPT_SECONDS, expiresAt - LINK_LEFT_SECONDS)
  const of = { userId: null, to: { address: email ?? "" }, networkAddress: null, at, expiresAt: end }
  return decided<Invited>(
    "done",
    { change: "invitationAdded", invitation },
    ...(mail === null
      ? []
      : [mailed(mailIdOf(invitation), admin ? "invited-administrator" : "invited", { ...of, ...mail })]),
    recorded("account-invited", invitation, { ...by, now: at }),
  )
}

/** The mail has the id of its invitation, so that it is not sent after the invitation has ended. */
function mailIdOf({ invitationId }: Invitation): MailId {
  return invitationId as string as MailId
}

/** Whether the link works. Null as the inviter of an invitation stands for the command line. */
export function isInvitationOpen(
  invitation: Invitation | null,
  inviter: Account | null,
  now: number,
): invitation is Invitation {
  if (invitation === null) return false
  const { madeAt, expiresAt, invitedBy } = invitation
  if (!isWithin(madeAt, now, expiresAt - madeAt)) return false
  return invitedBy === null || (inviter?.userId === invitedBy && inviter.admin && inviter.enabled)
}

export type Accepted =
  | "done"
  /** The invitation was used, was withdrawn or has expired. */
  | "gone"
  /** There is an account of that name. */
  | "taken"
  /** Another account has the passkey. */
  | "passkey-failed"

type AcceptanceRows = Rows & { readonly invitation: Invitation | null; readonly passkey?: Factor | null }

export type Acceptance = {
  /** The new account. */
  readonly account: Account
  /** Adds the passkey or the connection to a provider. A password is part of the account. */
  readonly wayIn: readonly Change[]
  readonly by: string
  readonly address: string
  /** Signs the browser in. */
  readonly signIn: readonly Change[]
}

/** Makes the account, in the audit trail by the one who invited. An address that another account has is left out. */
export function decideAccepted(
  { invitation, account: inviter, accountByName, emailByKey, passkey = null }: AcceptanceRows,
  { account, wayIn, by, address, signIn }: Acceptance,
): Decided<Accepted> {
  const { userId, createdAt: now } = account
  if (!isInvitationOpen(invitation, inviter, now)) return decided("gone")
  if (accountByName !== null) return decided("taken")
  if (passkey !== null) return decided("passkey-failed")
  const { groups, invitedBy: actorId, invitationId } = invitation
  const actor = { address, actorId, now }
  const memberships = groups.map((group) => ({ group, provider: null }))
  return decided<Accepted>(
    "done",
    ...addedAccount(account, actor, now, "by an invitation"),
    ...wayIn,
    ...(groups.length === 0 ? [] : [{ change: "membershipsSet", userId, memberships } as const]),
    ...groupEvents(account, groups, actor),
    ...emailOf(invitation, emailByKey, account),
    { change: "invitationEnded", invitationId },
    eventRecorded("invitation-accepted", now, { userId, address, actorId, detail: `with ${by}` }),
    ...signIn,
  )
}

function emailOf(
  { isMailed, email }: Invitation,
  holder: AccountEmail | null,
  { userId, createdAt: verifiedAt }: Account,
): readonly Change[] {
  const parsed = newEmailAddress(email ?? "")
  if (!isMailed || !parsed.ok || holder !== null) return []
  return [{ change: "emailSet", email: { userId, ...parsed.value, verifiedAt } }]
}

/** Withdraws an invitation. Returns whether there was one. */
export function decideRevoked(
  invitation: Invitation | null,
  by: Actor & { readonly now: number },
): Decided<boolean> {
  return invitation === null
    ? decided(false)
    : decided(
        true,
        { change: "invitationEnded", invitationId: invitation.invitationId },
        recorded("invitation-revoked", invitation, by),
      )
}

function recorded(
  kind: EventKind,
  { invitationId, username, email, admin, groups }: Invitation,
  { now, address, actorId }: Actor & { readonly now: number },
): Change {
  const inGroups = groups.length === 0 ? null : `groups ${groups.join(" ")}`
  const parts = [invitationId, username, email, admin ? "administrator" : null, inGroups]
  const detail = parts.filter((part) => part !== null).join(", ")
  return eventRecorded(kind, now, { actorId, address, detail })
}
