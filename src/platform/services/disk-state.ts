/** Remembers whether the last write failed because the disk of the database is full. `/health` says so. */
import { StoreFull } from "../../store/unavailable.ts"

export class DiskState {
  #isFull = false

  get isFull(): boolean {
    return this.#isFull
  }

  wrote(): void {
    this.#isFull = false
  }

  failed(error: unknown): void {
    if (error instanceof StoreFull) this.#isFull = true
  }
}
