/** RFC 6749 §2.3.1 and §3.2.1, RFC 7521 §4.2, RFC 7617; interface AUTH-2, AUTH-3, KEY-1, ERR-1. */
import type { ClientId, Hash } from "../../kernel/ids.ts"
import type { Client, ClientKeys } from "../../model/clients/client.rules.ts"
import { sameHash } from "../../kernel/constant-time.ts"
import { decodeFormComponent, type Form } from "../../kernel/form.ts"
import type { Spending } from "../../platform/statements/spent.rules.ts"
import type { DecodeBase64Url } from "../../platform/statements/statement.rules.ts"
import { type Assertion, parseAssertion } from "./client-assertion.rules.ts"
import { parseClientId } from "./resolve.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"

export type ClientAuthenticationMethod =
  "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt"

export type PresentedClient = {
  readonly clientId: ClientId
  /** The value is null only for the methods `none` and `private_key_jwt`. Only HTTP Basic can send an empty secret. */
  readonly secret: string | null
  /** The value is null for every method except `private_key_jwt`. */
  readonly assertion: Assertion | null
  readonly method: ClientAuthenticationMethod
}

/** The client credentials of a request, with the secret as a digest and the proof of an assertion. */
export type Caller = {
  readonly presented: PresentedClient
  readonly secretHash: Hash | null
  /** The value is null without an assertion, and until the assertion is verified. */
  readonly proof: AssertionProof | null
}

/** An assertion that was signed by a key of the client. `keys` are those that were registered at that time. */
export type AssertionProof = {
  readonly keys: ClientKeys
  /** The value is null for the token of a platform, which may be used again. */
  readonly spending: Spending | null
}

/** Strict decoders. They return null for malformed text. */
type Decoders = {
  readonly base64: (text: string) => string | null
  readonly base64Url: DecodeBase64Url
}

/**
 * Reads the client and its secret or assertion from a request. A malformed Basic header fails authentication. An empty
 * header or another scheme is ignored, because these endpoints support only Basic.
 * Refuses: parameterRepeated, authorizationMalformed, clientAuthenticatedTwice, clientConflict, clientMissing,
 * clientUnknown, every reason of `parseAssertion`.
 */
export function parseClientAuthentication(
  authorizationHeader: string | undefined,
  form: Form,
  decoders: Decoders,
): Result<PresentedClient, Refusal> {
  for (const parameter of PARAMETERS) {
    if (form.repeated.has(parameter)) return err({ reason: "parameterRepeated", parameter })
  }
  const isBasic = authorizationHeader !== undefined && BASIC_SCHEME.test(authorizationHeader)
  if (form.values.has("client_assertion") || form.values.has("client_assertion_type"))
    return isBasic || form.values.has("client_secret")
      ? err({ reason: "clientAuthenticatedTwice" })
      : fromAssertion(form, decoders.base64Url)
  return isBasic ? fromBasic(authorizationHeader, form, decoders.base64) : fromBody(form)
}

const PARAMETERS = ["client_id", "client_secret", "client_assertion", "client_assertion_type"]

/** Divergence: D-20, the assertion names the client if there is no `client_id`. */
function fromAssertion({ values }: Form, decode: DecodeBase64Url): Result<PresentedClient, Refusal> {
  const [jwt, type] = [values.get("client_assertion"), values.get("client_assertion_type")]
  const assertion = parseAssertion(jwt, type, values.get("client_id"), decode)
  if (!assertion.ok) return assertion
  const { clientId } = assertion.value
  return ok({ clientId, secret: null, assertion: assertion.value, method: "private_key_jwt" })
}

function fromBody(form: Form): Result<PresentedClient, Refusal> {
  const clientId = form.values.get("client_id")
  if (clientId === undefined) return err({ reason: "clientMissing" })
  const secret = form.values.get("client_secret") ?? null
  return present(clientId, secret, secret === null ? "none" : "client_secret_post")
}

function fromBasic(
  header: string,
  form: Form,
  decodeBase64: Decoders["base64"],
): Result<PresentedClient, Refusal> {
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
  decodeBase64: Decoders["base64"],
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
  return clientId === null
    ? err({ reason: "clientUnknown" })
    : ok({ clientId, secret, assertion: null, method })
}

/** Replaces a missing digest. The refusal of an unknown client then takes the same time as any other. */
const NO_SECRET = "-".repeat(43) as Hash

/**
 * Returns the client if its authentication succeeds. Refuses: clientUnknown, clientHasNoSecret, clientSecretMissing,
 * clientSecretWrong, clientHasNoKey, clientAssertionMissing, assertionKeyUnknown, clientDisabled.
 */
export function authenticate(client: Client | null, caller: Caller): Result<Client, Refusal> {
  const isRight = sameHash(client?.secretHash ?? NO_SECRET, caller.secretHash ?? NO_SECRET)
  if (client === null) return err({ reason: "clientUnknown" })
  const failure = failureOf(client, caller, isRight)
  return failure === null ? ok(client) : err(failure)
}

function failureOf(client: Client, caller: Caller, isRight: boolean): Refusal | null {
  const { presented, secretHash } = caller
  if (client.keys !== null) {
    const failure = failureOfProof(client.keys, caller)
    if (failure !== null) return failure
  } else if (presented.method === "private_key_jwt") return { reason: "clientHasNoKey" }
  else if (client.type === "public") {
    if (presented.method !== "none") return { reason: "clientHasNoSecret" }
  } else {
    if (presented.method === "none" || secretHash === null) return { reason: "clientSecretMissing" }
    if (client.secretHash === null || !isRight) return { reason: "clientSecretWrong" }
  }
  return client.enabled ? null : { reason: "clientDisabled" }
}

/** An assertion fails here if the client's keys were replaced after the signature was checked. */
function failureOfProof(keys: ClientKeys, { presented, proof }: Caller): Refusal | null {
  if (presented.assertion === null) return { reason: "clientAssertionMissing" }
  const isSame =
    proof?.keys.jwks === keys.jwks &&
    proof.keys.jwksUri === keys.jwksUri &&
    proof.keys.algorithm === keys.algorithm &&
    JSON.stringify(proof.keys.workload) === JSON.stringify(keys.workload)
  return isSame ? null : { reason: "assertionKeyUnknown" }
}
