/**
 * The claims of an ID-JAG, an identity provider's word that a person may use an app at an API: ORG-2, ORG-3.
 * draft-ietf-oauth-identity-assertion-authz-grant §4.4, §5.1.
 */
import type { ClientId } from "../../../kernel/ids.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { isResource } from "../../../kernel/resource.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import type { Client } from "../../../model/clients/client.rules.ts"
import type { ResourceSpelling } from "../../../model/known-resources.rules.ts"
import { isScope } from "../../../model/permissions/scope-token.rules.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import { isSubject } from "../../../model/sign-in/identity.rules.ts"
import type { OpenIdProvider, SignInProviders } from "../../../model/sign-in/provider.rules.ts"
import type { StatementFault } from "../../../platform/statements/statement.rules.ts"

/** This grant type is only for apps that the entry `assertions` of a sign-in provider lists. */
export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"

export const ID_JAG_TYPE = "oauth-id-jag+jwt"

export type IdentityAssertion = {
  readonly subject: string
  /** The audience of the access token, in the spelling to store. */
  readonly resource: string
  /** The names in `scope`. Null without the claim. */
  readonly scope: readonly string[] | null
}

/** Why an assertion gets no token. The client does not learn which. */
export type AssertionFault =
  | StatementFault
  | "clientWrong"
  /** `cnf`, which needs a proof, or `authorization_details`. */
  | "unsupported"
  | "subjectMalformed"
  | "resourceUnknown"
  | "scopeMalformed"
  | "notLinked"
  | "accountUnavailable"
  | "appNotForAccount"
  /** The account holder or an administrator ended the access. */
  | "ended"

/** The fault is for the log. */
export function faulty(fault: AssertionFault): Refusal {
  return { reason: "identityAssertionRefused", fault }
}

/** Returns the provider that may assert so for the client. The one uniform fault does not say who else is trusted. */
export function assertingProvider(
  providers: SignInProviders,
  issuer: unknown,
  clientId: ClientId,
): OpenIdProvider | null {
  return listing(providers, clientId).find((provider) => provider.issuer === issuer) ?? null
}

/** Whether any entry of the configuration has `assertions`. Without one, the grant type does not exist. ORG-10. */
export function hasAssertions(providers: SignInProviders): boolean {
  return [...providers.values()].some(({ assertions }) => assertions !== undefined)
}

/**
 * A public client proves nothing, so anyone could present what another one got. Refuses: grantTypeUnsupported,
 * clientNotListed.
 */
export function mayAssert(
  providers: SignInProviders,
  known: Result<Client, Refusal>,
): Result<Client, Refusal> {
  if (!known.ok) return known
  if (!hasAssertions(providers)) return err({ reason: "grantTypeUnsupported" })
  const { type, clientId } = known.value
  const isListed = type === "confidential" && listing(providers, clientId).length > 0
  return isListed ? known : err({ reason: "clientNotListed" })
}

/** Returns the providers whose assertions the client may present. */
export function listing(providers: SignInProviders, clientId: ClientId): readonly OpenIdProvider[] {
  return [...providers.values()].filter(
    (one): one is OpenIdProvider =>
      one.preset !== "application" && one.assertions?.clients.includes(clientId) === true,
  )
}

/** Reads the claims that are not of every statement. Those that would need a proof or a limit of their own fail closed. */
export function judgeIdentity(
  claims: JsonObject,
  clientId: ClientId,
  spellingOf: ResourceSpelling,
): Result<IdentityAssertion, AssertionFault> {
  if (claims.get("client_id") !== clientId) return err("clientWrong")
  if (claims.has("cnf") || claims.has("authorization_details")) return err("unsupported")
  const [subject, named, scope] = [claims.get("sub"), claims.get("resource"), claims.get("scope")]
  if (typeof subject !== "string" || !isSubject(subject)) return err("subjectMalformed")
  const only: unknown = Array.isArray(named) && named.length === 1 ? named[0] : named
  const resource = typeof only === "string" && isResource(only) ? spellingOf(only) : null
  if (resource === null) return err("resourceUnknown")
  if (scope === undefined) return ok({ subject, resource, scope: null })
  if (typeof scope !== "string" || !isScope(scope)) return err("scopeMalformed")
  return ok({ subject, resource, scope: scope.split(" ") })
}
