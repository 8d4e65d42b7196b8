/**
 * The budget that one address has for all anonymous endpoints together. Interface RATE-1…RATE-5. The limit is a part of
 * each window's key, and the windows of a limit that was changed are forgotten: a changed limit begins a new window.
 */
import type { Admission, Budget as Limit } from "../kernel/rate-limit.ts"
import type { Windows } from "../store/store.ts"

export class AnonymousBudget {
  readonly #windows: Windows
  #limit: Limit | null = null
  #prefix: string | null = null

  constructor(windows: Windows) {
    this.#windows = windows
  }

  /** Null where there is no limit. */
  spend(addressKey: string, limit: Limit | null): Admission | null | Promise<Admission> {
    const prefix = this.follow(limit)
    return limit === null || prefix === null ? null : this.#windows.spend(prefix + addressKey, limit)
  }

  /** Takes note of the limit in force; answers what the keys of its windows begin with. */
  follow(limit: Limit | null): string | null {
    if (limit?.requests === this.#limit?.requests && limit?.seconds === this.#limit?.seconds)
      return this.#prefix
    if (this.#prefix !== null) this.#forget(this.#prefix)
    this.#limit = limit
    this.#prefix = limit === null ? null : `${limit.requests}/${limit.seconds} `
    return this.#prefix
  }

  /** Where it fails the windows end by themselves. */
  #forget(prefix: string): void {
    const forgotten = this.#windows.forget(prefix)
    if (forgotten instanceof Promise) forgotten.catch(() => undefined)
  }
}
