/** A bounded number of connections, lent one at a time; who finds none waits for a bounded time, in a bounded queue. */
import type pg from "pg"
import { StoreUnavailable } from "../store.ts"
import { Connection } from "./connection.ts"

type Waiting = {
  readonly resolve: (connection: Connection) => void
  readonly reject: (reason: unknown) => void
}

export class Pool {
  readonly #config: pg.ClientConfig
  readonly #size: number
  readonly #idle: Connection[] = []
  readonly #waiting: Waiting[] = []
  #open = 0
  #isClosed = false

  constructor(config: pg.ClientConfig, size: number) {
    this.#config = config
    this.#size = size
  }

  async borrow(): Promise<Connection> {
    if (this.#isClosed) throw new StoreUnavailable("the store is closed")
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.failure === null) return idle
      this.#open--
    }
    if (this.#open >= this.#size) {
      return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
    }
    this.#open++
    try {
      return await Connection.open(this.#config)
    } catch (error) {
      this.#open--
      throw error
    }
  }

  giveBack(connection: Connection): void {
    if (connection.failure !== null) {
      this.#open--
      const next = this.#waiting.shift()
      if (next !== undefined) this.borrow().then(next.resolve, next.reject)
      return
    }
    const next = this.#waiting.shift()
    if (next !== undefined) next.resolve(connection)
    else this.#idle.push(connection)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()))
  }
}
