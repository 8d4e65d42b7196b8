/** RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2; interface AUTHZ-1…AUTHZ-8, ERR-12, ERR-13. */
import type { ClientId, MatchedRedirectUri, Permission } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { anyResource, type ResourceSpelling } from "../../model/known-resources.rules.ts"
import { allValues, type Form, nameForLog, type Query, refuseRepeated, required } from "../../kernel/form.ts"
import { parseClientId } from "../clients/resolve.rules.ts"
import { distinctResources, isResource } from "../../kernel/resource.ts"
import { RESOURCES_AT_MOST, STATE_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { isOpenidPermission, OPENID } from "../../model/permissions/openid-permissions.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { type RequestedAudience, spelledResources } from "../credential/audience.rules.ts"
import { isCodeChallenge } from "../credential/pkce.rules.ts"
import {
  type OpenidParameters,
  parseOpenidParameters,
  refuseRequestObject,
} from "../openid/openid-parameters.rules.ts"
import {
  escapedForUrl,
  matchRedirectUri,
  type ParameterValue,
  shownAddress,
} from "../clients/redirect-uri.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { requestedPermissions, parseScope } from "../../model/permissions/scope.rules.ts"
import { parseInstallationName } from "../../model/installation-name.rules.ts"

export type AuthorizationRequest = {
  readonly clientId: ClientId
  readonly redirectUri: MatchedRedirectUri
  readonly state: string
  readonly codeChallenge: string
  /** The names in `scope`. The member is missing if `scope` is omitted. */
  readonly scope?: readonly string[]
  /** With everything that they imply, in the catalog's order. The ceiling contains them all. Never empty. */
  readonly asked: readonly Permission[]
  readonly resources: readonly string[]
  readonly installationName: string | null
  /** The known language that `ui_locales` finds. OpenID Connect Core §3.1.2.1. */
  readonly uiLocale?: string
} & OpenidParameters

export type Authorization =
  /** An error page of the service, without a link to the app. `clientId` is the requested client_id. */
  | { readonly outcome: "own-page"; readonly clientId: ClientId | null; readonly refusal: Refusal }
  | {
      readonly outcome: "back-to-app"
      readonly client: Client
      readonly redirectUri: MatchedRedirectUri
      readonly state: ParameterValue | null
      readonly refusal: Refusal
    }
  | { readonly outcome: "ask"; readonly client: Client; readonly request: AuthorizationRequest }

/**
 * Decides what follows from a request. `client` is the client of the client_id, or null. The service redirects only
 * after checking client and redirect URI. Every later error goes to the app at once, even before sign-in. Refuses, in
 * this order: every reason of `clientOf`, clientUnknown, clientDisabled, redirectUriUnregistered, every reason of
 * `parseAuthorizationRequest`.
 */
export function decideAuthorization(
  catalog: Catalog,
  query: Query,
  client: Client | null,
  spellingOf: ResourceSpelling = anyResource,
): Authorization {
  const named = clientOf(query)
  if (!named.ok) return { outcome: "own-page", clientId: null, refusal: named.error }
  const { clientId } = named.value
  const ownPage = (refusal: Refusal) => ({ outcome: "own-page", clientId, refusal }) as const
  if (client === null) return ownPage({ reason: "clientUnknown" })
  if (!client.enabled) return ownPage({ reason: "clientDisabled" })
  const redirectUri = matchRedirectUri(named.value.redirectUri, client.redirectUris)
  if (redirectUri === null)
    return ownPage({ reason: "redirectUriUnregistered", address: shownAddress(named.value.redirectUri) })
  const request = parseAuthorizationRequest(query, client, redirectUri, catalog, spellingOf)
  if (request.ok) return { outcome: "ask", client, request: request.value }
  return { outcome: "back-to-app", client, redirectUri, state: stateForError(query), refusal: request.error }
}

/**
 * Reads `client_id` and `redirect_uri`. The service redirects only after both are valid.
 * Divergence: D-1, the redirect URI is required even if the client registered only one.
 * Refuses: parameterRepeated, parameterMalformed, parameterMissing, clientUnknown.
 */
export function clientOf({
  form,
  malformed,
}: Query): Result<{ readonly clientId: ClientId; readonly redirectUri: string }, Refusal> {
  for (const parameter of ["client_id", "redirect_uri"]) {
    if (form.repeated.has(parameter)) return err({ reason: "parameterRepeated", parameter })
    if (malformed.has(parameter)) return err({ reason: "parameterMalformed", parameter })
  }
  const named = required(form, "client_id")
  if (!named.ok) return named
  const redirectUri = required(form, "redirect_uri")
  if (!redirectUri.ok) return redirectUri
  const clientId = parseClientId(named.value)
  return clientId === null
    ? err({ reason: "clientUnknown" })
    : ok({ clientId, redirectUri: redirectUri.value })
}

/**
 * Parses the remaining parameters, once client and redirect URI are valid. Ignores unknown parameters. Refuses, in
 * this order: parameterRepeated, parameterMalformed (any), every reason of `refuseRequestObject`, parameterMissing and
 * parameterMalformed (state), parameterMissing and responseTypeUnsupported, parameterMissing (code_challenge, then
 * code_challenge_method), challengeMethodUnsupported, parameterMalformed (code_challenge), resourceMalformed,
 * resourceUnknown, parameterMalformed (installation_name), scopeMalformed, scopeUnknown, scopeOverCeiling, scopeEmpty,
 * every reason of `parseOpenidParameters`.
 */
export function parseAuthorizationRequest(
  { form, malformed }: Query,
  client: Client,
  redirectUri: MatchedRedirectUri,
  catalog: Catalog,
  spellingOf: ResourceSpelling = anyResource,
): Result<AuthorizationRequest, Refusal> {
  const once = refuseRepeated(form)
  if (!once.ok) return once
  for (const name of malformed.keys())
    return err({ reason: "parameterMalformed", parameter: nameForLog(name) })
  const isOpenid = namesOpenid(form, client, catalog)
  // The request object has `state` in it, so this comes first. OpenID Connect Core §6.1.
  const plain = isOpenid ? refuseRequestObject(form) : ok(null)
  if (!plain.ok) return plain
  const state = parseState(form)
  if (!state.ok) return state
  const responseType = parseResponseType(form)
  if (!responseType.ok) return responseType
  const codeChallenge = parseChallenge(form)
  if (!codeChallenge.ok) return codeChallenge
  const named = parseResources(form)
  const resources = named.ok ? spelledResources(named.value, spellingOf) : named
  if (!resources.ok) return resources
  const installationName = parseInstallationName(form.values.get("installation_name"))
  if (!installationName.ok) return installationName
  const scope = parseScope(form.values.get("scope"))
  if (!scope.ok) return scope
  const permissions = requestedPermissions(catalog, scope.value, client.ceiling)
  if (!permissions.ok) return permissions
  const openid = isOpenid ? parseOpenidParameters(form) : ok({})
  if (!openid.ok) return openid
  return ok({
    clientId: client.clientId,
    redirectUri,
    state: state.value,
    codeChallenge: codeChallenge.value,
    ...(scope.value !== null && { scope: scope.value }),
    asked: permissions.value,
    resources: resources.value,
    installationName: installationName.value,
    ...openid.value,
  })
}

/** OpenID Connect is asked for by name, within the ceiling. OIDC-5. */
function namesOpenid({ values }: Form, { ceiling }: Client, catalog: Catalog): boolean {
  const names = values.get("scope")?.split(" ") ?? []
  return isOpenidPermission(catalog, OPENID) && names.includes(OPENID) && ceiling.includes(OPENID)
}

/** Returns `state`, or its raw text if it cannot be decoded. Returns null if it is missing or repeated. */
function stateForError({ form, malformed }: Query): ParameterValue | null {
  if (form.repeated.has("state")) return null
  const raw = malformed.get("state")
  if (raw !== undefined) return { encoded: escapedForUrl(raw) }
  return form.values.get("state") ?? null
}

/** Divergence: D-2, `state` is required. The RFC only recommends it. */
function parseState(form: Form): Result<string, Refusal> {
  const state = required(form, "state")
  if (!state.ok || state.value.length <= STATE_LENGTH_AT_MOST) return state
  return err({ reason: "parameterMalformed", parameter: "state" })
}

function parseResponseType(form: Form): Result<string, Refusal> {
  const responseType = required(form, "response_type")
  if (!responseType.ok || responseType.value === "code") return responseType
  return err({ reason: "responseTypeUnsupported" })
}

/**
 * The challenge comes first, because developers know its name: a request without PKCE lacks both. Divergence: D-3,
 * the method is required. RFC 7636 §4.3 reads a missing method as `plain`, which AUTHZ-6 excludes.
 */
function parseChallenge(form: Form): Result<string, Refusal> {
  const challenge = required(form, "code_challenge")
  if (!challenge.ok) return challenge
  const method = required(form, "code_challenge_method")
  if (!method.ok) return method
  if (method.value !== "S256") return err({ reason: "challengeMethodUnsupported" })
  if (isCodeChallenge(challenge.value)) return challenge
  return err({ reason: "parameterMalformed", parameter: "code_challenge" })
}

export function parseResources(form: Form): Result<readonly string[], Refusal> {
  const resources = distinctResources(allValues(form, "resource"))
  return resources.length <= RESOURCES_AT_MOST && resources.every(isResource)
    ? ok(resources)
    : err({ reason: "resourceMalformed" })
}

/** Parses `resource` of a token request. Without a value of `resource`, the result has no member. */
export function parseAudience(form: Form): { readonly audience?: RequestedAudience } {
  return allValues(form, "resource").length === 0 ? {} : { audience: parseResources(form) }
}
