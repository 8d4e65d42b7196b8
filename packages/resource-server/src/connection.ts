/**
 * The connection to the service: one event stream and one cache. Several resources can share it; a resource server has
 * one of its own.
 */
import type { Access } from "./access.ts"
import { AnswerCache } from "./answer-cache.ts"
import { presentedBy, type Incoming } from "./bearer-header.ts"
import { TokenChecks } from "./checks.ts"
import { type Clock, systemClock } from "./clock.ts"
import { ConcurrentChanges } from "./concurrent-changes.ts"
import { digest } from "./digest.ts"
import { introspectionAt } from "./introspection.ts"
import { refusalOf, type RefusalReason } from "./refusal.ts"
import { limitReports } from "./report-limit.ts"
import { combine, type Requirement } from "./requirement.ts"
import { addressOf, type Resource, type ResourceOptions, resourceOf } from "./resource.ts"
import type { Checked, ResourceServer, ResourceServerOptions } from "./resource-server.ts"
import { basicAuthorization, type Service, ServiceUnavailable } from "./service.ts"
import { InvalidationStream } from "./stream.ts"
import { isAccessTokenForm } from "./token-form.ts"

/** The options that are the same for all resources. */
export type ConnectionOptions = Omit<
  ResourceServerOptions,
  "resource" | "permissions" | "resourceName" | "resourceDocumentation" | "requireAudience"
> & { readonly onCheck?: OnCheck }

/** Called after each check of a token, whether a cached response was used or the service was asked. */
export type OnCheck = (source: "cache" | "asked", milliseconds: number) => void

export type Connection = {
  /** Creates the resource server of one resource. */
  readonly at: (resource: Omit<ResourceOptions, "issuer">) => ResourceServer
  /** Opens the event stream. The first check does the same. */
  readonly start: () => void
  /** The number of cached responses for active tokens. */
  readonly cachedTokens: () => number
}

/**
 * If a cached response lacks a permission or an elevation and is older than this, the service is asked again before the
 * refusal.
 */
const RECHECK_AFTER_MS = 1000

export function connect(options: ConnectionOptions): Connection {
  const clock = options.clock ?? systemClock
  const service = serviceOf(options, clock)
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
  const checks = new TokenChecks({ ask, answers, overtaken, stream, clock })
  const usesStream = options.stream ?? true
  const start = () => {
    if (usesStream) stream.start()
  }
  const { onCheck } = options
  return {
    start,
    cachedTokens: () => answers.size,
    at: (named) => {
      const resource = resourceOf({ ...named, issuer: service.issuer })
      return {
        verify: (request, ...requirements) => {
          start()
          return verify({ checks, resource, clock, onCheck }, request, combine(requirements))
        },
        metadata: resource.metadata,
        metadataPath: resource.metadataPath,
        metadataUrl: resource.metadataUrl,
        isLive: () => stream.session !== null,
        close: () => stream.close(),
      }
    },
  }
}

type Checks = Pick<TokenChecks, "kept" | "fresh">
type Guard = {
  readonly checks: Checks
  readonly resource: Resource
  readonly clock: Clock
  readonly onCheck: OnCheck | undefined
}

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
    const result = await (guard.onCheck === undefined ? decide : timed)(guard, presented.token, needed)
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

/** Decides, and reports where the answer came from and how long it took. */
async function timed(guard: Guard, token: string, needed: Requirement): Promise<Access | RefusalReason> {
  const { checks, clock, onCheck } = guard
  const startedAt = clock.monotonic()
  let source: "cache" | "asked" = "cache"
  const watched: Checks = {
    kept: (key) => checks.kept(key),
    fresh: (key, asked) => {
      source = "asked"
      return checks.fresh(key, asked)
    },
  }
  try {
    return await decide({ ...guard, checks: watched }, token, needed)
  } finally {
    onCheck?.(source, clock.monotonic() - startedAt)
  }
}

function verdictOn(
  { resource, clock }: Guard,
  access: Access | null,
  { permissions, elevation }: Requirement,
): Access | RefusalReason {
  if (access === null) return "tokenInvalid"
  const problem = resource.audienceProblem(access.audience)
  if (problem !== null) return problem
  if (!permissions.every((name) => access.permissions.includes(name))) return "permissionLacking"
  if (elevation && (access.elevatedUntil ?? 0) <= clock.now()) return "elevationLacking"
  return access
}

function serviceOf(options: ConnectionOptions, clock: Clock): Service {
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
