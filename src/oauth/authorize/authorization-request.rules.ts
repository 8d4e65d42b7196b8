/**
 * The authorization request. RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2; interface AUTHZ-1…AUTHZ-8, ERR-12, ERR-13.
 */
import type { ClientId, MatchedRedirectUri, Permission } from "../../kernel/ids.ts"
import type { Client } from "../../records/client.rules.ts"
import { allValues, type Form, nameForLog, type Query, refuseRepeated, required } from "../../kernel/form.ts"
import { parseClientId } from "../clients/resolve.rules.ts"
import { RESOURCE_BYTES_AT_MOST, RESOURCES_AT_MOST, STATE_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import type { Catalogue } from "../../permissions/permission-catalogue.rules.ts"
import { isCodeChallenge } from "../credential/pkce.rules.ts"
import { escapedForUrl, type ParameterValue } from "../clients/redirect-uri.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { askedPermissions, parseScope } from "../../permissions/scope.rules.ts"
import { parseInstallationName } from "../../records/installation-name.rules.ts"

export type AuthorizationRequest = {
  readonly clientId: ClientId
  readonly redirectUri: MatchedRedirectUri
  readonly state: string
  readonly codeChallenge: string
  /** Closed under implication, in the catalogue's order, within the ceiling. Never empty. */
  readonly asked: readonly Permission[]
  readonly resources: readonly string[]
  readonly installationName: string | null
}

/**
 * The client and the redirect URI that a request names. Nothing may be redirected before both are valid.
 * Divergence: D-1, the redirect URI is required even if only one is registered.
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
 * The rest of the request, once client and redirect URI are valid. Unknown parameters are ignored. Refuses, in this
 * order: parameterRepeated, parameterMalformed (any), parameterMissing and parameterMalformed (state), parameterMissing
 * and responseTypeUnsupported, parameterMissing and challengeMethodUnsupported, parameterMissing and parameterMalformed
 * (code_challenge), resourceMalformed, parameterMalformed (installation_name), scopeMalformed, scopeUnknown,
 * scopeOverCeiling, scopeEmpty.
 */
export function parseAuthorizationRequest(
  { form, malformed }: Query,
  client: Client,
  redirectUri: MatchedRedirectUri,
  catalogue: Catalogue,
): Result<AuthorizationRequest, Refusal> {
  const once = refuseRepeated(form)
  if (!once.ok) return once
  for (const name of malformed.keys())
    return err({ reason: "parameterMalformed", parameter: nameForLog(name) })
  const state = parseState(form)
  if (!state.ok) return state
  const responseType = parseResponseType(form)
  if (!responseType.ok) return responseType
  const codeChallenge = parseChallenge(form)
  if (!codeChallenge.ok) return codeChallenge
  const resources = parseResources(form)
  if (!resources.ok) return resources
  const installationName = parseInstallationName(form.values.get("installation_name"))
  if (!installationName.ok) return installationName
  const named = parseScope(form.values.get("scope"))
  if (!named.ok) return named
  const asked = askedPermissions(catalogue, named.value, client.ceiling)
  if (!asked.ok) return asked
  return ok({
    clientId: client.clientId,
    redirectUri,
    state: state.value,
    codeChallenge: codeChallenge.value,
    asked: asked.value,
    resources: resources.value,
    installationName: installationName.value,
  })
}

/**
 * The `state` that an error returns: raw if it cannot be decoded, null if it is missing or repeated.
 */
export function stateForError({ form, malformed }: Query): ParameterValue | null {
  if (form.repeated.has("state")) return null
  const raw = malformed.get("state")
  if (raw !== undefined) return { encoded: escapedForUrl(raw) }
  return form.values.get("state") ?? null
}

/** Divergence: D-2, required and not merely recommended. */
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

/** Divergence: D-3. RFC 7636 §4.3 reads a missing method as `plain`, which is not served: AUTHZ-6. */
function parseChallenge(form: Form): Result<string, Refusal> {
  const method = required(form, "code_challenge_method")
  if (!method.ok) return method
  if (method.value !== "S256") return err({ reason: "challengeMethodUnsupported" })
  const challenge = required(form, "code_challenge")
  if (!challenge.ok || isCodeChallenge(challenge.value)) return challenge
  return err({ reason: "parameterMalformed", parameter: "code_challenge" })
}

/** An absolute URI in the characters of RFC 3986, without a fragment. */
const RESOURCE = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?[\]@!$&'()*+,;=%-]+$/

function parseResources(form: Form): Result<readonly string[], Refusal> {
  const resources = [...new Set(allValues(form, "resource"))]
  const isGood = (resource: string) => resource.length <= RESOURCE_BYTES_AT_MOST && RESOURCE.test(resource)
  return resources.length <= RESOURCES_AT_MOST && resources.every(isGood)
    ? ok(resources)
    : err({ reason: "resourceMalformed" })
}
