/**
 * Refusals in the log. Anybody can cause as many as he likes: of each reason the first few a second are told one by one,
 * the others as a number. None is lost: all are counted (`latchkey_refusals_total`), and what changes anything is an event
 * of the audit trail besides.
 */
import type { Refusal } from "../core/refusal.ts"
import type { Log } from "../system/log.ts"

const TOLD_EACH_SECOND = 20
const SECOND_MILLISECONDS = 1000

export class RefusalLog {
  readonly #log: Log
  /** How often each reason came since this second began. */
  readonly #came = new Map<Refusal["reason"], number>()
  #timer: NodeJS.Timeout | null = null

  constructor(log: Log) {
    this.#log = log
  }

  note(requestId: string, refusal: Refusal): void {
    const { reason } = refusal
    const before = this.#came.get(reason) ?? 0
    this.#came.set(reason, before + 1)
    this.#timer ??= setTimeout(() => this.endSecond(), SECOND_MILLISECONDS).unref()
    if (before >= TOLD_EACH_SECOND) return
    const tokenId = "tokenId" in refusal ? refusal.tokenId : undefined
    this.#log.info({ request_id: requestId, refusal: reason, token_id: tokenId }, "refused")
  }

  /** Tells how many more there were, and begins anew. Comes by itself a second after the first refusal. */
  endSecond(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    for (const [reason, count] of this.#came) {
      const more = count - TOLD_EACH_SECOND
      if (more > 0) this.#log.info({ refusal: reason, more }, "refused, not told one by one")
    }
    this.#came.clear()
  }
}
