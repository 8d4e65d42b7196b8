/**
 * The answer to a consent page, decided: interface CONSENT-*, GRANT-*.
 *
 * 1. The ticket must be of this session and this account.
 * 2. The first submission decides; any later one changes nothing and says so.
 * 3. Anything but one clear "authorize" is a refusal.
 */
import type { Account, Session } from "../../records/account.rules.ts"
import type { Hash, MatchedRedirectUri, Permission, TokenId, UserId } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../records/change.rules.ts"
import type { Client } from "../../records/client.rules.ts"
import type { Credential } from "../../records/credential.rules.ts"
import { event } from "../../records/event.rules.ts"
import { CODE_SECONDS, CREDENTIAL_SECONDS, TICKET_SECONDS } from "../../kernel/limits.ts"
import { isAdmin } from "../../permissions/permission.rules.ts"
import { resolveClient } from "../clients/resolve.rules.ts"
import { matchRedirectUri } from "../clients/redirect-uri.rules.ts"
import { consentedTo } from "../../records/self-registration.rules.ts"
import type { AuthorizationRequest } from "./authorization-request.rules.ts"
import { isWithin } from "../../kernel/time.ts"

/** A validated request, as a page showed it to an account. Its id becomes the credential's. */
export type ConsentTicket = {
  readonly id: TokenId
  readonly request: AuthorizationRequest
  /** What the page shows as granted. */
  readonly granted: readonly Permission[]
  readonly sessionHash: Hash
  readonly userId: UserId
  readonly shownAt: number
}

/** An authorization code, made before the decision. */
export type ConsentCode = { readonly text: string; readonly hash: Hash }

export type ConsentFacts = {
  readonly session: Session | null
  readonly account: Account | null
  readonly client: Client | null
  readonly spentTicket: { readonly spentAt: number } | null
}

export type ConsentAnswer =
  | {
      readonly outcome: "granted"
      readonly redirectUri: MatchedRedirectUri
      readonly state: string
      readonly code: string
    }
  | { readonly outcome: "refused"; readonly redirectUri: MatchedRedirectUri; readonly state: string }
  /** This submission decides nothing; the service shows a page of its own. */
  | { readonly outcome: "not-decided"; readonly because: NotDecided }

export type NotDecided =
  | "not-yours"
  | "answered-before"
  | "stale"
  | "app-gone"
  /** The app has removed the redirect URI since. */
  | "return-address-gone"
  /**
   * DG-8, also with one click: the page showed an admin permission, and the account is not an administrator any more.
   */
  | "administration-withdrawn"

/** Splits what an app asks for: only an administrator can grant an admin permission. */
export function grantableBy(account: Account, asked: readonly Permission[]) {
  const mayGrant = (permission: Permission) => account.admin || !isAdmin(permission)
  return {
    granted: asked.filter(mayGrant),
    refusedToAccount: asked.filter((permission) => !mayGrant(permission)),
  }
}

/** `decisions` are the values of every field named `decision`: one clear "authorize" grants, all else refuses. */
export function isAuthorized(decisions: readonly string[]): boolean {
  return decisions.length === 1 && decisions[0] === "authorize"
}

/** The problem of a page's ticket: another session or account, or shown more than ten minutes ago. */
export function ticketProblem(
  { sessionHash, userId, shownAt }: Pick<ConsentTicket, "sessionHash" | "userId" | "shownAt">,
  session: Session,
  now: number,
): "not-yours" | "stale" | null {
  if (sessionHash !== session.sessionHash || userId !== session.userId) return "not-yours"
  return isWithin(shownAt, now, TICKET_SECONDS) ? null : "stale"
}

export function decideConsent(
  ticket: ConsentTicket,
  { session, account, client: found, spentTicket }: ConsentFacts,
  authorizes: boolean,
  code: ConsentCode,
  now: number,
  address: string,
): Decided<ConsentAnswer> {
  if (session === null || account === null) return notDecided("not-yours")
  if (spentTicket !== null) return notDecided(spentBy(ticket, spentTicket.spentAt))
  const { id, request, userId } = ticket
  const spent = { change: "ticketSpent", ticketId: id, at: now } as const
  if (!isWithin(ticket.shownAt, now, TICKET_SECONDS))
    return decided<ConsentAnswer>({ outcome: "not-decided", because: "stale" }, spent)
  const client = resolveClient(found, now)
  if (client === null || !client.enabled) return notDecided("app-gone")
  const redirectUri = matchRedirectUri(request.redirectUri, client.redirectUris)
  if (redirectUri === null) return notDecided("return-address-gone")

  const { state, clientId } = request
  const facts = { userId, clientId, address }
  if (!authorizes) {
    const recorded = { change: "eventRecorded", event: event("consent-refused", now, facts) } as const
    return decided<ConsentAnswer>({ outcome: "refused", redirectUri, state }, spent, recorded)
  }
  // The ticket is spent, so that a later promotion cannot make this form grant what it showed.
  if (!account.admin && ticket.granted.some(isAdmin))
    return decided<ConsentAnswer>({ outcome: "not-decided", because: "administration-withdrawn" }, spent)
  const recorded = {
    change: "eventRecorded",
    event: event("consented", now, { ...facts, tokenId: id }),
  } as const
  const credential = newCredential(ticket, code, now)
  return decided<ConsentAnswer>(
    { outcome: "granted", redirectUri, state, code: code.text },
    spent,
    { change: "credentialAdded", credential },
    ...consentedTo(client, credential.consent.endsAt),
    recorded,
  )
}

/** A ticket is spent by an answer, even by a late one. */
function spentBy({ shownAt }: ConsentTicket, spentAt: number): NotDecided {
  return isWithin(shownAt, spentAt, TICKET_SECONDS) ? "answered-before" : "stale"
}

function notDecided(because: NotDecided): Decided<ConsentAnswer> {
  return decided({ outcome: "not-decided", because })
}

/** GRANT-*: stores the app, the approved permissions, the label and the redirect URI. They never change. */
function newCredential(
  { id, request, granted, userId }: ConsentTicket,
  code: ConsentCode,
  now: number,
): Credential {
  return {
    consent: {
      tokenId: id,
      clientId: request.clientId,
      userId,
      installationName: request.installationName,
      scope: granted,
      resources: request.resources,
      consentedAt: now,
      endsAt: now + CREDENTIAL_SECONDS,
    },
    code: {
      hash: code.hash,
      challenge: request.codeChallenge,
      redirectUri: request.redirectUri,
      expiresAt: now + CODE_SECONDS,
    },
    life: { state: "issued" },
  }
}
