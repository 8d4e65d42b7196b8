/**
 * Detects outdated responses. A response is outdated if the event stream reported a change after its request was sent.
 * Changes are recorded only while requests are running.
 */
import type { Access } from "./access.ts"
import { type Invalidation, keyOf, subjectsOf } from "./invalidation.ts"

const MAX_REMEMBERED = 10_000

export class ConcurrentChanges {
  #count = 0
  #running = 0
  /** Responses to all requests that were sent before this change are outdated. */
  #floor = 0
  /** The last change that may have made a token active again. */
  #revival = 0
  readonly #changes = new Map<string, number>()

  /** Call `begin` before a request, `isOutdated` with its response, and `end` at the end. */
  begin(): number {
    this.#running++
    return this.#count
  }

  isOutdated(begun: number, access: Access | null): boolean {
    if (begun < this.#floor) return true
    if (access === null) return begun < this.#revival
    return subjectsOf(access).some((subject) => (this.#changes.get(keyOf(subject)) ?? 0) > begun)
  }

  end(): void {
    this.#running--
    if (this.#running === 0) this.#changes.clear()
  }

  note(invalidation: Invalidation): void {
    this.#count++
    // A credential never becomes active again, but an account or an app can be enabled again.
    if (invalidation.of !== "credential") this.#revival = this.#count
    if (this.#running === 0) return
    if (this.#changes.size >= MAX_REMEMBERED) this.noteAll()
    else this.#changes.set(keyOf(invalidation), this.#count)
  }

  /** Marks every running request as outdated. */
  noteAll(): void {
    this.#count++
    this.#floor = this.#count
    this.#changes.clear()
  }
}
