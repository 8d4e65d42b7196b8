/**
 * Caches introspection responses by the digest of the token. If the cache is full, the least recently used response is
 * removed. Inactive tokens have a separate small cache, so that a flood of them cannot push out active tokens.
 */
import type { Access } from "./access.ts"
import { type Invalidation, keyOf, subjectsOf } from "./invalidation.ts"

export type Answer = {
  /** The value is null if the token is not active. */
  readonly access: Access | null
  /** The time of the request and the time when the response expires, both in monotonic milliseconds. */
  readonly askedAt: number
  readonly until: number
}

/** The maximum age of a cached response for an active token. */
const LIVE_TTL_MS = 60_000

/** The time is short, because a refused token becomes active again when its account or app is enabled. */
const REFUSED_TTL_MS = 1000
const MAX_REFUSED = 1000

export class AnswerCache {
  readonly #liveAtMost: number
  readonly #live = new Map<string, Answer>()
  readonly #refused = new Map<string, Answer>()
  /** The digests of the tokens whose responses depend on a credential, an app or an account. */
  readonly #bySubject = new Map<string, Set<string>>()

  constructor(liveAtMost: number) {
    this.#liveAtMost = liveAtMost
  }

  /** The number of responses for active tokens. */
  get size(): number {
    return this.#live.size
  }

  /** Returns the cached response for an active token. It is used for up to 60 s, but not after `exp`. */
  live(key: string, now: number, monotonic: number): Answer | null {
    const answer = this.#live.get(key)
    if (answer === undefined) return null
    if (monotonic >= answer.until || (answer.access?.expiresAt ?? 0) <= now) {
      this.#drop(key, answer)
      return null
    }
    this.#live.delete(key)
    this.#live.set(key, answer)
    return answer
  }

  refused(key: string, monotonic: number): Answer | null {
    const answer = this.#refused.get(key)
    if (answer === undefined || monotonic < answer.until) return answer ?? null
    this.#refused.delete(key)
    return null
  }

  keepRefused(key: string, askedAt: number): Answer {
    const answer = { access: null, askedAt, until: askedAt + REFUSED_TTL_MS }
    this.forget(key)
    this.#refused.set(key, answer)
    if (this.#refused.size > MAX_REFUSED) this.#refused.delete(oldestOf(this.#refused))
    return answer
  }

  keepLive(key: string, access: Access, askedAt: number): Answer {
    const answer = { access, askedAt, until: askedAt + LIVE_TTL_MS }
    this.forget(key)
    this.#live.set(key, answer)
    for (const subject of subjectsOf(access)) {
      const about = keyOf(subject)
      const keys = this.#bySubject.get(about)
      if (keys === undefined) this.#bySubject.set(about, new Set([key]))
      else keys.add(key)
    }
    if (this.#live.size > this.#liveAtMost) this.forget(oldestOf(this.#live))
    return answer
  }

  forget(key: string): void {
    const answer = this.#live.get(key)
    if (answer !== undefined) this.#drop(key, answer)
    this.#refused.delete(key)
  }

  /** Removes the responses about a credential, an app or an account. */
  invalidate(invalidation: Invalidation): void {
    // The account and app of a refused token are unknown. Any refused token may therefore be active again.
    if (invalidation.of !== "credential") this.#refused.clear()
    for (const key of [...(this.#bySubject.get(keyOf(invalidation)) ?? [])]) this.forget(key)
  }

  clear(): void {
    this.#live.clear()
    this.#refused.clear()
    this.#bySubject.clear()
  }

  #drop(key: string, { access }: Answer): void {
    this.#live.delete(key)
    if (access === null) return
    for (const subject of subjectsOf(access)) {
      const about = keyOf(subject)
      const keys = this.#bySubject.get(about)
      keys?.delete(key)
      if (keys?.size === 0) this.#bySubject.delete(about)
    }
  }
}

function oldestOf(answers: ReadonlyMap<string, Answer>): string {
  const [oldest = ""] = answers.keys()
  return oldest
}
