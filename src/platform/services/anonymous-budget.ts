/**
 * The rate limit of one address for all anonymous endpoints together. Interface RATE-1…RATE-5. The key of each window
 * contains the limit, so a changed limit starts new windows. Windows of the old limit are deleted.
 */
import type { Admission, Budget as Limit } from "../../kernel/rate-limit.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { Windows } from "../../store/limits.ts"
import { RecentAddresses } from "./recent-addresses.ts"

export class AnonymousBudget {
  readonly #windows: Pick<Windows, "spend" | "forget">
  /** The addresses that this process refused. One of them may stand for all people of a hosted client. */
  readonly refused: RecentAddresses
  #limit: Limit | null = null
  #prefix: string | null = null

  constructor(windows: Pick<Windows, "spend" | "forget">, clock: Pick<Clock, "monotonic">) {
    this.#windows = windows
    this.refused = new RecentAddresses(clock)
  }

  spend(addressKey: string, limit: Limit | null): Admission | null | Promise<Admission> {
    const prefix = this.follow(limit)
    return limit === null || prefix === null ? null : this.#windows.spend(prefix + addressKey, limit)
  }

  /** Sets the current limit. Returns the key prefix of its windows. */
  follow(limit: Limit | null): string | null {
    if (limit?.requests === this.#limit?.requests && limit?.seconds === this.#limit?.seconds)
      return this.#prefix
    if (this.#prefix !== null) this.#forget(this.#prefix)
    this.#limit = limit
    this.#prefix = limit === null ? null : `${limit.requests}/${limit.seconds} `
    return this.#prefix
  }

  /** Deletes windows. A failure is ignored, because windows expire anyway. */
  #forget(prefix: string): void {
    const forgotten = this.#windows.forget(prefix)
    if (forgotten instanceof Promise) forgotten.catch(() => undefined)
  }
}
