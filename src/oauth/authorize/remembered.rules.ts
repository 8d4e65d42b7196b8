/**
 * Decides when a consent is remembered, and which requests it covers. Only requests that name `openid` are covered,
 * because all others work as if OpenID Connect were off. Interface OIDC-16.
 */
import type { MatchedRedirectUri, Permission, TokenId, UserId } from "../../kernel/ids.ts"
import { CREDENTIAL_SECONDS, REMEMBERED_CONSENTS_AT_MOST } from "../../kernel/limits.ts"
import { isWithin } from "../../kernel/time.ts"
import type { Change } from "../../model/change.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Consent, RememberedConsent } from "../../model/credential.rules.ts"
import { isOpenidPermission, OPENID } from "../../model/permissions/openid-permissions.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { isAdmin } from "../../model/permissions/permission.rules.ts"
import { isLoopbackRedirect, webOrigin } from "../clients/redirect-uri.rules.ts"
import type { AuthorizationRequest } from "./authorization-request.rules.ts"

/** Whether a consent to this request is remembered. Administration of the service is always asked for. */
export function isRememberable(
  catalog: Catalog,
  { rememberConsent, registeredBy }: Pick<Client, "rememberConsent" | "registeredBy">,
  { scope = [], asked, redirectUri }: AuthorizationRequest,
): boolean {
  return (
    rememberConsent &&
    (registeredBy === "administrator" || registeredBy === "user") &&
    isOpenidPermission(catalog, OPENID) &&
    scope.includes(OPENID) &&
    asked.includes(OPENID) &&
    redirectUri.startsWith("https:") &&
    !isLoopbackRedirect(redirectUri) &&
    !asked.some(isAdmin)
  )
}

export type Granting = {
  readonly id: TokenId
  readonly userId: UserId
  readonly request: AuthorizationRequest
  /** What the account can grant now. */
  readonly granted: readonly Permission[]
}

/** Returns what a click on Authorize stores. The caller checks `isRememberable`. */
export function toRemember({ id, userId, request, granted }: Granting, now: number): RememberedConsent {
  const { clientId, redirectUri, resources } = request
  const endsAt = now + CREDENTIAL_SECONDS
  return {
    id,
    userId,
    clientId,
    origin: webOrigin(redirectUri),
    scope: granted,
    resources,
    clickedAt: now,
    endsAt,
  }
}

/** Finds the consent that covers what would be granted. `rows` are those of the account, oldest first. */
export function findRemembered(
  granting: Granting,
  rows: readonly RememberedConsent[],
  now: number,
): RememberedConsent | null {
  if (granting.granted.length === 0) return null
  const asked = toRemember(granting, now)
  return rows.findLast((row) => isValid(row, now) && covers(row, asked)) ?? null
}

export function isValid({ clickedAt }: RememberedConsent, now: number): boolean {
  return isWithin(clickedAt, now, CREDENTIAL_SECONDS)
}

/** Whether the consent of a code, which went to `redirectUri`, is within what was clicked. */
export function isCoveredBy(row: RememberedConsent, consent: Consent, redirectUri: string): boolean {
  return covers(row, { ...consent, origin: webOrigin(redirectUri as MatchedRedirectUri) })
}

type Covered = Pick<RememberedConsent, "userId" | "clientId" | "origin" | "scope" | "resources">

/** A request without a resource reaches more than one with some, so each covers only its like. */
function covers(row: RememberedConsent, asked: Covered): boolean {
  return (
    row.userId === asked.userId &&
    row.clientId === asked.clientId &&
    row.origin === asked.origin &&
    asked.scope.every((name) => row.scope.includes(name)) &&
    (row.resources.length === 0) === (asked.resources.length === 0) &&
    asked.resources.every((resource) => row.resources.includes(resource))
  )
}

/** Stores a consent, which replaces those that it covers. */
export function remember(added: RememberedConsent, rows: readonly RememberedConsent[]): readonly Change[] {
  const kept = rows.filter((row) => !covers(added, row))
  const left = new Set(kept.slice(-(REMEMBERED_CONSENTS_AT_MOST - 1)))
  const ended = rows.filter((row) => !left.has(row))
  return [...ended.map(endRemembered), { change: "rememberedAdded", remembered: added }]
}

export function endRemembered({ id, userId }: Pick<RememberedConsent, "id" | "userId">) {
  return { change: "rememberedEnded", id, userId } as const
}
