/**
 * The metadata of a provider (OpenID Connect Discovery §4), kept in memory. While the provider does not answer, an
 * older copy serves. A failure is kept for a moment, because every stranger can cause a request.
 */
import type { AuthorizationServer } from "oauth4webapi"
import { parseHttpsUrl } from "../../../kernel/https-url.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import { DAY, HOUR } from "../../../kernel/time.ts"
import { ISSUER_ALGORITHMS } from "../../../model/clients/key-set.rules.ts"
import type { Services } from "../../../platform/services/services.ts"
import type { OpenIdProvider } from "../../../model/sign-in/provider.rules.ts"
import { fetchFrom, jsonOf } from "./provider-request.ts"
import { UpstreamError, type UpstreamFailure } from "./upstream-failure.ts"

type Needs = Pick<Services, "outgoing" | "clock">

type Kept = { readonly metadata: AuthorizationServer; readonly atSeconds: number }

type Failed = { readonly failure: UpstreamFailure; readonly atSeconds: number }

const FRESH_SECONDS = HOUR
const STALE_SECONDS = 7 * DAY

const FAILURE_SECONDS = 5

const kept = new WeakMap<OpenIdProvider, Kept>()
const failed = new WeakMap<OpenIdProvider, Failed>()
const underway = new WeakMap<OpenIdProvider, Promise<Result<AuthorizationServer, UpstreamFailure>>>()

export async function metadataOf(
  services: Needs,
  provider: OpenIdProvider,
): Promise<Result<AuthorizationServer, UpstreamFailure>> {
  const now = services.clock.monotonic() / 1000
  const copy = kept.get(provider)
  const age = copy === undefined ? Infinity : now - copy.atSeconds
  if (copy !== undefined && age < FRESH_SECONDS) return ok(copy.metadata)
  const last = failed.get(provider)
  const isRecent = last !== undefined && now - last.atSeconds < FAILURE_SECONDS
  const fetched = isRecent ? err(last.failure) : await readMetadata(services, provider)
  const isStale = copy !== undefined && age < STALE_SECONDS
  return !fetched.ok && isStale && fetched.error.kind !== "misconfigured" ? ok(copy.metadata) : fetched
}

/** Reads the metadata now, and keeps them if they are good. Concurrent calls share one request. */
export function readMetadata(
  services: Needs,
  provider: OpenIdProvider,
): Promise<Result<AuthorizationServer, UpstreamFailure>> {
  const fetching = underway.get(provider) ?? fetchOnce(services, provider)
  underway.set(provider, fetching)
  return fetching
}

async function fetchOnce(
  services: Needs,
  provider: OpenIdProvider,
): Promise<Result<AuthorizationServer, UpstreamFailure>> {
  const checked = await fetchChecked(services, provider).finally(() => underway.delete(provider))
  const atSeconds = services.clock.monotonic() / 1000
  if (checked.ok) kept.set(provider, { metadata: checked.value, atSeconds })
  else if (checked.error.kind !== "busy") failed.set(provider, { failure: checked.error, atSeconds })
  return checked
}

async function fetchChecked(
  services: Needs,
  provider: OpenIdProvider,
): Promise<Result<AuthorizationServer, UpstreamFailure>> {
  const url = provider.metadataUrl ?? ""
  try {
    const response = await fetchFrom(services, provider)(url, { method: "GET", headers: {} })
    if (response.status === 200) return checkedMetadata(provider, await jsonOf(response))
    return err({ kind: "misconfigured", detail: `${url} answers with status ${response.status}.` })
  } catch (problem) {
    if (problem instanceof UpstreamError) return err(problem.failure)
    throw problem
  }
}

/** Checks metadata. The issuer must equal the configured one byte for byte. */
function checkedMetadata(
  { issuer }: OpenIdProvider,
  json: unknown,
): Result<AuthorizationServer, UpstreamFailure> {
  const misconfigured = (detail: string) => err({ kind: "misconfigured", detail } as const)
  if (typeof json !== "object" || json === null) return misconfigured("The metadata are not a JSON object.")
  const {
    issuer: named,
    id_token_signing_alg_values_supported: algorithms,
    ...rest
  } = json as AuthorizationServer
  if (typeof named !== "string") return misconfigured("The metadata name no issuer.")
  if (named !== issuer) return misconfigured(otherIssuer(issuer, named))
  for (const member of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
    const written: unknown = rest[member]
    const url = parseHttpsUrl(typeof written === "string" ? written : "")
    if (!url.ok) return misconfigured(`The metadata have no usable ${member}: ${url.error}`)
  }
  const usable = Array.isArray(algorithms)
    ? ISSUER_ALGORITHMS.filter((name) => algorithms.includes(name))
    : ["RS256"]
  if (usable.length === 0) return misconfigured("The provider signs ID tokens with no public-key algorithm.")
  return ok({ ...rest, issuer, id_token_signing_alg_values_supported: usable })
}

function otherIssuer(issuer: string, named: string): string {
  if (named.replace(/\/$/, "") === issuer.replace(/\/$/, "")) {
    const which = named.endsWith("/")
      ? "ends with a slash there, but not here"
      : "ends with a slash here, but not there"
    return `The issuer ${which}. Write issuer: ${JSON.stringify(named.slice(0, 500))}`
  }
  return `The metadata name another issuer: ${JSON.stringify(named.slice(0, 500))}. Write it as the issuer, or correct the URL.`
}
