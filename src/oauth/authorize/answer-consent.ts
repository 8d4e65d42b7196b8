/**
 * The answer to a consent page: interface CONSENT-*, GRANT-*.
 *
 * 1. The ticket must be of this session and this account.
 * 2. The first submission decides; any later one changes nothing and says so.
 * 3. Anything but one clear "authorize" is a refusal.
 */
import type { Account, Session } from "../../records/account.rules.ts"
import type { MatchedRedirectUri, Permission } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../records/change.rules.ts"
import type { Client } from "../../records/client.rules.ts"
import type { Credential } from "../../records/credential.rules.ts"
import { event } from "../../records/event.rules.ts"
import { CODE_SECONDS, CREDENTIAL_SECONDS, TICKET_SECONDS } from "../../kernel/limits.ts"
import { isAdmin } from "../../permissions/permission.rules.ts"
import { resolveClient } from "../clients/resolve.rules.ts"
import { matchRedirectUri } from "../clients/redirect-uri.rules.ts"
import { consentedTo } from "../../records/self-registration.rules.ts"
import { newId } from "../../kernel/random.ts"
import { type NewSecret, newCode } from "../credential/token.ts"
import type { Services } from "../../services/services.ts"
import { type ConsentTicket, openTicket, sealTicket } from "./ticket.ts"
import type { AuthorizationRequest } from "./authorization-request.rules.ts"
import { isWithin } from "../../kernel/time.ts"

export type ConsentQuestion = {
  /** Sealed; goes into the form. */
  readonly ticket: string
  readonly granted: readonly Permission[]
  /** Asked for, but not to be had by an account that is no administrator. */
  readonly refusedToAccount: readonly Permission[]
}

/** What the consent page asks, and the ticket that its form carries. */
export function askConsent(
  { keys, clock }: Pick<Services, "keys" | "clock">,
  request: AuthorizationRequest,
  session: Session,
  account: Account,
): ConsentQuestion {
  const mayGrant = (permission: Permission) => account.admin || !isAdmin(permission)
  const granted = request.asked.filter(mayGrant)
  const shownAt = clock.now()
  const { sessionHash, userId } = session
  const ticket = sealTicket(keys, { id: newId(shownAt), request, granted, sessionHash, userId, shownAt })
  return { ticket, granted, refusedToAccount: request.asked.filter((permission) => !mayGrant(permission)) }
}

export type ConsentAnswer =
  | {
      readonly outcome: "granted"
      readonly redirectUri: MatchedRedirectUri
      readonly state: string
      readonly code: string
    }
  | { readonly outcome: "refused"; readonly redirectUri: MatchedRedirectUri; readonly state: string }
  /** A page of the service's own; nothing was decided by this submission. */
  | { readonly outcome: "not-decided"; readonly because: NotDecided }

export type NotDecided =
  | "not-yours"
  | "answered-before"
  | "stale"
  | "app-gone"
  /** The app has removed the redirect address since. */
  | "return-address-gone"
  /** DG-8, also with one click: the page showed an admin permission, and the account is not an administrator any more. */
  | "administration-withdrawn"

/** `decisions` are the values of every field named `decision`: one clear "authorize" grants, all else refuses. */
export async function answerConsent(
  services: Pick<Services, "store" | "keys" | "clock">,
  sealed: string,
  decisions: readonly string[],
  session: Session,
  address: string,
): Promise<ConsentAnswer> {
  const ticket = openTicket(services.keys, sealed)
  if (ticket === null || ticket.sessionHash !== session.sessionHash || ticket.userId !== session.userId)
    return { outcome: "not-decided", because: "not-yours" }
  const now = services.clock.now()
  const authorizes = decisions.length === 1 && decisions[0] === "authorize" && ticket.granted.length > 0
  const code = newCode(ticket.id)
  return services.store.change(
    {
      spentTicket: ticket.id,
      client: ticket.request.clientId,
      session: session.sessionHash,
      account: ticket.userId,
    },
    (found) => {
      if (found.session === null || found.account === null) return notDecided("not-yours")
      if (found.spentTicket !== null) return notDecided(spentBy(ticket, found.spentTicket.spentAt))
      const present = { client: resolveClient(found.client, now), account: found.account }
      return decideConsent(ticket, present, authorizes, code, now, address)
    },
  )
}

function decideConsent(
  ticket: ConsentTicket,
  { client, account }: { readonly client: Client | null; readonly account: Account },
  authorizes: boolean,
  code: NewSecret,
  now: number,
  address: string,
): Decided<ConsentAnswer> {
  const { id, request, userId } = ticket
  const spent = { change: "ticketSpent", ticketId: id, at: now } as const
  if (!isWithin(ticket.shownAt, now, TICKET_SECONDS))
    return decided<ConsentAnswer>({ outcome: "not-decided", because: "stale" }, spent)
  if (client === null || !client.enabled) return notDecided("app-gone")
  const redirectUri = matchRedirectUri(request.redirectUri, client.redirectUris)
  if (redirectUri === null) return notDecided("return-address-gone")

  const { state, clientId } = request
  const facts = { userId, clientId, address }
  if (!authorizes) {
    const recorded = { change: "eventRecorded", event: event("consent-refused", now, facts) } as const
    return decided<ConsentAnswer>({ outcome: "refused", redirectUri, state }, spent, recorded)
  }
  // Spent, as the page says: no promotion lets this form grant what it showed.
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

/** A ticket is spent by an answer, or by one that came too late. */
function spentBy({ shownAt }: ConsentTicket, spentAt: number): NotDecided {
  return isWithin(shownAt, spentAt, TICKET_SECONDS) ? "answered-before" : "stale"
}

function notDecided(because: NotDecided): Decided<ConsentAnswer> {
  return decided({ outcome: "not-decided", because })
}

/** GRANT-*: the app, the approved permissions, the label and the redirect address, settled for good. */
function newCredential(
  { id, request, granted, userId }: ConsentTicket,
  code: NewSecret,
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
