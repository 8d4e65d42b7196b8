/**
 * Answers that are kept, by the digest of their token: a limited number, the longest unused going first. Tokens that
 * are not live have a small place of their own, so that a flood of them pushes no good one out.
 */
import type { Access } from "./access.ts"
import { type Invalidation, keyOf, subjectsOf } from "./invalidation.ts"

export type Answer = {
  /** Null: the token is not live. */
  readonly access: Access | null
  /** Monotonic milliseconds: when the question was sent, and until when the answer may be used. */
  readonly askedAt: number
  readonly until: number
}

/** Without renewal no answer is used longer than this. */
const KEPT_MILLISECONDS = 60_000

/** A token that is not live can become so again only where an account or an app is enabled again. */
const REFUSED_MILLISECONDS = 1000
const REFUSED_AT_MOST = 1000

export class Answers {
  readonly #liveAtMost: number
  readonly #live = new Map<string, Answer>()
  readonly #refused = new Map<string, Answer>()
  /** The digests under which answers about a credential, an app or an account are kept. */
  readonly #about = new Map<string, Set<string>>()

  constructor(liveAtMost: number) {
    this.#liveAtMost = liveAtMost
  }

  get size(): number {
    return this.#live.size + this.#refused.size
  }

  /** A live one, kept for at most 60 s and not past `exp`. */
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
    const answer = { access: null, askedAt, until: askedAt + REFUSED_MILLISECONDS }
    this.forget(key)
    this.#refused.set(key, answer)
    if (this.#refused.size > REFUSED_AT_MOST) this.#refused.delete(oldestOf(this.#refused))
    return answer
  }

  keepLive(key: string, access: Access, askedAt: number): Answer {
    const answer = { access, askedAt, until: askedAt + KEPT_MILLISECONDS }
    this.forget(key)
    this.#live.set(key, answer)
    for (const subject of subjectsOf(access)) {
      const about = keyOf(subject)
      const keys = this.#about.get(about)
      if (keys === undefined) this.#about.set(about, new Set([key]))
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

  /** Drops what was said about a credential, an app or an account. */
  invalidate(invalidation: Invalidation): void {
    // Who a refused token belongs to is not known: it may be live again.
    if (invalidation.of !== "credential") this.#refused.clear()
    for (const key of [...(this.#about.get(keyOf(invalidation)) ?? [])]) this.forget(key)
  }

  clear(): void {
    this.#live.clear()
    this.#refused.clear()
    this.#about.clear()
  }

  #drop(key: string, { access }: Answer): void {
    this.#live.delete(key)
    if (access === null) return
    for (const subject of subjectsOf(access)) {
      const about = keyOf(subject)
      const keys = this.#about.get(about)
      keys?.delete(key)
      if (keys?.size === 0) this.#about.delete(about)
    }
  }
}

function oldestOf(answers: ReadonlyMap<string, Answer>): string {
  const [oldest = ""] = answers.keys()
  return oldest
}
