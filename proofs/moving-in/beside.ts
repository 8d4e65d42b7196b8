/** Apps that refresh all the time, beside an import. */
import { connect, refresh } from "../../test/support/connect.ts"
import type { TestApp } from "../../test/support/test-server.ts"

type Listening = { readonly url: string }

/** The pause between two refreshes of an app. Eight apps then refresh some 100 times a second. */
const PAUSE_MILLISECONDS = 60
const APPS = 8

export class Beside {
  readonly #times: number[] = []
  readonly #refused: string[] = []
  readonly #loops: Promise<void>[] = []
  #isOver = false

  static async start(server: Listening, app: Pick<TestApp, "clientId" | "secret">, username: string) {
    const beside = new Beside()
    for (let number = 0; number < APPS; number++) {
      const { refresh_token: token } = await connect(server, app, username)
      beside.#loops.push(beside.#loop(server, app, token))
    }
    return beside
  }

  /** Stops, and returns what was measured. Throws if a request was refused. */
  async end() {
    this.#isOver = true
    await Promise.all(this.#loops)
    if (this.#refused.length > 0)
      throw new Error(`${this.#refused.length} refreshes were refused: ${this.#refused[0] ?? ""}`)
    const sorted = this.#times.toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
    return { refreshes: sorted.length, p99: at(0.99), most: Math.round(sorted.at(-1) ?? 0) }
  }

  async #loop(server: Listening, app: Pick<TestApp, "clientId" | "secret">, first: string): Promise<void> {
    let token = first
    while (!this.#isOver) {
      const began = performance.now()
      const { status, body } = await refresh(server, app, token)
      this.#times.push(performance.now() - began)
      if (status === 200) token = String((body as Record<string, unknown>)["refresh_token"])
      else this.#refused.push(`${status} ${JSON.stringify(body)}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS))
    }
  }
}
