/**
 * Decides on the form of a consent page: interface CONSENT-*, GRANT-*.
 *
 * 1. The ticket must belong to this session and this account.
 * 2. The first submission decides. A later submission changes nothing and gets a page that says so.
 * 3. Only a single "authorize" grants access. Every other input refuses.
 */
import type { Account, Session } from "../../model/account.rules.ts"
import type { Hash, MatchedRedirectUri, Permission, TokenId, UserId } from "../../kernel/ids.ts"
import { type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Credential, RememberedConsent } from "../../model/credential.rules.ts"
import { CODE_SECONDS, CREDENTIAL_SECONDS, TICKET_SECONDS } from "../../kernel/limits.ts"
import { openidFacts } from "../../model/openid-facts.rules.ts"
import { OPENID } from "../../model/permissions/openid-permissions.rules.ts"
import { isAdmin } from "../../model/permissions/permission.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { admits, isGivenByGroups, mayHold, type Standing } from "../../model/permissions/standing.rules.ts"
import type { DocumentProblem } from "../clients/document-policy.rules.ts"
import { addedDocument, type DocumentClient } from "../clients/document-update.rules.ts"
import { isRememberable, remember, toRemember } from "./remembered.rules.ts"
import { resolveClient } from "../clients/resolve.rules.ts"
import { matchRedirectUri } from "../clients/redirect-uri.rules.ts"
import { consentedTo } from "../../model/self-registration.rules.ts"
import type { AuthorizationRequest } from "./authorization-request.rules.ts"
import { isWithin } from "../../kernel/time.ts"

/** A valid request that a page has shown to an account. The id of the ticket becomes the id of the credential. */
export type ConsentTicket = {
  readonly id: TokenId
  readonly request: AuthorizationRequest
  readonly granted: readonly Permission[]
  readonly sessionHash: Hash
  readonly userId: UserId
  readonly shownAt: number
  /** The first consent stores a client that a document describes. Null for a client that is already stored. */
  readonly newClient: DocumentClient | null
  /** When the change took place that the page reported of the client's document. */
  readonly shownChange?: number | null
  /** Whether the page said that the app does not ask again. */
  readonly remembers?: boolean
  /** The consent that stands in for a page and its form. Such a ticket is never sealed. */
  readonly remembered?: RememberedConsent
}

/** An authorization code. The caller generates the code before the decision. */
/** `sid` is the name of the session in id_tokens. */
type ConsentCode = { readonly text: string; readonly hash: Hash; readonly sid: string }

export type ConsentFacts = {
  readonly session: Session | null
  readonly account: Account | null
  readonly client: Client | null
  readonly spentTicket: { readonly spentAt: number } | null
  /** The consents of the account that apps remember. */
  readonly rememberedConsents?: readonly RememberedConsent[] | null
  /** The member is missing if the client has no document. */
  readonly documentProblem?: DocumentProblem | null
}

export type ConsentAnswer =
  | {
      readonly outcome: "granted"
      readonly redirectUri: MatchedRedirectUri
      readonly state: string
      readonly code: string
    }
  | { readonly outcome: "refused"; readonly redirectUri: MatchedRedirectUri; readonly state: string }
  /** The submission has no effect. The service shows a page that explains why. */
  | { readonly outcome: "not-decided"; readonly because: NotDecided }

export type NotDecided =
  | "not-yours"
  | "answered-before"
  | "stale"
  | DocumentProblem
  /** The page was shown, and the app then removed the redirect URI. */
  | "return-address-gone"
  /** The page showed an admin permission, but the account is no longer an administrator. This is DG-8 for consent. */
  | "administration-withdrawn"
  /** The account left the groups that the app, or everything on the page, is for. GROUP-5. */
  | "groups-withdrawn"

/** What a page lists. Each requested permission is in one list, and in none if the app is for other accounts. */
export type Grantable = {
  readonly isForAccount: boolean
  readonly granted: readonly Permission[]
  /** Admin permissions, which only an administrator can grant. */
  readonly refusedToAccount: readonly Permission[]
  /** Permissions that the account's groups do not give. GROUP-4. */
  readonly refusedByGroups: readonly Permission[]
}

export function grantableBy(
  catalog: Catalog,
  { groups }: Pick<Client, "groups">,
  account: Account,
  requested: readonly Permission[],
): Grantable {
  const isForAccount = admits(groups, account)
  const listed = isForAccount ? requested : []
  const needsAdministrator = (name: Permission) => !account.admin && isAdmin(name)
  return {
    isForAccount,
    granted: listed.filter((name) => mayHold(catalog, name, account)),
    refusedToAccount: listed.filter(needsAdministrator),
    refusedByGroups: listed.filter(
      (name) => !needsAdministrator(name) && !isGivenByGroups(catalog, name, account),
    ),
  }
}

/** Returns what the groups of app and permissions leave of a page, when its form is submitted. GROUP-5. */
export function leftByGroups(
  catalog: Catalog,
  { groups }: Pick<Client, "groups">,
  account: Standing,
  shown: readonly Permission[],
): readonly Permission[] {
  return admits(groups, account) ? shown.filter((name) => isGivenByGroups(catalog, name, account)) : []
}

/** `decisions` contains the values of all fields named `decision`. Only a single "authorize" grants access. */
export function isAuthorized(decisions: readonly string[]): boolean {
  return decisions.length === 1 && decisions[0] === "authorize"
}

/** Returns "not-yours" for a ticket of another session or account, and "stale" for a ticket older than ten minutes. */
export function ticketProblem(
  { sessionHash, userId, shownAt }: Pick<ConsentTicket, "sessionHash" | "userId" | "shownAt">,
  session: Session,
  now: number,
): "not-yours" | "stale" | null {
  if (sessionHash !== session.sessionHash || userId !== session.userId) return "not-yours"
  return isWithin(shownAt, now, TICKET_SECONDS) ? null : "stale"
}

export function decideConsent(
  catalog: Catalog,
  ticket: ConsentTicket,
  { session, account, client: found, spentTicket, rememberedConsents, documentProblem = null }: ConsentFacts,
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
  const stored = resolveClient(found, now)
  const client = stored ?? ticket.newClient?.client ?? null
  if (client === null || !client.enabled) return notDecided("app-gone")
  const redirectUri = matchRedirectUri(request.redirectUri, client.redirectUris)
  if (redirectUri === null) return notDecided("return-address-gone")

  const { state, clientId } = request
  const facts = { userId, clientId, address }
  if (!authorizes) {
    const recorded = eventRecorded("consent-refused", now, facts)
    return decided<ConsentAnswer>({ outcome: "refused", redirectUri, state }, spent, recorded)
  }
  if (documentProblem !== null) return notDecided(documentProblem)
  // The ticket is used up here. If the account becomes an administrator later, this form must not grant admin
  // permissions.
  const granted = leftByGroups(catalog, client, account, ticket.granted)
  if (granted.length === 0)
    return decided<ConsentAnswer>({ outcome: "not-decided", because: "groups-withdrawn" }, spent)
  if (!account.admin && granted.some(isAdmin))
    return decided<ConsentAnswer>({ outcome: "not-decided", because: "administration-withdrawn" }, spent)
  const recorded = eventRecorded(ticket.remembered ? "remembered-consent-used" : "consented", now, {
    ...facts,
    tokenId: id,
  })
  const isAdded = ticket.remembers === true && isRememberable(catalog, client, request)
  const added = isAdded ? toRemember({ ...ticket, granted }, now) : null
  const remembered = ticket.remembered ?? added
  const credential = newCredential({ ...ticket, granted }, session, code, now, remembered)
  return decided<ConsentAnswer>(
    { outcome: "granted", redirectUri, state, code: code.text },
    spent,
    ...(stored === null && ticket.newClient !== null
      ? addedDocument(ticket.newClient, found !== null, credential.consent.endsAt, now, {
          actorId: userId,
          address,
        })
      : []),
    { change: "credentialAdded", credential },
    ...(client.endsWithSession ? [{ change: "sessionCredentialAdded", tokenId: id, session } as const] : []),
    ...(added === null ? [] : remember(added, rememberedConsents ?? [])),
    ...(stored === null ? [] : consentedTo(stored, credential.consent.endsAt)),
    recorded,
  )
}

/** Returns "answered-before" for a ticket that was used in time, and "stale" for a ticket that was used too late. */
function spentBy({ shownAt }: ConsentTicket, spentAt: number): NotDecided {
  return isWithin(shownAt, spentAt, TICKET_SECONDS) ? "answered-before" : "stale"
}

function notDecided(because: NotDecided): Decided<ConsentAnswer> {
  return decided({ outcome: "not-decided", because })
}

/** The app, the granted permissions, the label and the redirect URI never change later. GRANT-*. */
function newCredential(
  { id, request, granted, userId }: ConsentTicket,
  session: Session,
  code: ConsentCode,
  now: number,
  remembered: RememberedConsent | null,
): Credential {
  const endsAt = Math.min(now + CREDENTIAL_SECONDS, remembered?.endsAt ?? Infinity)
  return {
    consent: {
      tokenId: id,
      clientId: request.clientId,
      userId,
      installationName: request.installationName,
      scope: granted,
      resources: request.resources,
      consentedAt: now,
      endsAt,
      openid: granted.includes(OPENID)
        ? openidFacts(session, request.nonce ?? null, code.sid, remembered?.id)
        : null,
    },
    code: {
      hash: code.hash,
      challenge: request.codeChallenge,
      redirectUri: request.redirectUri,
      expiresAt: Math.min(now + CODE_SECONDS, endsAt),
    },
    life: { state: "issued" },
  }
}
