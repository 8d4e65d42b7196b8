/**
 * The metadata of an app that registers itself: RFC 7591 §2 and §3.1; interface REG-2, SVC-8. The app claims all of it.
 * It cannot set what the service decides (id, verification, administration). Unknown members are ignored.
 */
import type { Permission } from "../../kernel/ids.ts"
import type { ClientAuthenticationMethod } from "../clients/client-authentication.rules.ts"
import type { Client, ClientType } from "../../records/client.rules.ts"
import type { Json, JsonObject } from "../../kernel/json.ts"
import { OPEN_REDIRECT_URIS_BYTES_AT_MOST, REDIRECT_URIS_AT_MOST } from "../../kernel/limits.ts"
import { type OpenPermissions, openCeiling } from "../../permissions/open-permissions.rules.ts"
import { closureSet, sorted } from "../../permissions/permission.rules.ts"
import type { Catalogue } from "../../permissions/permission-catalogue.rules.ts"
import { type OpenSchemes, registerableRedirectUri } from "../../records/redirect-registration.rules.ts"
import { parseClientName, type Registration } from "../../records/registration.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { parseScope, withoutHabit } from "../../permissions/scope.rules.ts"
import { lookAlikeProblem } from "../../kernel/visible-text.ts"

export type RegistrationRequest = {
  readonly registration: Registration
  /** Repeated in the response. The app may use either method that takes a secret. */
  readonly method: ClientAuthenticationMethod
  /** The icon as a `data:` URL. Other URLs are not fetched. */
  readonly logo: string | null
}

/** What the settings allow an app that registers itself, and the grant types of the token endpoint. */
export type OpenRegistration = {
  readonly grantTypes: readonly string[]
  readonly openPermissions: OpenPermissions
  readonly openSchemes: OpenSchemes
}

/** Refuses: clientMetadataInvalid, redirectUriUnregisterable. */
export function parseRegistrationRequest(
  body: Json,
  catalogue: Catalogue,
  { grantTypes, openPermissions: open, openSchemes }: OpenRegistration,
): Result<RegistrationRequest, Refusal> {
  if (!isObject(body)) return invalid("The body is not a JSON object.")
  const method = parseMethod(body)
  if (!method.ok) return method
  const type: ClientType = method.value === "none" ? "public" : "confidential"
  const usesBrowser = parseGrantTypes(body, grantTypes)
  if (!usesBrowser.ok) return usesBrowser
  const redirectUris = parseRedirectUris(body, type, usesBrowser.value, openSchemes)
  if (!redirectUris.ok) return redirectUris
  const name = parseName(body, redirectUris.value)
  if (!name.ok) return name
  const ceiling = parseCeiling(body, catalogue, openCeiling(catalogue, open))
  if (!ceiling.ok) return ceiling
  const logo = textOf(body, "logo_uri")
  if (!logo.ok) return logo
  return ok({
    registration: {
      type,
      name: name.value,
      redirectUris: redirectUris.value,
      ceiling: ceiling.value,
      verified: false,
      stepUp: false,
      resourceServer: false,
    },
    method: method.value,
    logo: logo.value !== null && /^data:/i.test(logo.value) ? logo.value : null,
  })
}

/** The same text for the same registration, however its JSON was written. */
export function registrationFacts(
  { name, redirectUris, ceiling }: Registration,
  logo: string | null,
): string {
  return JSON.stringify(["public", name, redirectUris, ceiling, logo])
}

function isObject(value: Json): value is JsonObject {
  return value instanceof Map
}

function invalid(description: string) {
  return err({ reason: "clientMetadataInvalid", description: description })
}

/** Null if the member is missing or null: some libraries write empty members as null. */
function textOf(body: JsonObject, name: string): Result<string | null, Refusal> {
  const value = body.get(name) ?? null
  return value === null || typeof value === "string" ? ok(value) : invalid(`${name} is not a text.`)
}

function textsOf(body: JsonObject, name: string): Result<readonly string[] | null, Refusal> {
  const value = body.get(name) ?? null
  if (value === null) return ok(null)
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === "string")
  return isTexts ? ok(value as readonly string[]) : invalid(`${name} is not a list of texts.`)
}

const METHODS = ["none", "client_secret_basic", "client_secret_post"] as const

function parseMethod(body: JsonObject): Result<ClientAuthenticationMethod, Refusal> {
  const text = textOf(body, "token_endpoint_auth_method")
  if (!text.ok) return text
  const method = METHODS.find((known) => known === (text.value ?? "client_secret_basic"))
  return method === undefined
    ? invalid(`token_endpoint_auth_method is not one of ${METHODS.join(", ")}.`)
    : ok(method)
}

/**
 * Whether the app uses the authorization code flow. Unsupported grant types are ignored beside a supported one, as
 * RFC 7591 §2 allows; the response lists what is supported. A request without a supported one is refused.
 */
function parseGrantTypes(body: JsonObject, served: readonly string[]): Result<boolean, Refusal> {
  const grants = textsOf(body, "grant_types")
  if (!grants.ok) return grants
  const responses = textsOf(body, "response_types")
  if (!responses.ok) return responses
  const asked = grants.value ?? ["authorization_code"]
  if (!asked.some((grant) => served.includes(grant)))
    return invalid(`grant_types has none of ${served.join(", ")}.`)
  const isWithCode = asked.includes("authorization_code")
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
  if (!Array.isArray(value)) return bad("redirect_uris is not a list of texts.")
  const uris = [...new Set(value as readonly Json[])]
  if (uris.length === 0 && isWithBrowser) return bad("An app with a browser registers a redirect address.")
  if (uris.length > REDIRECT_URIS_AT_MOST)
    return bad(`An app has at most ${REDIRECT_URIS_AT_MOST} redirect addresses.`)
  for (const uri of uris) {
    const at = (value as readonly Json[]).indexOf(uri)
    if (typeof uri !== "string") return bad(`redirect_uris[${at}] is not a text.`)
    const checked = registerableRedirectUri(uri, type, schemes)
    if (!checked.ok) return bad(`redirect_uris[${at}]${quoted(uri)} cannot be registered: ${checked.error}`)
  }
  // Only ASCII can be registered.
  if (uris.join("").length > OPEN_REDIRECT_URIS_BYTES_AT_MOST)
    return bad(
      `The redirect addresses have more than ${OPEN_REDIRECT_URIS_BYTES_AT_MOST} bytes together. An app that registers itself has fewer.`,
    )
  return ok(uris as readonly string[])
}

/** The URI, if an error description may hold it (RFC 6749 §5.2) and it is short enough to read. */
function quoted(uri: string): string {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(uri) ? ` (${uri})` : ""
}

/** No administrator has checked this name, so its rules are stricter. */
function parseName(body: JsonObject, redirectUris: readonly string[]): Result<string, Refusal> {
  const text = textOf(body, "client_name")
  if (!text.ok) return text
  const asked = text.value?.trim() ?? ""
  const name = parseClientName(asked === "" ? nameFrom(redirectUris) : asked)
  if (!name.ok) return invalid(name.error)
  const problem = lookAlikeProblem(name.value)
  return problem === null ? name : invalid(problem)
}

/** An app without a name is called by its host, if it has exactly one. */
function nameFrom(redirectUris: readonly string[]): string {
  const hosts = new Set(redirectUris.map((uri) => /^https:\/\/([^/?:]{1,90})(?=[/?:]|$)/.exec(uri)?.[1]))
  const [host] = hosts
  return hosts.size === 1 && host !== undefined ? `App at ${host}` : "An app without a name"
}

/** The requested permissions that are open. An implied permission may be requested by itself. */
function parseCeiling(
  body: JsonObject,
  catalogue: Catalogue,
  open: readonly Permission[],
): Result<readonly Permission[], Refusal> {
  const scope = textOf(body, "scope")
  if (!scope.ok) return scope
  const asked = parseScope(scope.value?.trim() ?? "")
  if (!asked.ok) return invalid("The scope is malformed.")
  const named = withoutHabit(catalogue, asked.value)
  const allowed = closureSet(catalogue, open)
  const ceiling = named === null ? open : (named as readonly Permission[]).filter((name) => allowed.has(name))
  return ceiling.length === 0
    ? invalid("The scope leaves nothing that an app may ask for by registering itself.")
    : ok(sorted(catalogue, ceiling))
}

/** RFC 7591 §3.2.1: the grant types that the app can use. */
export function servedTypes({ redirectUris }: Pick<Client, "redirectUris">, grantTypes: readonly string[]) {
  const isWithBrowser = redirectUris.length > 0
  return {
    grant_types: grantTypes.filter((grant) => isWithBrowser || grant !== "authorization_code"),
    response_types: isWithBrowser ? (["code"] as const) : [],
  }
}
