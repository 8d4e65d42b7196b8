/**
 * The content of a Client ID Metadata Document: draft-ietf-oauth-client-id-metadata-document; interface CD-2…CD-5.
 *
 * Unknown members are ignored. A document cannot choose grant types or response types. The client may use those that
 * this service supports.
 */
import type { ClientId } from "../../kernel/ids.ts"
import type { Json, JsonObject } from "../../kernel/json.ts"
import { CLIENT_NAME_LENGTH_AT_MOST, REDIRECT_URIS_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { lookAlikeProblem } from "../../kernel/visible-text.ts"
import type { ClientKeys, ClientType } from "../../model/clients/client.rules.ts"
import { parseClientKeys } from "../../model/clients/key-set.rules.ts"
import { type OpenSchemes, registerableRedirectUri } from "../../model/clients/redirect-registration.rules.ts"
import { parseClientName } from "../../model/clients/registration.rules.ts"

export type DocumentContent = {
  readonly type: ClientType
  readonly keys: ClientKeys | null
  readonly name: string
  readonly redirectUris: readonly string[]
}

/** Parses the document at `url`. The problem is a message for operators. */
export function parseDocument(
  json: Json,
  url: ClientId,
  schemes: OpenSchemes,
): Result<DocumentContent, Problem> {
  if (!(json instanceof Map)) return err("The document is not a JSON object.")
  const members: JsonObject = json
  if (members.get("client_id") !== url) return err("client_id is not the URL of the document, byte for byte.")
  const secret = SECRETS.find((name) => members.has(name))
  if (secret !== undefined) return err(`${secret} is not allowed in a document.`)
  const keys = negotiatedKeys(members)
  if (!keys.ok) return keys
  const type = keys.value === null ? "public" : "confidential"
  const redirectUris = parseRedirectUris(members, type, schemes)
  if (!redirectUris.ok) return redirectUris
  return ok({ type, keys: keys.value, name: nameOf(members, url), redirectUris: redirectUris.value })
}

const SECRETS = ["client_secret", "client_secret_expires_at"] as const
const SECRET_METHOD = /^client_secret_/

/**
 * Chooses the authentication method. A document names one method and may list more (OpenID Connect RP Metadata Choices
 * 1.0). If the named method is not supported, `private_key_jwt` is preferred to `none`. Returns null for `none`, which
 * is the default.
 */
function negotiatedKeys(members: JsonObject): Result<ClientKeys | null, Problem> {
  const preferred = members.get("token_endpoint_auth_method") ?? "none"
  const listed = members.get("token_endpoint_auth_methods_supported") ?? []
  if (typeof preferred === "string" && SECRET_METHOD.test(preferred))
    return err("token_endpoint_auth_method needs a secret, which a document cannot have.")
  const choices = [preferred, ...(Array.isArray(listed) ? (listed as readonly Json[]) : [])]
  if (preferred === "none") return ok(null)
  const hasNone = choices.includes("none")
  if (!choices.includes("private_key_jwt"))
    return hasNone
      ? ok(null)
      : err("token_endpoint_auth_method is not supported. Supported: none, private_key_jwt.")
  const keys = keysOf(members)
  return keys.ok || !hasNone ? keys : ok(null)
}

function keysOf(members: JsonObject): Result<ClientKeys, Problem> {
  const [jwksUri, algorithm] = [members.get("jwks_uri"), members.get("token_endpoint_auth_signing_alg")]
  const keys = parseClientKeys({
    jwks: members.get("jwks") ?? undefined,
    jwksUri: typeof jwksUri === "string" ? jwksUri : undefined,
    algorithm: typeof algorithm === "string" ? algorithm : undefined,
  })
  if (!keys.ok) return keys
  return keys.value === null ? err("private_key_jwt needs jwks or jwks_uri.") : ok(keys.value)
}

/** IPv6 loopback URIs cannot be registered here (D-5). Documents list them beside other loopback URIs. */
const IPV6_LOOPBACK = /^http:\/\/\[::1\](?::[0-9]+)?(?:[/?]|$)/

/** Returns each redirect URI that a document loses, with the reason. */
export function leftOutOf(json: Json): readonly string[] {
  const uris = json instanceof Map ? (json.get("redirect_uris") ?? []) : []
  const texts = Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : []
  return [...new Set(texts)]
    .filter((uri) => IPV6_LOOPBACK.test(uri))
    .map((uri) => `${uri}: an IPv6 address cannot be registered; use 127.0.0.1`)
}

function parseRedirectUris(
  members: JsonObject,
  type: ClientType,
  schemes: OpenSchemes,
): Result<readonly string[], Problem> {
  const value = members.get("redirect_uris")
  if (!Array.isArray(value) || !value.every((uri) => typeof uri === "string"))
    return err("redirect_uris is not a list of strings.")
  const uris = [...new Set(value as readonly string[])].filter((uri) => !IPV6_LOOPBACK.test(uri))
  if (uris.length === 0) return err("redirect_uris has no address that can be registered.")
  if (uris.length > REDIRECT_URIS_AT_MOST)
    return err(`redirect_uris has more than ${REDIRECT_URIS_AT_MOST} addresses.`)
  for (const [at, uri] of uris.entries()) {
    const checked = registerableRedirectUri(uri, type, schemes)
    if (!checked.ok) return err(`redirect_uris[${at}] cannot be registered: ${checked.error}`)
  }
  return ok(uris)
}

/** A name that is too long is shortened. The host replaces a missing or misleading name. */
function nameOf(members: JsonObject, url: ClientId): string {
  const host = url.slice("https://".length).split("/", 1)[0] ?? url
  const text = members.get("client_name")
  const shortened = typeof text === "string" ? [...text].slice(0, CLIENT_NAME_LENGTH_AT_MOST).join("") : host
  const name = parseClientName(shortened)
  if (name.ok && lookAlikeProblem(name.value) === null) return name.value
  return host.slice(0, CLIENT_NAME_LENGTH_AT_MOST)
}
