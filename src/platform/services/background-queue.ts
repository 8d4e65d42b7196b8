/**
 * Tasks that run after their response was sent, one at a time. The response therefore does not reveal how long a task
 * takes. If the process stops without warning, waiting tasks are lost.
 */
import { BACKGROUND_TASKS_AT_MOST } from "../../kernel/limits.ts"
import type { Log } from "../../kernel/log.ts"

type Task = () => Promise<unknown>

export class BackgroundQueue {
  readonly #log: Log
  readonly #waiting: Task[] = []
  #running: Promise<void> | null = null

  constructor(log: Log) {
    this.#log = log
  }

  /** Returns false if too many tasks wait. The task then never runs. */
  add(task: Task): boolean {
    if (this.#waiting.length >= BACKGROUND_TASKS_AT_MOST) return false
    this.#waiting.push(task)
    this.#running ??= this.#run()
    return true
  }

  /** Resolves when every task has run. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // The first task starts after this turn of the event loop, in which its response is sent.
    await new Promise((resolve) => setImmediate(resolve))
    for (let task = this.#waiting.shift(); task !== undefined; task = this.#waiting.shift()) {
      try {
        await task()
      } catch (err) {
        this.#log.error({ err }, "a task in the background failed")
      }
    }
    this.#running = null
  }
}
