/**
 * Decides on `client_credentials`: RFC 6749 §4.4; interface SERVICE-3…SERVICE-6. An administrator has bound the app to
 * a service account, and the app acts as this account. No refresh token is issued (§4.4.3).
 */
import type { Account } from "../../../model/account.rules.ts"
import { type Decided, decided } from "../../../model/change.rules.ts"
import type { Client } from "../../../model/clients/client.rules.ts"
import { type Consent, type Credential, isOfServiceAccount } from "../../../model/credential.rules.ts"
import {
  anyResource,
  type JwtOf,
  noJwt,
  type ResourceSpelling,
} from "../../../model/known-resources.rules.ts"
import { issueJwt, unsignedJwt } from "../../jwt/access-token.rules.ts"
import type { ServiceToken } from "../../../model/service-token.rules.ts"
import type { Hash, Permission, TokenId } from "../../../kernel/ids.ts"
import type { Form } from "../../../kernel/form.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import type { Catalog } from "../../../model/permissions/permission-catalog.rules.ts"
import { admits, mayHold } from "../../../model/permissions/standing.rules.ts"
import { requestedPermissions, parseScope } from "../../../model/permissions/scope.rules.ts"
import { parseResources } from "../../authorize/authorization-request.rules.ts"
import { spelledResources } from "../../credential/audience.rules.ts"
import type { ServiceTokenResponse } from "../../credential/token-response.rules.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"

export type ClientCredentialsRequest = {
  /** The names in `scope`. The value is null if it is omitted. */
  readonly scope: readonly string[] | null
  /** The requested resources: RFC 8707 §2.2. */
  readonly resources: readonly string[]
}

/** Parses the request. Refuses: scopeMalformed, resourceMalformed. */
export function parseClientCredentialsRequest(form: Form): Result<ClientCredentialsRequest, Refusal> {
  const scope = parseScope(form.values.get("scope"))
  if (!scope.ok) return scope
  const resources = parseResources(form)
  return resources.ok ? ok({ scope: scope.value, resources: resources.value }) : resources
}

/** The authenticated app, and the rows of its binding. The rows are null without a binding, or if they were deleted. */
export type BoundApp = {
  readonly client: Client
  readonly credential: Credential | null
  readonly account: Account | null
}

export type ServiceTokenInput = {
  readonly now: number
  readonly accessSeconds: number
  readonly spellingOf?: ResourceSpelling
  readonly jwtOf?: JwtOf
  /** Builds an access token of this credential. The result is the same each time that the rule runs. */
  readonly accessToken: (
    tokenId: TokenId,
    familyKey: string,
  ) => { readonly text: string; readonly hash: Hash }
}

/**
 * Decides on the request. Refuses: clientNotBound, credentialRevoked, accountUnavailable, appNotForAccount; resourceUnknown;
 * scopeUnknown, scopeOverCeiling, scopeOverReach, scopeEmpty.
 */
export function decideClientCredentials(
  catalog: Catalog,
  { client, credential, account }: BoundApp,
  { scope: names, resources: named }: ClientCredentialsRequest,
  input: ServiceTokenInput,
): Decided<Result<ServiceTokenResponse, Refusal>> {
  const { binding } = client
  if (binding === null || client.type === "public") return decided(err({ reason: "clientNotBound" }))
  const { tokenId } = binding
  const life = credential?.life
  // If the credential of a binding was revoked, no token is issued, even after the credential's row was deleted.
  if (credential === null || life?.state !== "active" || !isOfServiceAccount(credential.consent))
    return decided(err({ reason: "credentialRevoked", tokenId }))
  if (account === null || !account.enabled || account.type !== "service")
    return decided(err({ reason: "accountUnavailable", tokenId }))
  if (!admits(client.groups, account)) return decided(err({ reason: "appNotForAccount", tokenId }))
  const resources = spelledResources(named, input.spellingOf ?? anyResource)
  if (!resources.ok) return decided(resources)
  const scope = grantedScope(catalog, names, client, account)
  if (!scope.ok) return decided(scope)
  const granted = { account, scope: scope.value, resources: resources.value }
  const { response, token } = tokenWithoutRefresh(credential.consent, life.family.key, granted, input)
  return decided(ok(response), { change: "serviceTokenAdded", token })
}

export type Granted = Pick<ServiceToken, "scope" | "resources"> & { readonly account: Account }

/** Makes an access token and its response, without a refresh token. */
export function tokenWithoutRefresh(
  consent: Consent,
  familyKey: string,
  { account, scope, resources }: Granted,
  { now, accessSeconds, accessToken, jwtOf = noJwt }: ServiceTokenInput,
): { readonly response: ServiceTokenResponse; readonly token: ServiceToken } {
  const { tokenId } = consent
  const { text, hash } = accessToken(tokenId, familyKey)
  const jwt = issueJwt(jwtOf(resources), consent, now)
  const expiresAt = jwt?.expiresAt ?? now + accessSeconds
  const response: ServiceTokenResponse = {
    access_token: text,
    token_type: "Bearer",
    expires_in: expiresAt - now,
    scope: scope.join(" "),
    token_id: tokenId,
    user_id: account.userId,
    username: account.username,
    ...(jwt !== null && { unsigned: unsignedJwt(jwt, hash, consent, account, scope) }),
  }
  return { response, token: { hash, tokenId, issuedAt: now, expiresAt, scope, resources } }
}

/**
 * An `admin:` permission is granted only to an administrator, and only if the request names it. A permission that the
 * account's groups do not give is left out of an omitted scope, and refused in a named one.
 */
function grantedScope(
  catalog: Catalog,
  requested: readonly string[] | null,
  { ceiling }: Client,
  account: Account,
): Result<readonly Permission[], Refusal> {
  const granted = requestedPermissions(catalog, requested, ceiling)
  if (!granted.ok) return granted
  const held = granted.value.filter((name) => mayHold(catalog, name, account))
  const isRefused = held.length === 0 || (requested !== null && held.length < granted.value.length)
  return isRefused ? err({ reason: "scopeOverReach" }) : ok(held)
}
