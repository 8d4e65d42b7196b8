/**
 * Decides on an ID-JAG: draft-ietf-oauth-identity-assertion-authz-grant §4.4, RFC 7523 §2.1; interface ORG-1…ORG-9. The
 * word of an organization takes the place of the consent, and of no other rule. No refresh token is issued.
 */
import type { Account } from "../../../model/account.rules.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../../model/change.rules.ts"
import type { Client } from "../../../model/clients/client.rules.ts"
import { asOf, type Credential } from "../../../model/credential.rules.ts"
import type { Permission } from "../../../kernel/ids.ts"
import { type Form, required } from "../../../kernel/form.ts"
import { CREDENTIAL_SECONDS } from "../../../kernel/limits.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import type { Catalog } from "../../../model/permissions/permission-catalog.rules.ts"
import { closureSet } from "../../../model/permissions/permission.rules.ts"
import { withoutIgnoredNames } from "../../../model/permissions/scope.rules.ts"
import { admits, mayHold } from "../../../model/permissions/standing.rules.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import { consentedTo } from "../../../model/self-registration.rules.ts"
import type { Identity } from "../../../model/sign-in/identity.rules.ts"
import { givenBy, isNameOf, type OrganizationBlock } from "../../../model/sign-in/organization.rules.ts"
import type { SignInProvider, SignInProviders } from "../../../model/sign-in/provider.rules.ts"
import { isSameAudience } from "../../credential/audience.rules.ts"
import { type BindingInput, withoutRefresh } from "../../credential/binding.rules.ts"
import { withAccessToken } from "../../credential/family.rules.ts"
import { revokeCredential } from "../../credential/revoke-credential.rules.ts"
import type { ServiceTokenResponse } from "../../credential/token-response.rules.ts"
import {
  type ClientCredentialsRequest,
  parseClientCredentialsRequest,
  type Granted,
  type ServiceTokenInput,
  tokenWithoutRefresh,
} from "./client-credentials.rules.ts"
import { type AssertionFault, faulty, type IdentityAssertion } from "./identity-assertion.rules.ts"

export type JwtBearerRequest = ClientCredentialsRequest & { readonly assertion: string }

/** Refuses: parameterMissing (`assertion`), scopeMalformed, resourceMalformed. */
export function parseJwtBearerRequest(form: Form): Result<JwtBearerRequest, Refusal> {
  const assertion = required(form, "assertion")
  if (!assertion.ok) return assertion
  const asked = parseClientCredentialsRequest(form)
  return asked.ok ? ok({ assertion: assertion.value, ...asked.value }) : asked
}

export type AssertionRows = {
  readonly identity: Identity | null
  readonly account: Account | null
  readonly organizationCredentials: readonly Credential[] | null
  readonly organizationBlocks: readonly OrganizationBlock[] | null
}

export type AssertionInput = Required<Omit<ServiceTokenInput, "spellingOf">> &
  Pick<BindingInput, "tokenId" | "familyKey" | "noRefreshHash"> & {
    readonly provider: SignInProvider
    /** Those of the configuration. */
    readonly providers: SignInProviders
    readonly address: string
  }

/** Refuses: identityAssertionRefused, resourceUnknown, scopeOverReach. */
export function decideJwtBearer(
  catalog: Catalog,
  client: Client,
  rows: AssertionRows,
  assertion: IdentityAssertion,
  request: JwtBearerRequest,
  input: AssertionInput,
): Decided<Result<ServiceTokenResponse, Refusal>> {
  const { resource } = assertion
  const { account } = rows
  const fault = faultOf(client, rows, input)
  if (fault !== null || account === null) return decided(err(faulty(fault ?? "notLinked")))
  if (request.resources.length > 0 && !isSameAudience(request.resources, [resource]))
    return decided(err({ reason: "resourceUnknown" }))
  const given = givenBy(catalog, input.provider.assertions, client.clientId) ?? []
  const scope = grantedScope(catalog, given, [assertion.scope, request.scope], client, account)
  if (scope.length === 0) return decided(err({ reason: "scopeOverReach" }))
  const standing = standingCredential(client, account, given, scope, rows, input)
  const { answer, changes } = issue(standing, { account, scope, resources: [resource] }, input)
  return decided(answer, ...changes, ...consentedTo(client, input.now + CREDENTIAL_SECONDS))
}

function faultOf(
  { clientId, groups }: Client,
  { identity, account, organizationBlocks }: AssertionRows,
  { provider, providers }: Pick<AssertionInput, "provider" | "providers">,
): AssertionFault | null {
  if (identity === null || account === null || identity.userId !== account.userId) return "notLinked"
  if (!account.enabled || account.type !== "person") return "accountUnavailable"
  const isBlocked = organizationBlocks?.some(
    (one) => one.clientId === clientId && isNameOf(providers, one.provider, provider.name),
  )
  if (isBlocked === true) return "ended"
  return admits(groups, account) ? null : "appNotForAccount"
}

/** Names that are not known give nothing. The assertion limits by exactly what it names, also if that is only `openid`. */
function grantedScope(
  catalog: Catalog,
  given: readonly Permission[],
  [asserted, requested]: readonly [readonly string[] | null, readonly string[] | null],
  { ceiling }: Client,
  account: Account,
): readonly Permission[] {
  const allowed = closureSet(catalog, ceiling)
  const limits = [asserted, withoutIgnoredNames(catalog, requested, allowed)].map((names) =>
    names === null ? allowed : closureSet(catalog, names as readonly Permission[]),
  )
  return given.filter(
    (name) =>
      allowed.has(name) && limits.every((limit) => limit.has(name)) && mayHold(catalog, name, account),
  )
}

type Standing = {
  readonly credential: Credential
  readonly isNew: boolean
  readonly changes: readonly Change[]
}

/** Returns the one credential of app, account and organization, and what makes it. */
function standingCredential(
  { clientId }: Client,
  { userId }: Account,
  given: readonly Permission[],
  scope: readonly Permission[],
  { organizationCredentials }: AssertionRows,
  input: AssertionInput,
): Standing {
  const { now, address, provider, tokenId, familyKey, noRefreshHash } = input
  const organization = provider.name
  const ofApp = (organizationCredentials ?? []).filter(({ consent }) => consent.clientId === clientId)
  const stored =
    ofApp.find(({ consent }) => consent.organization === organization) ??
    ofApp.find(({ consent }) => isNameOf(input.providers, consent.organization, organization))
  const seen = stored === undefined ? null : asOf(stored, now)
  const isWide = scope.every((name) => seen?.consent.scope.includes(name))
  if (seen?.life.state === "active" && seen.consent.organization === organization && isWide)
    return { credential: seen, isNew: false, changes: [] }
  // The entry gives more than it did or has another name, or 90 days passed without an assertion.
  const ended = stored === undefined ? [] : revokeCredential(stored, "replaced", now, address)
  const consent = { tokenId, clientId, userId, organization, scope: given, consentedAt: now }
  const credential = withoutRefresh(consent, { key: familyKey, currentHash: noRefreshHash, rotatedAt: now })
  const facts = { userId, clientId, tokenId, address, detail: organization }
  const connected = eventRecorded("organization-connected", now, facts)
  return { credential, isNew: true, changes: [...ended, connected] }
}

/** A JWT is not stored. The credential still shows its use. */
function issue(
  { credential, isNew, changes }: Standing,
  granted: Granted,
  input: AssertionInput,
): Decided<Result<ServiceTokenResponse, Refusal>> {
  const { consent, life } = credential
  if (life.state !== "active") throw new Error("the credential of an assertion is active")
  const { response, token } = tokenWithoutRefresh(consent, life.family.key, granted, input)
  const { hash, issuedAt, expiresAt, scope: narrowedTo, resources } = token
  const stored = response.unsigned === undefined ? { hash, issuedAt, expiresAt, narrowedTo, resources } : null
  const family = withAccessToken(life.family, stored, input.address, input.now)
  return decided(ok(response), ...changes, {
    change: isNew ? "credentialAdded" : "credentialChanged",
    credential: { ...credential, life: { ...life, family } },
  })
}
