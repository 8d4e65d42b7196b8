/**
 * The kit: what an API puts in front of itself, so that each request is one of a known account and app with known
 * permissions, checked at the cost of a look-up in memory and refused within a second of a change.
 */
import type { Access } from "./access.ts"
import { Answers } from "./answers.ts"
import { type Incoming, presentedBy } from "./bearer-header.ts"
import { Checks } from "./checks.ts"
import { type Clock, systemClock } from "./clock.ts"
import { digest } from "./digest.ts"
import { introspectionAt } from "./introspection.ts"
import { Overtaken } from "./overtaken.ts"
import { type Refusal, refusalOf, type RefusalReason } from "./refusal.ts"
import { type Requirement, together } from "./requirement.ts"
import { addressOf, type Resource, type ResourceMetadata, resourceOf } from "./resource.ts"
import { seldom } from "./seldom.ts"
import { basicAuthorization, type Service, ServiceUnavailable, type Trouble } from "./service.ts"
import { InvalidationStream } from "./stream.ts"
import { isAccessTokenForm } from "./token-form.ts"

export { requireElevation, requirePermission } from "./requirement.ts"
export type { Access, Clock, Incoming, Refusal, RefusalReason, Requirement, ResourceMetadata, Trouble }

export type ResourceServerOptions = {
  /** The base URL of the service. */
  readonly issuer: string
  /** The app that an administrator marked as a resource server. */
  readonly clientId: string
  readonly clientSecret: string
  /** The address of the API as its clients call it: `https://api.example` or `https://api.example/mcp`. */
  readonly resource: string
  /** The permissions that the metadata offers to clients. `admin:` names are left out. */
  readonly permissions?: readonly string[]
  /** For people, in the metadata. */
  readonly resourceName?: string
  readonly resourceDocumentation?: string
  /** Answers that are kept at a time: 10,000. */
  readonly cacheEntries?: number
  /** How long a question to the service may take: 5,000. */
  readonly timeoutMilliseconds?: number
  /** Questions to the service at a time: 32. */
  readonly concurrency?: number
  /** False: every check asks the service, as where nothing runs between requests. */
  readonly stream?: boolean
  /** Told what goes wrong between the kit and the service, the same at most once a second. Left out, nothing is reported. */
  readonly onTrouble?: (trouble: Trouble) => void
  /** For a runtime or a test that brings its own. */
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
}

export type Checked =
  { readonly ok: true; readonly access: Access } | { readonly ok: false; readonly refusal: Refusal }

export type ResourceServer = {
  /** Whose request this is, where it meets every requirement; else the refusal with its whole HTTP answer. */
  readonly verify: (request: Incoming, ...requirements: readonly Requirement[]) => Promise<Checked>
  /** RFC 9728: the document that every challenge points to, and where it is served. */
  readonly metadata: ResourceMetadata
  readonly metadataPath: string
  readonly metadataUrl: string
  /** Whether the service tells of every change right now, so that answers are kept. */
  readonly isLive: () => boolean
  /** Ends the event stream. Checks go on, each with a question to the service. */
  readonly close: () => void
}

/** An answer that is older than this is asked for again before it refuses for what it lacks. */
const GAINED_AFTER_MILLISECONDS = 1000

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
  const answers = new Answers(bound("cacheEntries", options.cacheEntries ?? 10_000))
  const overtaken = new Overtaken()
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
  const checks = new Checks({ ask, answers, overtaken, hearing: stream, clock })
  const listens = options.stream ?? true
  return {
    verify: (request, ...requirements) => {
      if (listens) stream.start()
      return verify({ checks, resource, clock }, request, together(requirements))
    },
    metadata: resource.metadata,
    metadataPath: resource.metadataPath,
    metadataUrl: resource.metadataUrl,
    isLive: () => stream.session !== null,
    close: () => stream.close(),
  }
}

type Guard = { readonly checks: Checks; readonly resource: Resource; readonly clock: Clock }

/** Header, form of the token, the token itself, audience, permissions, elevation: in this order. */
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
    const judged = await judge(guard, presented.token, needed)
    return typeof judged === "string" ? refuse(judged) : { ok: true, access: judged }
  } catch (error) {
    if (error instanceof ServiceUnavailable) return refuse("serviceUnavailable", error.retryAfterSeconds)
    throw error
  }
}

async function judge(guard: Guard, token: string, needed: Requirement): Promise<Access | RefusalReason> {
  const { checks, clock } = guard
  const digested = digest(token)
  const key = typeof digested === "string" ? digested : await digested
  const kept = checks.kept(key)
  const answer = kept ?? (await checks.fresh(key, token))
  const verdict = verdictOn(guard, answer.access, needed)
  const isGainable = verdict === "permissionLacking" || verdict === "elevationLacking"
  if (kept === null || !isGainable) return verdict
  if (clock.monotonic() - kept.askedAt < GAINED_AFTER_MILLISECONDS) return verdict
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
    // The service publishes its address without a trailing slash; one that was typed does not matter.
    issuer: options.issuer.replace(/\/$/, ""),
    authorization: basicAuthorization(clientId, clientSecret),
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    report: seldom((trouble) => onTrouble?.(trouble), clock),
  }
}

function bound(option: string, value: number): number {
  if (!Number.isInteger(value) || value < 1) throw new TypeError(`${option} must be a whole number from 1`)
  return value
}
