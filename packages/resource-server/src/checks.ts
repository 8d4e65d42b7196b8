/**
 * Checks tokens. While the event stream reports every change, cached responses are used. Otherwise the service is
 * asked. Concurrent checks of one token share one request.
 */
import type { Access } from "./access.ts"
import type { Answer, AnswerCache } from "./answer-cache.ts"
import type { Clock } from "./clock.ts"
import type { Introspect } from "./introspection.ts"
import type { ConcurrentChanges } from "./concurrent-changes.ts"

/** `session` is a number while the event stream reports every change, and null during an interruption. */
export type StreamState = { readonly session: number | null }

export type ChecksOptions = {
  readonly ask: Introspect
  readonly answers: AnswerCache
  readonly overtaken: ConcurrentChanges
  readonly stream: StreamState
  readonly clock: Clock
}

/**
 * The maximum number of requests to get a response that is not outdated. If the last one is outdated, it is used but
 * not cached.
 */
const MAX_ATTEMPTS = 3

/** The maximum number of tokens that are known to have been active. */
const MAX_KNOWN = 10_000

export class TokenChecks {
  readonly #options: ChecksOptions
  readonly #running = new Map<string, Promise<Answer>>()
  /**
   * The digests of tokens that were active at their last check, the latest one last. They do not wait behind tokens that
   * anyone can make up.
   */
  readonly #known = new Set<string>()

  constructor(options: ChecksOptions) {
    this.#options = options
  }

  /** Returns the cached response if it may be used. */
  kept(key: string): Answer | null {
    const { answers, clock, stream } = this.#options
    const monotonic = clock.monotonic()
    const live = stream.session === null ? null : answers.live(key, clock.now(), monotonic)
    return live ?? answers.refused(key, monotonic)
  }

  /** Asks the service. Throws `ServiceUnavailable`. */
  fresh(key: string, token: string): Promise<Answer> {
    const shared = this.#running.get(key)
    if (shared !== undefined) return shared
    const asked = this.#ask(key, token).finally(() => this.#running.delete(key))
    this.#running.set(key, asked)
    return asked
  }

  async #ask(key: string, token: string): Promise<Answer> {
    const { clock, stream, overtaken, ask } = this.#options
    for (let attempt = 1; ; attempt++) {
      const session = stream.session
      const askedAt = clock.monotonic()
      const begun = overtaken.begin()
      try {
        const access = await ask(token, this.#known.has(key))
        const isOutdated = overtaken.isOutdated(begun, access)
        if (isOutdated && attempt < MAX_ATTEMPTS) continue
        const mayKeep = !isOutdated && session !== null && session === stream.session
        return this.#keep(key, access, askedAt, mayKeep)
      } finally {
        overtaken.end()
      }
    }
  }

  #keep(key: string, access: Access | null, askedAt: number, mayKeep: boolean): Answer {
    const { answers } = this.#options
    this.#known.delete(key)
    if (access === null) return answers.keepRefused(key, askedAt)
    this.#known.add(key)
    const [oldest] = this.#known
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
    if (mayKeep) return answers.keepLive(key, access, askedAt)
    answers.forget(key)
    return { access, askedAt, until: askedAt }
  }
}
