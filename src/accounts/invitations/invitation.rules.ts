/**
 * Rules of invitations: INVITE-1…INVITE-7.
 *
 * An invitation is a row until its link is used, it is withdrawn, or it expires. The link of a mailed invitation exists
 * in the mail alone, so using it confirms the address.
 */
import type { MailId } from "../../kernel/ids.ts"
import { LINK_LEFT_SECONDS, NOTICE_KEPT_SECONDS } from "../../kernel/limits.ts"
import { isWithin } from "../../kernel/time.ts"
import type { Account } from "../../model/account.rules.ts"
import { type Change, type Decided, decided } from "../../model/change.rules.ts"
import { type Actor, event } from "../../model/event.rules.ts"
import type { Factor } from "../../model/factor.rules.ts"
import type { Invitation } from "../../model/invitation.rules.ts"
import { newEmailAddress } from "../../model/mail/email-address.rules.ts"
import type { AccountEmail } from "../../model/mail/email.rules.ts"
import { groupEvents } from "../groups/group-change.rules.ts"
import { mailed } from "../email/email-change.rules.ts"

export type Invited = "done" | "name-taken" | "address-taken"

type Holders = {
  /** The account that has the name, and the one that has the address. */
  readonly accountByName: Account | null
  readonly emailByKey: AccountEmail | null
}

/** What the mail of an invitation needs besides. Null without a mail. */
type InvitationMail = { readonly sealedLink: string; readonly language: string | null } | null

export function decideInvited(
  { accountByName, emailByKey }: Holders,
  invitation: Invitation,
  mail: InvitationMail,
  { address: networkAddress, actorId }: Actor,
): Decided<Invited> {
  if (accountByName !== null) return decided("name-taken")
  if (emailByKey !== null) return decided("address-taken")
  const { email, madeAt: at, admin } = invitation
  const facts = { actorId, address: networkAddress, detail: detailOf(invitation) }
  return decided<Invited>(
    "done",
    { change: "invitationAdded", invitation },
    ...(mail === null || email === null
      ? []
      : [
          mailed(mailIdOf(invitation), admin ? "invited-administrator" : "invited", {
            userId: null,
            to: { address: email },
            networkAddress: null,
            at,
            expiresAt: Math.min(at + NOTICE_KEPT_SECONDS, invitation.expiresAt - LINK_LEFT_SECONDS),
            ...mail,
          }),
        ]),
    { change: "eventRecorded", event: event("account-invited", at, facts) },
  )
}

/** The mail has the id of its invitation, so that it is not sent after the invitation has ended. */
function mailIdOf({ invitationId }: Invitation): MailId {
  return invitationId as string as MailId
}

/** Whether the link works. What an administrator promised ends with their administration. */
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
  | "passkey-held"

type AcceptanceRows = Holders & {
  readonly invitation: Invitation | null
  /** The account that invited. */
  readonly account: Account | null
  readonly passkey?: Factor | null
}

export type Acceptance = {
  /** The new account. */
  readonly account: Account
  /** The groups of the invitation that are still there. */
  readonly groups: readonly string[]
  /** Adds the passkey or the connection to a provider. A password is part of the account. */
  readonly wayIn: readonly Change[]
  readonly by: string
  readonly address: string
  /** Signs the browser in. */
  readonly signIn: readonly Change[]
}

/** Makes the account. An address that another account has is left out. */
export function decideAccepted(rows: AcceptanceRows, of: Acceptance): Decided<Accepted> {
  const { account, wayIn, by, address, signIn } = of
  const { invitation } = rows
  if (!isInvitationOpen(invitation, rows.account, account.createdAt)) return decided("gone")
  if (rows.accountByName !== null) return decided("taken")
  if ((rows.passkey ?? null) !== null) return decided("passkey-held")
  const { userId, createdAt: now } = account
  const recorded = (kind: Parameters<typeof event>[0], detail: string, actorId?: Account["userId"] | null) =>
    ({
      change: "eventRecorded",
      event: event(kind, now, { userId, address, detail, actorId }),
    }) as const
  return decided<Accepted>(
    "done",
    { change: "accountAdded", account },
    ...wayIn,
    ...membershipsOf(of, invitation),
    ...emailOf(invitation, rows.emailByKey, account),
    { change: "invitationEnded", invitationId: invitation.invitationId },
    recorded("account-added", account.admin ? "administrator, by an invitation" : "by an invitation"),
    ...(account.admin ? [recorded("administration-granted", "by an invitation", invitation.invitedBy)] : []),
    recorded("invitation-accepted", `with ${by}`, invitation.invitedBy),
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

/** Given by hand, as by the one who invited. */
function membershipsOf(
  { account, groups, address }: Acceptance,
  { invitedBy: actorId }: Invitation,
): readonly Change[] {
  const { userId, createdAt: now } = account
  if (groups.length === 0) return []
  const memberships = groups.map((group) => ({ group, provider: null }))
  return [
    { change: "membershipsSet", userId, memberships },
    ...groupEvents(account, groups, { now, address, actorId }),
  ]
}

/** Withdraws an invitation. Returns whether there was one. */
export function decideRevoked(
  invitation: Invitation | null,
  { now, address, actorId }: Actor & { readonly now: number },
): Decided<boolean> {
  if (invitation === null) return decided(false)
  const facts = { actorId, address, detail: detailOf(invitation) }
  return decided(
    true,
    { change: "invitationEnded", invitationId: invitation.invitationId },
    { change: "eventRecorded", event: event("invitation-revoked", now, facts) },
  )
}

/** Describes an invitation for the audit trail. */
function detailOf({ invitationId, username, email, admin, groups }: Invitation): string {
  const inGroups = groups.length === 0 ? null : `groups ${groups.join(" ")}`
  const parts = [invitationId, username, email, admin ? "administrator" : null, inGroups]
  return parts.filter((part) => part !== null).join(", ")
}
