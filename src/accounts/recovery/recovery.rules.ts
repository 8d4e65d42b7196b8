/**
 * Rules of a new password by a one-time link: RECOVER-1…RECOVER-7.
 *
 * A stranger may ask for a link of any account. Such a request sends nothing while an earlier mail still waits, and three
 * mails an hour at most. It ends no link that was mailed, so that a stranger cannot end the link of the owner. A request
 * that sends nothing leaves an event, so that it is as much work as one that sends.
 */
import type { Hash } from "../../kernel/ids.ts"
import { LINK_LEFT_SECONDS, RECOVER_LINK_SECONDS, RECOVERY_MAILS } from "../../kernel/account-limits.ts"
import { HOUR, isPast, isWithin } from "../../kernel/time.ts"
import { type Account, asPerson, hasPassword, type Session } from "../../model/account.rules.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import { type Factor, needsSecondFactor, type ProofKind } from "../../model/factor.rules.ts"
import type { AccountEmail, OneTimeLink } from "../../model/mail/email.rules.ts"
import type { RecentMail } from "../../model/mail/mail.rules.ts"
import { decideNewPassword } from "../account-change.rules.ts"
import { mailed, type NewLink } from "../email/email-change.rules.ts"
import { isLinkAlive } from "../email/email.rules.ts"
import { signInChanges } from "../sessions/sign-in-changes.rules.ts"

type RecoveryRequest = {
  readonly account: Account | null
  readonly email: AccountEmail | null
  readonly mails: readonly RecentMail[]
  /** Whether the browser has signed in to the account before. */
  readonly isKnownBrowser: boolean
  /** Whether the audit trail has room for another request with this name. */
  readonly leavesEvent: boolean
  readonly passwordDigest: Hash | null
  readonly now: number
  readonly networkAddress: string | null
}

/** Sends a link to the confirmed address. An account that has no password signs in elsewhere, and gets no link. */
export function decideRequested(request: RecoveryRequest, link: NewLink): readonly Change[] {
  const { account, email, now, networkAddress } = request
  if (account === null || email === null)
    return refused(request, account === null ? null : "no e-mail address")
  const problem = problemOf(request, account)
  if (problem !== null) return refused(request, problem)
  const { userId, address } = email
  const expiresAt = now + RECOVER_LINK_SECONDS
  return [
    ...newRecoveryLink(request, account, "recover", address, link.linkHash),
    mailed(link.mailId, "recover", {
      userId,
      to: { address },
      networkAddress,
      sealedLink: link.sealedLink,
      at: now,
      expiresAt: expiresAt - LINK_LEFT_SECONDS,
    }),
  ]
}

function problemOf({ mails, isKnownBrowser, now }: RecoveryRequest, account: Account): string | null {
  if (asPerson(account) === null) return "not a person"
  if (!account.enabled) return "the account is disabled"
  if (!hasPassword(account)) return "the account has no password"
  const recoveryMails = mails.filter(({ kind }) => kind === "recover")
  if (recoveryMails.some(({ isWaiting, expiresAt }) => isWaiting && !isPast(expiresAt, now)))
    return "a link is on its way"
  const { hour, day } = RECOVERY_MAILS[isKnownBrowser ? "known" : "stranger"]
  const inAnHour = recoveryMails.filter(({ at }) => isWithin(at, now, HOUR)).length
  return inAnHour >= hour || recoveryMails.length >= day ? "too many links were sent" : null
}

function refused(
  { account, leavesEvent, now, networkAddress }: RecoveryRequest,
  detail: string | null,
): readonly Change[] {
  if (!leavesEvent) return []
  const facts = { userId: account?.userId ?? null, address: networkAddress, detail }
  return [eventRecorded("recovery-refused", now, facts)]
}

export function decideByHand(
  request: Pick<RecoveryRequest, "passwordDigest" | "now" | "networkAddress">,
  account: Account,
  linkHash: Hash,
): readonly Change[] {
  const { userId } = account
  return [
    { change: "linksEnded", userId, purpose: "recover-by-hand", since: 0 },
    ...newRecoveryLink(request, account, "recover-by-hand", null, linkHash),
  ]
}

function newRecoveryLink(
  { passwordDigest, now, networkAddress }: Pick<RecoveryRequest, "passwordDigest" | "now" | "networkAddress">,
  { userId }: Account,
  purpose: "recover" | "recover-by-hand",
  address: string | null,
  linkHash: Hash,
): readonly Change[] {
  const expiresAt = now + RECOVER_LINK_SECONDS
  const detail = purpose === "recover" ? "by e-mail" : null
  return [
    {
      change: "linkAdded",
      link: { linkHash, userId, purpose, address, passwordDigest, madeAt: now, expiresAt },
    },
    eventRecorded("recovery-link-made", now, { userId, address: networkAddress, detail }),
  ]
}

type Held = {
  readonly account: Account | null
  readonly email: AccountEmail | null
  readonly passwordDigest: Hash | null
}

/** Whether a link for a new password works. The account must still have the address that the link was sent to. */
export function isRecoveryAlive(link: OneTimeLink | null, held: Held, now: number): link is OneTimeLink {
  if (link?.purpose === "recover-by-hand") return isLinkAlive(link, "recover-by-hand", held, now)
  return isLinkAlive(link, "recover", held, now) && link.address === held.email?.address
}

/** A browser that shows a link, and what it proved besides. */
type RecoveryAttempt = {
  readonly now: number
  readonly networkAddress: string
  readonly browserHash: Hash
  /** The former session of the browser. */
  readonly formerHash: Hash | null
  /** The second factor that was proven with this link, or null. */
  readonly proven: ProofKind | null
  readonly session: Session
}

export type Recovered = "done" | "gone" | "unproven"

/** Sets the password, signs every browser out, and signs this one in. */
export function decideRecovered(
  link: OneTimeLink | null,
  held: Held & { readonly factors: readonly Factor[] },
  passwordHash: string,
  { now, networkAddress, browserHash, formerHash, proven, session }: RecoveryAttempt,
): Decided<Recovered> {
  const { account } = held
  if (account === null || !isRecoveryAlive(link, held, now)) return decided<Recovered>("gone")
  if (needsSecondFactor(held.factors) && proven === null) return decided<Recovered>("unproven")
  const { userId } = account
  const change = { account, otherAdministrator: null, now, address: networkAddress }
  const detail = proven ?? null
  return decided<Recovered>(
    "done",
    { change: "linksEnded", userId, purpose: "recover", since: 0 },
    { change: "linksEnded", userId, purpose: "recover-by-hand", since: 0 },
    ...decideNewPassword(change, passwordHash, null).changes,
    ...signInChanges({ session, formerHash, browserHash, detail }),
  )
}
