/**
 * Client authentication. RFC 6749 §2.3.1 and §3.2.1, RFC 7617; interface AUTH-2, AUTH-3, ERR-1. Nothing else of a
 * request is checked before.
 */
import type { ClientId, Hash } from "../../kernel/ids.ts"
import type { Client } from "../../records/client.rules.ts"
import { sameHash } from "../../kernel/constant-time.ts"
import { decodeFormComponent, type Form } from "../../kernel/form.ts"
import { parseClientId } from "./resolve.rules.ts"
import type { Refusal } from "../refusal.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"

export type ClientAuthenticationMethod = "none" | "client_secret_basic" | "client_secret_post"

export type PresentedClient = {
  readonly clientId: ClientId
  /** Null only for the method `none`. Empty only from HTTP Basic. */
  readonly secret: string | null
  readonly method: ClientAuthenticationMethod
}

/** Base64 to UTF-8 text; null if it is malformed. */
export type DecodeBase64 = (text: string) => string | null

/**
 * The client that a request names, with its secret. A malformed Basic header fails authentication. An empty header or
 * one of another scheme is ignored, because these endpoints support no other scheme.
 * Refuses: parameterRepeated, authorizationMalformed, clientAuthenticatedTwice, clientConflict, clientMissing,
 * clientUnknown.
 */
export function parseClientAuthentication(
  authorizationHeader: string | undefined,
  form: Form,
  decodeBase64: DecodeBase64,
): Result<PresentedClient, Refusal> {
  for (const parameter of ["client_id", "client_secret"]) {
    if (form.repeated.has(parameter)) return err({ reason: "parameterRepeated", parameter })
  }
  return authorizationHeader !== undefined && BASIC_SCHEME.test(authorizationHeader)
    ? fromBasic(authorizationHeader, form, decodeBase64)
    : fromBody(form)
}

function fromBody(form: Form): Result<PresentedClient, Refusal> {
  const clientId = form.values.get("client_id")
  if (clientId === undefined) return err({ reason: "clientMissing" })
  const secret = form.values.get("client_secret") ?? null
  return present(clientId, secret, secret === null ? "none" : "client_secret_post")
}

function fromBasic(header: string, form: Form, decodeBase64: DecodeBase64): Result<PresentedClient, Refusal> {
  const pair = basicPair(header, decodeBase64)
  if (pair === null) return err({ reason: "authorizationMalformed" })
  if (form.values.has("client_secret")) return err({ reason: "clientAuthenticatedTwice" })
  const bodyId = form.values.get("client_id")
  if (bodyId !== undefined && bodyId !== pair.clientId) return err({ reason: "clientConflict" })
  return present(pair.clientId, pair.secret, "client_secret_basic")
}

const BASIC_SCHEME = /^Basic(?:\s|$)/i
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i

function basicPair(
  header: string,
  decodeBase64: DecodeBase64,
): { readonly clientId: string; readonly secret: string } | null {
  const encoded = BASIC.exec(header)?.[1]
  const text = encoded === undefined ? null : decodeBase64(encoded)
  const colon = text?.indexOf(":") ?? -1
  if (text === null || colon < 0) return null
  const clientId = decodeFormComponent(text.slice(0, colon))
  const secret = decodeFormComponent(text.slice(colon + 1))
  return clientId === null || clientId === "" || secret === null ? null : { clientId, secret }
}

function present(
  named: string,
  secret: string | null,
  method: ClientAuthenticationMethod,
): Result<PresentedClient, Refusal> {
  const clientId = parseClientId(named)
  return clientId === null ? err({ reason: "clientUnknown" }) : ok({ clientId, secret, method })
}

/** Compared in place of a missing digest, so that an unknown client costs the same time. */
const NO_SECRET = "-".repeat(43) as Hash

/**
 * The client, if its authentication succeeds. `secretHash` is the digest of `presented.secret`, or null with it.
 * Refuses: clientUnknown, clientHasNoSecret, clientSecretMissing, clientSecretWrong, clientDisabled.
 */
export function authenticate(
  client: Client | null,
  presented: PresentedClient,
  secretHash: Hash | null,
): Result<Client, Refusal> {
  const isRight = sameHash(client?.secretHash ?? NO_SECRET, secretHash ?? NO_SECRET)
  if (client === null) return err({ reason: "clientUnknown" })
  const failure = failureOf(client, presented, secretHash, isRight)
  return failure === null ? ok(client) : err(failure)
}

function failureOf(
  client: Client,
  presented: PresentedClient,
  secretHash: Hash | null,
  isRight: boolean,
): Refusal | null {
  if (client.type === "public") {
    if (presented.method !== "none") return { reason: "clientHasNoSecret" }
  } else {
    if (presented.method === "none" || secretHash === null) return { reason: "clientSecretMissing" }
    if (client.secretHash === null || !isRight) return { reason: "clientSecretWrong" }
  }
  return client.enabled ? null : { reason: "clientDisabled" }
}
