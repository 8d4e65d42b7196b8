/**
 * Who a token belongs to: from what is kept while the service's event stream tells of every change, else by asking.
 * Checks of one token at one time share one question.
 */
import type { Access } from "./access.ts"
import type { Answer, Answers } from "./answers.ts"
import type { Clock } from "./clock.ts"
import type { Ask } from "./introspection.ts"
import type { Overtaken } from "./overtaken.ts"

/** The event stream, as far as a check cares: a number for as long as nothing can have been missed, else null. */
export type Hearing = { readonly session: number | null }

export type ChecksOptions = {
  readonly ask: Ask
  readonly answers: Answers
  readonly overtaken: Overtaken
  readonly hearing: Hearing
  readonly clock: Clock
}

/** An answer that changes overtake again and again is used as it is, for those who wait, and not kept. */
const QUESTIONS_AT_MOST = 3

export class Checks {
  readonly #options: ChecksOptions
  readonly #underWay = new Map<string, Promise<Answer>>()

  constructor(options: ChecksOptions) {
    this.#options = options
  }

  /** The answer that is kept, where there is one that may be used. */
  kept(key: string): Answer | null {
    const { answers, clock, hearing } = this.#options
    const monotonic = clock.monotonic()
    const live = hearing.session === null ? null : answers.live(key, clock.now(), monotonic)
    return live ?? answers.refused(key, monotonic)
  }

  /** Asks the service. Throws `ServiceUnavailable`. */
  fresh(key: string, token: string): Promise<Answer> {
    const shared = this.#underWay.get(key)
    if (shared !== undefined) return shared
    const asked = this.#ask(key, token).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, asked)
    return asked
  }

  async #ask(key: string, token: string): Promise<Answer> {
    const { clock, hearing, overtaken, ask } = this.#options
    for (let question = 1; ; question++) {
      const session = hearing.session
      const askedAt = clock.monotonic()
      const begun = overtaken.begin()
      try {
        const access = await ask(token)
        const isOvertaken = overtaken.isOvertaken(begun, access)
        if (isOvertaken && question < QUESTIONS_AT_MOST) continue
        const mayKeep = !isOvertaken && session !== null && session === hearing.session
        return this.#keep(key, access, askedAt, mayKeep)
      } finally {
        overtaken.end()
      }
    }
  }

  #keep(key: string, access: Access | null, askedAt: number, mayKeep: boolean): Answer {
    const { answers } = this.#options
    if (access === null) return answers.keepRefused(key, askedAt)
    if (mayKeep) return answers.keepLive(key, access, askedAt)
    answers.forget(key)
    return { access, askedAt, until: askedAt }
  }
}
