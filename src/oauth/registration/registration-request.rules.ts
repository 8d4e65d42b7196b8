/**
 * What an app says that registers itself: RFC 7591 §2 and §3.1; interface REG-2, SVC-8. Everything in it is the app's own
 * word. What the service decides itself (id, verification, administration) cannot be asked for, and members that it does
 * not know are passed over, addresses among them.
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
  /** Told again in the answer; the app may authenticate in either way that takes a secret. */
  readonly method: ClientAuthenticationMethod
  /** The icon that it brought along as a `data:` address; other addresses are not followed. */
  readonly logo: string | null
}

/** What the settings let an app have that registers itself, and the grant types of the token endpoint. */
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

/** What identical apps have in common: the same text for the same registration, whichever way it was written. */
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

/** Null where the member is absent or null: some libraries write out what they leave empty. */
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
 * Whether the app means to come with a browser. What is asked for beside something that is served is passed over
 * (RFC 7591 §2 lets the service replace it, and the answer says what is served); what is of no use at all is refused.
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
  // What can be registered is ASCII.
  if (uris.join("").length > OPEN_REDIRECT_URIS_BYTES_AT_MOST)
    return bad(
      `The redirect addresses have more than ${OPEN_REDIRECT_URIS_BYTES_AT_MOST} bytes together. An app that registers itself has fewer.`,
    )
  return ok(uris as readonly string[])
}

/** The address, where an error description may hold it (RFC 6749 §5.2) and it is short enough to be read. */
function quoted(uri: string): string {
  return /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(uri) ? ` (${uri})` : ""
}

/** This name is unverified, so it has to satisfy more rules than one that an administrator sets. */
function parseName(body: JsonObject, redirectUris: readonly string[]): Result<string, Refusal> {
  const text = textOf(body, "client_name")
  if (!text.ok) return text
  const asked = text.value?.trim() ?? ""
  const name = parseClientName(asked === "" ? nameFrom(redirectUris) : asked)
  if (!name.ok) return invalid(name.error)
  const problem = lookAlikeProblem(name.value)
  return problem === null ? name : invalid(problem)
}

/** An app that says no name is called by its host, if it has one and only one. */
function nameFrom(redirectUris: readonly string[]): string {
  const hosts = new Set(redirectUris.map((uri) => /^https:\/\/([^/?:]{1,90})(?=[/?:]|$)/.exec(uri)?.[1]))
  const [host] = hosts
  return hosts.size === 1 && host !== undefined ? `App at ${host}` : "An app without a name"
}

/** The part of what is asked for that is open; a name that is only implied may be asked for by itself. */
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

/** RFC 7591 §3.2.1, as far as it follows from the app: the grant types that it can use. */
export function servedTypes({ redirectUris }: Pick<Client, "redirectUris">, grantTypes: readonly string[]) {
  const isWithBrowser = redirectUris.length > 0
  return {
    grant_types: grantTypes.filter((grant) => isWithBrowser || grant !== "authorization_code"),
    response_types: isWithBrowser ? (["code"] as const) : [],
  }
}
