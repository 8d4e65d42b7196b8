/**
 * The only way in which this service requests a URL that it did not choose itself. Interface CD-10…CD-16.
 *
 * 1. Every URL parser must read the URL in the same way, and its host must be a name.
 * 2. A URL that failed shortly before is not requested again. Requests above the limits are refused.
 * 3. The name is resolved once, and every address is checked.
 * 4. One request goes to a checked address. It is a GET, or a POST to a sign-in provider. Redirects are not followed. One
 * deadline covers all steps, and the length of the response is limited.
 */
import type { SecureContext } from "node:tls"
import type { Clock } from "../../kernel/clock.ts"
import { FAILURE_KEPT_SECONDS } from "../../kernel/limits.ts"
import { type Json, parseJson } from "../../kernel/json.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { isReachableAddress } from "./address-ranges.rules.ts"
import { fetchFailure, type FetchFailure, type FetchReason } from "./fetch-failure.rules.ts"
import { Governor, type OutgoingLimits, USUAL_LIMITS } from "./governor.ts"
import type { Answer } from "./https-request.ts"
import { type HttpsUrl, parseHttpsUrl } from "../../kernel/https-url.ts"
import { type NameOptions, type ResolveName, resolveName } from "./resolve-name.ts"

/** The cause of a request. Each cause has its own limits, so that one cause cannot use up the limits of another. */
export type Cause = "visitor" | "account" | "client-keys" | "registered-keys" | "sign-in"

export type FetchRequest = {
  readonly url: string
  readonly cause: Cause
  /** The account that caused the request. One account has only a part of the limits. */
  readonly account?: string
  /** Whether the operator named this host. `allowed_ranges` and `ca_file` apply only to such a host. */
  readonly isHostNamed: boolean
  readonly bytesAtMost: number
  /** The maximum age of a cached response, even of another cause. Without this member, none is returned. */
  readonly reuseSeconds?: number
}

/** A request to a sign-in provider. The operator named the host. */
type ProviderRequest = {
  readonly url: string
  /** The ranges of this provider, in CIDR notation. Those of `outgoing` do not apply. */
  readonly allowedRanges: readonly string[]
  readonly bytesAtMost: number
  readonly headers?: Readonly<Record<string, string>>
  /** The form of a POST. Without it, the request is a GET. */
  readonly body?: string
}

type FetchedJson = {
  readonly json: Json
  /** The seconds for which the response may be reused, or null if its headers do not say. */
  readonly cacheSeconds: number | null
}

/** The part `outgoing` of the configuration file. */
export type OutgoingConfig = {
  /** The ranges are in CIDR notation. */
  readonly allowedRanges: readonly string[]
  /** Certificates of additional authorities, as PEM. */
  readonly certificates: string | null
}

/** A configuration without `outgoing`. */
export const NO_OUTGOING: OutgoingConfig = { allowedRanges: [], certificates: null }

/** Calls `onEnd` after `milliseconds`. The returned function cancels that. */
export type StartTimer = (milliseconds: number, onEnd: () => void) => () => void

export const DEADLINE_MILLISECONDS = 5_000
/** After a failure, a URL is not requested again for this long. Divergence: D-22, also that of a document. */
export const FAILURE_KEPT_MILLISECONDS = FAILURE_KEPT_SECONDS * 1000
/** The same for a sign-in provider that did not answer. */
export const DEAD_KEPT_MILLISECONDS = 5_000
const FAILURES_AT_MOST = 1_000

/** A person waits for each request to a sign-in provider. Many people sign in when a working day begins. */
const SIGN_IN_LIMITS: OutgoingLimits = {
  atOnce: { inAll: 64, toOrigin: 32 },
  perMinute: { inAll: 1_200, toOrigin: 600, ofAccount: 600 },
}

/** After these failures, the host of a sign-in provider is not asked again for a while, so that no one waits for it. */
const DEAD: ReadonlySet<FetchReason> = new Set(["connectionFailed", "deadlinePassed", "nameUnresolved"])

/** The maximum number of cached responses. The oldest is evicted first. */
const ANSWERS_AT_MOST = 100

type Kept = { readonly answer: FetchedJson; readonly atMs: number }
type Sent = Pick<FetchRequest, "cause" | "isHostNamed" | "bytesAtMost"> &
  Pick<ProviderRequest, "headers" | "body"> & { readonly takesErrors?: boolean }
type Failed = { readonly failure: FetchFailure; readonly endsMs: number }

export class GuardedFetch {
  readonly #config: OutgoingConfig
  readonly #clock: Pick<Clock, "monotonic">
  readonly #resolve: ResolveName
  readonly #startTimer: StartTimer
  readonly #governors = new Map<Cause, Governor>()
  readonly #answers = new Map<string, Kept>()
  readonly #failed = new Map<string, Failed>()
  readonly #underway = new Map<string, Promise<Result<FetchedJson, FetchFailure>>>()
  #secureContext: SecureContext | undefined

  constructor(
    config: OutgoingConfig,
    clock: Pick<Clock, "monotonic">,
    resolve: ResolveName = resolveName,
    startTimer: StartTimer = timer,
  ) {
    this.#config = config
    this.#clock = clock
    this.#resolve = resolve
    this.#startTimer = startTimer
  }

  /** Returns the JSON at `request.url`. Concurrent requests for the same URL and cause share one response. */
  async getJson(request: FetchRequest): Promise<Result<FetchedJson, FetchFailure>> {
    const url = parseHttpsUrl(request.url)
    if (!url.ok) return err(fetchFailure("urlRefused", url.error))
    const kept = this.#answers.get(answerKeyOf(request))
    if (kept !== undefined && this.#clock.monotonic() - kept.atMs < (request.reuseSeconds ?? 0) * 1000)
      return ok(kept.answer)
    const key = keyOf(request)
    const failed = this.#failed.get(key)
    if (failed !== undefined && failed.endsMs > this.#clock.monotonic()) return err(failed.failure)
    const underway = this.#underway.get(key)
    if (underway !== undefined) return underway
    const leave = this.#governorOf(request.cause).enter(url.value.origin, request.account)
    if (leave === null) return err(fetchFailure("tooManyRequests"))
    const fetched = this.#fetch(url.value, request)
      .then((result) => {
        if (!result.ok && result.error.reason === "tooManyRequests") return result
        if (!result.ok) return this.#remember(key, result.error)
        if (request.reuseSeconds !== undefined) this.#keep(request, result.value)
        return result
      })
      .finally(() => {
        this.#underway.delete(key)
        leave()
      })
    this.#underway.set(key, fetched)
    return fetched
  }

  /**
   * Sends a request to a sign-in provider. An answer with an error status is returned too. A provider that did not
   * answer is not asked again for a short time, so that people do not wait for it one after the other.
   */
  async sendToProvider(request: ProviderRequest): Promise<Result<Answer, FetchFailure>> {
    const url = parseHttpsUrl(request.url)
    if (!url.ok) return err(fetchFailure("urlRefused", url.error))
    const key = `sign-in ${url.value.origin}`
    const failed = this.#failed.get(key)
    if (failed !== undefined && failed.endsMs > this.#clock.monotonic()) return err(failed.failure)
    const leave = this.#governorOf("sign-in").enter(url.value.origin)
    if (leave === null) return err(fetchFailure("tooManyRequests"))
    const { allowedRanges, ...of } = request
    const answer = await this.#send(url.value, allowedRanges, {
      ...of,
      cause: "sign-in",
      isHostNamed: true,
      takesErrors: true,
    }).finally(leave)
    if (!answer.ok && DEAD.has(answer.error.reason))
      return this.#remember(key, answer.error, DEAD_KEPT_MILLISECONDS)
    return answer
  }

  /** Stores unusable content as a failure of its URL. `problem` must not contain text of the other host. */
  refuseContent(request: FetchRequest, problem: string): Result<never, FetchFailure> {
    this.#answers.delete(answerKeyOf(request))
    return this.#remember(keyOf(request), fetchFailure("contentRefused", problem))
  }

  /** Forgets a recent failure, so that an operator can repeat the request at once. */
  forgetFailure(request: FetchRequest): void {
    this.#failed.delete(keyOf(request))
  }

  async #fetch(url: HttpsUrl, request: FetchRequest): Promise<Result<FetchedJson, FetchFailure>> {
    const answer = await this.#send(url, request.isHostNamed ? this.#config.allowedRanges : [], request)
    if (!answer.ok) return answer
    const json = parseJson(answer.value.text)
    if (json === undefined) return err(fetchFailure("notJson"))
    return ok({ json, cacheSeconds: answer.value.cacheSeconds })
  }

  async #send(
    url: HttpsUrl,
    allowedRanges: readonly string[],
    { isHostNamed, cause, ...of }: Sent,
  ): Promise<Result<Answer, FetchFailure>> {
    const deadline = new AbortController()
    const { signal } = deadline
    const stopTimer = this.#startTimer(DEADLINE_MILLISECONDS, () => deadline.abort())
    try {
      const addresses = await this.#addressesOf(url.host, isHostNamed, cause, allowedRanges, signal)
      if (!addresses.ok) return addresses
      const secureContext = isHostNamed ? this.#namedContext() : undefined
      const { bytesAtMost, headers = {}, body, takesErrors = false } = of
      const pinned = { url, addresses: addresses.value, secureContext, signal, bytesAtMost }
      const { httpsRequest } = await import("./https-request.ts")
      return await httpsRequest({ ...pinned, headers, takesErrors, ...(body !== undefined && { body }) })
    } finally {
      stopTimer()
    }
  }

  /** Returns the addresses of a host. All of them must be allowed, because the connection may use any of them. */
  async #addressesOf(
    host: string,
    isHostNamed: boolean,
    cause: Cause,
    allowed: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<readonly string[], FetchFailure>> {
    const addresses = await Promise.race([
      this.#resolve(host, { isHostNamed, lookups: lookupsOf(cause), signal }).catch(() => []),
      aborted(signal),
    ])
    if (signal.aborted) return err(fetchFailure("deadlinePassed"))
    if (addresses === "busy") return err(fetchFailure("tooManyRequests"))
    if (addresses.length === 0) return err(fetchFailure("nameUnresolved"))
    return addresses.every((address) => isReachableAddress(address, allowed))
      ? ok(addresses)
      : err(fetchFailure("addressRefused"))
  }

  /** Created once, because reading all authorities takes milliseconds. Undefined without additional authorities. */
  #namedContext(): SecureContext | undefined {
    const { certificates } = this.#config
    if (certificates === null) return undefined
    if (this.#secureContext === undefined) {
      const { createSecureContext, getCACertificates } = process.getBuiltinModule("node:tls")
      this.#secureContext = createSecureContext({ ca: [...getCACertificates("default"), certificates] })
    }
    return this.#secureContext
  }

  #governorOf(cause: Cause): Governor {
    const governor =
      this.#governors.get(cause) ??
      new Governor(this.#clock, cause === "sign-in" ? SIGN_IN_LIMITS : USUAL_LIMITS)
    this.#governors.set(cause, governor)
    return governor
  }

  #keep(request: FetchRequest, answer: FetchedJson): void {
    const key = answerKeyOf(request)
    this.#answers.delete(key)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size >= ANSWERS_AT_MOST && oldest !== undefined) this.#answers.delete(oldest)
    this.#answers.set(key, { answer, atMs: this.#clock.monotonic() })
  }

  #remember(
    key: string,
    failure: FetchFailure,
    keptMilliseconds = FAILURE_KEPT_MILLISECONDS,
  ): Result<never, FetchFailure> {
    const [oldest] = this.#failed.keys()
    if (this.#failed.size >= FAILURES_AT_MOST && oldest !== undefined) this.#failed.delete(oldest)
    this.#failed.delete(key)
    this.#failed.set(key, { failure, endsMs: this.#clock.monotonic() + keptMilliseconds })
    return err(failure)
  }
}

function lookupsOf(cause: Cause): NameOptions["lookups"] {
  return cause === "registered-keys" || cause === "sign-in" ? cause : "other"
}

function answerKeyOf({ url, isHostNamed }: FetchRequest): string {
  return `${isHostNamed} ${url}`
}

function keyOf({ url, cause, isHostNamed }: FetchRequest): string {
  return `${cause} ${isHostNamed} ${url}`
}

function aborted(signal: AbortSignal): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>()
  signal.addEventListener("abort", () => resolve([]), { once: true })
  return promise
}

const timer: StartTimer = (milliseconds, onEnd) => {
  const running = setTimeout(onEnd, milliseconds)
  return () => clearTimeout(running)
}
