/**
 * The entry point of the package. It checks the token of each request against cached responses. Revocations and other
 * changes apply within a second.
 */
import type { Access } from "./access.ts"
import { AnswerCache } from "./answer-cache.ts"
import { type Incoming, presentedBy } from "./bearer-header.ts"
import { TokenChecks } from "./checks.ts"
import { type Clock, systemClock } from "./clock.ts"
import { digest } from "./digest.ts"
import { introspectionAt } from "./introspection.ts"
import { ConcurrentChanges } from "./concurrent-changes.ts"
import { type Refusal, refusalOf, type RefusalReason } from "./refusal.ts"
import { type Requirement, combine } from "./requirement.ts"
import { addressOf, type Resource, type ResourceMetadata, resourceOf } from "./resource.ts"
import { limitReports } from "./report-limit.ts"
import { basicAuthorization, type Service, ServiceUnavailable, type Trouble } from "./service.ts"
import { InvalidationStream } from "./stream.ts"
import { isAccessTokenForm } from "./token-form.ts"

export { requireElevation, requirePermission } from "./requirement.ts"
export type { Access, Clock, Incoming, Refusal, RefusalReason, Requirement, ResourceMetadata, Trouble }

export type ResourceServerOptions = {
  /** The base URL of the service. */
  readonly issuer: string
  /** The `client_id` of an app that an administrator marked as a resource server. */
  readonly clientId: string
  readonly clientSecret: string
  /** The public URL of the API, such as `https://api.example` or `https://api.example/mcp`. */
  readonly resource: string
  /** The permissions for the metadata. Those that begin with `admin:` are left out. */
  readonly permissions?: readonly string[]
  /** The name of the API for people, in the metadata. */
  readonly resourceName?: string
  readonly resourceDocumentation?: string
  /** The maximum number of cached responses. The default is 10,000. */
  readonly cacheEntries?: number
  /** The time limit of a request to the service in milliseconds. The default is 5,000. */
  readonly timeoutMilliseconds?: number
  /** The maximum number of concurrent requests to the service. The default is 32. */
  readonly concurrency?: number
  /**
   * If false, every check sends a request to the service. Set it to false on runtimes that run no code between
   * requests.
   */
  readonly stream?: boolean
  /** Called if there are problems with the service, at most once a second for each kind. */
  readonly onTrouble?: (trouble: Trouble) => void
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
}

export type Checked =
  { readonly ok: true; readonly access: Access } | { readonly ok: false; readonly refusal: Refusal }

export type ResourceServer = {
  /**
   * Returns the access of a request that meets every requirement. Otherwise returns a refusal with its HTTP response.
   */
  readonly verify: (request: Incoming, ...requirements: readonly Requirement[]) => Promise<Checked>
  /** The metadata of RFC 9728. Every challenge contains `metadataUrl`. */
  readonly metadata: ResourceMetadata
  readonly metadataPath: string
  readonly metadataUrl: string
  /** Whether the event stream is connected and responses are cached. */
  readonly isLive: () => boolean
  /** Ends the event stream. Every later check sends a request to the service. */
  readonly close: () => void
}

/**
 * If a cached response lacks a permission or an elevation and is older than this, the service is asked again before the
 * refusal.
 */
const RECHECK_AFTER_MS = 1000

export function createResourceServer(options: ResourceServerOptions): ResourceServer {
  const clock = options.clock ?? systemClock
  const service = serviceOf(options, clock)
  const resource = resourceOf({
    resource: options.resource,
    issuer: service.issuer,
    permissions: options.permissions ?? [],
    name: options.resourceName,
    documentation: options.resourceDocumentation,
  })
  const answers = new AnswerCache(bound("cacheEntries", options.cacheEntries ?? 10_000))
  const overtaken = new ConcurrentChanges()
  const stream = new InvalidationStream(service, clock, {
    invalidated: (invalidation) => {
      overtaken.note(invalidation)
      answers.invalidate(invalidation)
    },
    missed: () => {
      overtaken.noteAll()
      answers.clear()
    },
  })
  const ask = introspectionAt(service, {
    timeoutMilliseconds: bound("timeoutMilliseconds", options.timeoutMilliseconds ?? 5000),
    concurrency: bound("concurrency", options.concurrency ?? 32),
  })
  const checks = new TokenChecks({ ask, answers, overtaken, stream: stream, clock })
  const usesStream = options.stream ?? true
  return {
    verify: (request, ...requirements) => {
      if (usesStream) stream.start()
      return verify({ checks, resource, clock }, request, combine(requirements))
    },
    metadata: resource.metadata,
    metadataPath: resource.metadataPath,
    metadataUrl: resource.metadataUrl,
    isLive: () => stream.session !== null,
    close: () => stream.close(),
  }
}

type Guard = { readonly checks: TokenChecks; readonly resource: Resource; readonly clock: Clock }

/** The checks run in this order: header, form of the token, token, audience, permissions, elevation. */
async function verify(guard: Guard, request: Incoming, needed: Requirement): Promise<Checked> {
  const refuse = (reason: RefusalReason, retryAfterSeconds?: number): Checked => ({
    ok: false,
    refusal: refusalOf(reason, {
      needed: needed.permissions,
      metadataUrl: guard.resource.metadataUrl,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    }),
  })
  const presented = presentedBy(request)
  if (presented.kind === "missing") return refuse("tokenMissing")
  if (presented.kind === "malformed") return refuse("tokenMalformed")
  if (!isAccessTokenForm(presented.token)) return refuse("tokenInvalid")
  try {
    const result = await decide(guard, presented.token, needed)
    return typeof result === "string" ? refuse(result) : { ok: true, access: result }
  } catch (error) {
    if (error instanceof ServiceUnavailable) return refuse("serviceUnavailable", error.retryAfterSeconds)
    throw error
  }
}

async function decide(guard: Guard, token: string, needed: Requirement): Promise<Access | RefusalReason> {
  const { checks, clock } = guard
  const digested = digest(token)
  const key = typeof digested === "string" ? digested : await digested
  const kept = checks.kept(key)
  const answer = kept ?? (await checks.fresh(key, token))
  const verdict = verdictOn(guard, answer.access, needed)
  const mayHaveChanged = verdict === "permissionLacking" || verdict === "elevationLacking"
  if (kept === null || !mayHaveChanged) return verdict
  if (clock.monotonic() - kept.askedAt < RECHECK_AFTER_MS) return verdict
  return verdictOn(guard, (await checks.fresh(key, token)).access, needed)
}

function verdictOn(
  { resource, clock }: Guard,
  access: Access | null,
  { permissions, elevation }: Requirement,
): Access | RefusalReason {
  if (access === null) return "tokenInvalid"
  if (!resource.isNamedBy(access.audience)) return "audienceOther"
  if (!permissions.every((name) => access.permissions.includes(name))) return "permissionLacking"
  if (elevation && (access.elevatedUntil ?? 0) <= clock.now()) return "elevationLacking"
  return access
}

function serviceOf(options: ResourceServerOptions, clock: Clock): Service {
  const { clientId, clientSecret, onTrouble } = options
  addressOf(options.issuer, "issuer")
  if (clientId === "" || clientSecret === "")
    throw new TypeError("clientId and clientSecret must not be empty")
  return {
    // The service publishes its issuer without a trailing slash.
    issuer: options.issuer.replace(/\/$/, ""),
    authorization: basicAuthorization(clientId, clientSecret),
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    report: limitReports((trouble) => onTrouble?.(trouble), clock),
  }
}

function bound(option: string, value: number): number {
  if (!Number.isInteger(value) || value < 1) throw new TypeError(`${option} must be a whole number from 1`)
  return value
}
