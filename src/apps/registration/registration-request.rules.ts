/**
 * Parses the metadata of an app that registers itself: RFC 7591 §2 and §3.1; interface REG-2, SVC-8. The app cannot
 * set its id, its verification or admin permissions. Unknown members are ignored.
 */
import { defaultOpenid } from "../../model/clients/openid-members.rules.ts"
import type { Permission } from "../../kernel/ids.ts"
import type { ClientAuthenticationMethod } from "../../oauth/clients/client-authentication.rules.ts"
import type { Client, ClientKeys, ClientType } from "../../model/clients/client.rules.ts"
import { defaultSwitches } from "../../model/clients/app-switches.rules.ts"
import type { Json, JsonObject } from "../../kernel/json.ts"
import {
  OPEN_KEY_SET_BYTES_AT_MOST,
  OPEN_REDIRECT_URIS_BYTES_AT_MOST,
  REDIRECT_URIS_AT_MOST,
} from "../../kernel/limits.ts"
import { type OpenPermissions, openCeiling } from "../../model/permissions/open-permissions.rules.ts"
import { closureSet } from "../../model/permissions/permission.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { type OpenSchemes, registerableRedirectUri } from "../../model/clients/redirect-registration.rules.ts"
import { parseClientKeys } from "../../model/clients/key-set.rules.ts"
import { parseClientName, type Registration } from "../../model/clients/registration.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { parseScope, withoutIgnoredNames } from "../../model/permissions/scope.rules.ts"
import { lookAlikeProblem } from "../../kernel/visible-text.ts"

export type RegistrationRequest = {
  readonly registration: Registration
  /** The response repeats this method. An app with a secret may use both methods that send the secret. */
  readonly method: ClientAuthenticationMethod
  /** The value of `logo_uri`. Only a `data:` URL can become the icon. Other URLs are not fetched. */
  readonly logo: string | null
}

/** The grant types, permissions and schemes that a self-registered app may use. */
export type OpenRegistration = {
  readonly grantTypes: readonly string[]
  readonly openPermissions: OpenPermissions
  readonly openSchemes: OpenSchemes
}

/** Parses the metadata. Refuses: clientMetadataInvalid, redirectUriUnregisterable. */
export function parseRegistrationRequest(
  body: Json,
  catalog: Catalog,
  { grantTypes, openPermissions: open, openSchemes }: OpenRegistration,
): Result<RegistrationRequest, Refusal> {
  if (!isObject(body)) return invalid("The body is not a JSON object.")
  const method = parseMethod(body)
  if (!method.ok) return method
  const type: ClientType = method.value === "none" ? "public" : "confidential"
  const keys = parseKeys(body, method.value)
  if (!keys.ok) return keys
  const usesBrowser = parseGrantTypes(body, grantTypes)
  if (!usesBrowser.ok) return usesBrowser
  const redirectUris = parseRedirectUris(body, type, usesBrowser.value, openSchemes)
  if (!redirectUris.ok) return redirectUris
  const name = parseName(body, redirectUris.value)
  if (!name.ok) return name
  const ceiling = openCeiling(catalog, open)
  const scope = scopeProblem(body, catalog, ceiling)
  if (!scope.ok) return scope
  const logo = textOf(body, "logo_uri")
  if (!logo.ok) return logo
  return ok({
    registration: {
      type,
      keys: keys.value,
      name: name.value,
      redirectUris: redirectUris.value,
      ceiling,
      groups: [],
      ...defaultOpenid,
      ...defaultSwitches,
    },
    method: method.value,
    logo: logo.value !== null && /^data:/i.test(logo.value) ? logo.value : null,
  })
}

/**
 * Returns a canonical text that is equal for equal registrations. It reveals a repeated registration. Every such app
 * has the same ceiling.
 */
export function registrationFacts({ name, redirectUris }: Registration, logo: string | null): string {
  return JSON.stringify(["public", name, redirectUris, logo])
}

function isObject(value: Json): value is JsonObject {
  return value instanceof Map
}

function invalid(description: string) {
  return err({ reason: "clientMetadataInvalid", description: description })
}

/**
 * Returns the text of a member. Returns null if the member is missing or null, because some libraries write empty
 * members as null.
 */
function textOf(body: JsonObject, name: string): Result<string | null, Refusal> {
  const value = body.get(name) ?? null
  return value === null || typeof value === "string" ? ok(value) : invalid(`${name} is not a string.`)
}

function textsOf(body: JsonObject, name: string): Result<readonly string[] | null, Refusal> {
  const value = body.get(name) ?? null
  if (value === null) return ok(null)
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === "string")
  return isTexts ? ok(value as readonly string[]) : invalid(`${name} is not a list of strings.`)
}

const METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const

function parseMethod(body: JsonObject): Result<ClientAuthenticationMethod, Refusal> {
  const text = textOf(body, "token_endpoint_auth_method")
  if (!text.ok) return text
  const method = METHODS.find((known) => known === (text.value ?? "client_secret_basic"))
  return method === undefined
    ? invalid(`token_endpoint_auth_method is not one of ${METHODS.join(", ")}.`)
    : ok(method)
}

/**
 * Parses the keys of an app. The service fetches no URL of a self-registered app, so the metadata must contain the
 * keys. Interface KEY-2.
 */
function parseKeys(body: JsonObject, method: ClientAuthenticationMethod): Result<ClientKeys | null, Refusal> {
  if (method !== "private_key_jwt") return ok(null)
  if (body.has("jwks_uri"))
    return invalid("jwks_uri is only for apps that an administrator registers. Others have jwks.")
  const algorithm = textOf(body, "token_endpoint_auth_signing_alg")
  if (!algorithm.ok) return algorithm
  const keys = parseClientKeys({
    jwks: body.get("jwks") ?? null,
    jwksUri: undefined,
    algorithm: algorithm.value ?? undefined,
  })
  if (!keys.ok) return invalid(keys.error)
  return (keys.value?.jwks?.length ?? 0) > OPEN_KEY_SET_BYTES_AT_MOST
    ? invalid(`jwks has more than ${OPEN_KEY_SET_BYTES_AT_MOST} bytes.`)
    : keys
}

/**
 * Whether the app uses the authorization code flow. The service must support at least one requested grant type. Other
 * grant types are ignored (RFC 7591 §2) and missing in the response.
 */
function parseGrantTypes(body: JsonObject, served: readonly string[]): Result<boolean, Refusal> {
  const grants = textsOf(body, "grant_types")
  if (!grants.ok) return grants
  const responses = textsOf(body, "response_types")
  if (!responses.ok) return responses
  const grantTypes = grants.value ?? ["authorization_code"]
  if (!grantTypes.some((grant) => served.includes(grant)))
    return invalid(`grant_types has none of ${served.join(", ")}.`)
  const isWithCode = grantTypes.includes("authorization_code")
  const askedResponses = responses.value ?? []
  if (isWithCode && askedResponses.length > 0 && !askedResponses.includes("code"))
    return invalid("The only response type is code.")
  return ok(isWithCode)
}

function parseRedirectUris(
  body: JsonObject,
  type: ClientType,
  isWithBrowser: boolean,
  schemes: OpenSchemes,
): Result<readonly string[], Refusal> {
  const bad = (description: string) => err({ reason: "redirectUriUnregisterable", description: description })
  const value = body.get("redirect_uris") ?? []
  if (!Array.isArray(value)) return bad("redirect_uris is not a list of strings.")
  const uris = [...new Set(value as readonly Json[])]
  if (uris.length === 0 && isWithBrowser) return bad("redirect_uris is required for authorization_code.")
  if (uris.length > REDIRECT_URIS_AT_MOST)
    return bad(`An app has at most ${REDIRECT_URIS_AT_MOST} redirect URIs.`)
  for (const uri of uris) {
    const at = (value as readonly Json[]).indexOf(uri)
    if (typeof uri !== "string") return bad(`redirect_uris[${at}] is not a string.`)
    const checked = registerableRedirectUri(uri, type, schemes)
    if (!checked.ok) return bad(`redirect_uris[${at}]${quoted(uri)} cannot be registered: ${checked.error}`)
  }
  // Redirect URIs are ASCII, so their length in characters equals their length in bytes.
  if (uris.join("").length > OPEN_REDIRECT_URIS_BYTES_AT_MOST)
    return bad(`The redirect URIs have more than ${OPEN_REDIRECT_URIS_BYTES_AT_MOST} bytes together.`)
  return ok(uris as readonly string[])
}

/**
 * Returns the URI in quotes if it is short and an error description may contain it (RFC 6749 §5.2). Otherwise returns
 * an empty text.
 */
function quoted(uri: string): string {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(uri) ? ` (${uri})` : ""
}

/** Parses the name. Also rejects look-alike names, because no administrator has checked the name. */
function parseName(body: JsonObject, redirectUris: readonly string[]): Result<string, Refusal> {
  const text = textOf(body, "client_name")
  if (!text.ok) return text
  const given = text.value?.trim() ?? ""
  const name = parseClientName(given === "" ? nameFrom(redirectUris) : given)
  if (!name.ok) return invalid(name.error)
  const problem = lookAlikeProblem(name.value)
  return problem === null ? name : invalid(problem)
}

/** Returns a name for an app that sends none. If all redirect URIs have the same host, the name contains this host. */
function nameFrom(redirectUris: readonly string[]): string {
  const hosts = new Set(redirectUris.map((uri) => /^https:\/\/([^/?:]{1,90})(?=[/?:]|$)/.exec(uri)?.[1]))
  const [host] = hosts
  return hosts.size === 1 && host !== undefined ? `App at ${host}` : "An app without a name"
}

/**
 * Returns the problem of a `scope` that names nothing of the open permissions. Any other `scope` changes nothing,
 * because a client that registers the scope of its first challenge may step up later. Interface REG-4.
 */
function scopeProblem(
  body: JsonObject,
  catalog: Catalog,
  open: readonly Permission[],
): Result<null, Refusal> {
  const scope = textOf(body, "scope")
  if (!scope.ok) return scope
  const requested = parseScope(scope.value?.trim() ?? "")
  if (!requested.ok) return invalid("The scope is malformed.")
  const allowed: ReadonlySet<string> = closureSet(catalog, open)
  const named = withoutIgnoredNames(catalog, requested.value, allowed) ?? open
  return named.some((name) => allowed.has(name))
    ? ok(null)
    : invalid("The scope has no permission that is open to self-registered apps.")
}

/** Returns the grant types that the app can use. RFC 7591 §3.2.1. */
export function servedTypes({ redirectUris }: Pick<Client, "redirectUris">, grantTypes: readonly string[]) {
  const isWithBrowser = redirectUris.length > 0
  return {
    grant_types: grantTypes.filter((grant) => isWithBrowser || grant !== "authorization_code"),
    response_types: isWithBrowser ? (["code"] as const) : [],
  }
}
