/**
 * Whether an answer was overtaken on its way: the service told of a change after the question was sent, so the answer
 * may be older than the change. Remembers changes only while questions are under way.
 */
import type { Access } from "./access.ts"
import { type Invalidation, keyOf, subjectsOf } from "./invalidation.ts"

const REMEMBERED_AT_MOST = 10_000

export class Overtaken {
  #count = 0
  #underWay = 0
  /** Questions sent before this change are overtaken whatever they are about. */
  #floor = 0
  /** Of the last change that may have made a token live again. */
  #revival = 0
  readonly #changes = new Map<string, number>()

  /** A question leaves: the answer is handed to `isOvertaken` and the question ends with `end`. */
  begin(): number {
    this.#underWay++
    return this.#count
  }

  isOvertaken(begun: number, access: Access | null): boolean {
    if (begun < this.#floor) return true
    if (access === null) return begun < this.#revival
    return subjectsOf(access).some((subject) => (this.#changes.get(keyOf(subject)) ?? 0) > begun)
  }

  end(): void {
    this.#underWay--
    if (this.#underWay === 0) this.#changes.clear()
  }

  note(invalidation: Invalidation): void {
    this.#count++
    // A credential that is over stays so; an account or an app may be enabled again.
    if (invalidation.of !== "credential") this.#revival = this.#count
    if (this.#underWay === 0) return
    if (this.#changes.size >= REMEMBERED_AT_MOST) this.noteAll()
    else this.#changes.set(keyOf(invalidation), this.#count)
  }

  /** Anything may have changed. */
  noteAll(): void {
    this.#count++
    this.#floor = this.#count
    this.#changes.clear()
  }
}
