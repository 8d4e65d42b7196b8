/**
 * Clients that use the service while it is under pressure. They measure how long responses take and check what must
 * hold afterwards.
 */
import { connectIn, own, refresh, send } from "../../test/support/connect.ts"
import { StallMeter } from "../../test/support/stall-meter.ts"
import type { Span } from "../../test/support/spawn.ts"
import { lookAt } from "../mixed/held.ts"
import { pause } from "../mixed/world.ts"
import type { Service } from "./service.ts"

export const kinds = ["refresh", "api", "introspection", "health"] as const
export type Kind = (typeof kinds)[number]

export type Heard = { readonly kind: Kind; readonly status: number; readonly milliseconds: number }

type Answer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }

/** A credential and its last acknowledged pair of tokens. */
type Tokens = { accessToken: string; refreshToken: string }

const HOLDERS = 8
const PAUSE_MILLISECONDS = 20
const HEALTH_EVERY_MILLISECONDS = 100

export class Bystanders {
  /** Every response since `forget`. */
  heard: Heard[] = []
  /** What `/health` reported about the store since `forget`. */
  readonly stores = new Set<string>()
  readonly #service: Service
  readonly #holders: readonly Tokens[]
  readonly #stalls: StallMeter
  readonly #mayBeUnavailable: boolean
  readonly #lives: readonly Promise<void>[]
  #isOver = false
  #failure: Error | null = null

  /** If `mayBeUnavailable` is true, a 503 with `Retry-After` is accepted. */
  private constructor(
    service: Service,
    holders: readonly Tokens[],
    stalls: StallMeter,
    mayBeUnavailable: boolean,
  ) {
    this.#service = service
    this.#holders = holders
    this.#stalls = stalls
    this.#mayBeUnavailable = mayBeUnavailable
    const lives = [this.#health(), ...holders.map((holder) => this.#use(holder))]
    this.#lives = lives.map((life) => life.catch((error: unknown) => void (this.#failure ??= error as Error)))
  }

  static async begin(span: Span, service: Service, mayBeUnavailable: boolean): Promise<Bystanders> {
    const holders: Tokens[] = []
    for (let n = 0; n < HOLDERS; n++) {
      const held = await connectIn(service.browser, service, service.app)
      holders.push({ accessToken: held.access_token, refreshToken: held.refresh_token })
    }
    return new Bystanders(service, holders, new StallMeter(span), mayBeUnavailable)
  }

  forget(): void {
    this.heard = []
    this.stores.clear()
  }

  /** Returns a stopwatch that leaves out the time in which this process had no processor. */
  stopwatch(): () => number {
    return this.#stalls.stopwatch()
  }

  /** Lets each client finish. Rejects if a response was wrong. */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#lives)
    if (this.#failure !== null) throw this.#failure
  }

  /** Counts the credentials whose last acknowledged pair has a token that does not work. */
  async countLost(): Promise<number> {
    let lost = 0
    for (const { accessToken, refreshToken } of this.#holders) {
      const looked = await lookAt(this.#service, accessToken)
      const refreshed = await refresh(this.#service, this.#service.app, refreshToken)
      if (looked.status !== 200 || refreshed.status !== 200) lost++
    }
    return lost
  }

  async #use(holder: Tokens): Promise<void> {
    const { app, resourceServer } = this.#service
    while (!this.#isOver && this.#failure === null) {
      const refreshed = await this.#ask("refresh", () => refresh(this.#service, app, holder.refreshToken))
      if (refreshed !== null) {
        holder.accessToken = String(refreshed.body["access_token"])
        holder.refreshToken = String(refreshed.body["refresh_token"])
      }
      await this.#ask("api", () => lookAt(this.#service, holder.accessToken))
      const introspected = await this.#ask("introspection", () =>
        send(this.#service, "/oauth/introspect", { ...own(resourceServer), token: holder.accessToken }),
      )
      if (introspected !== null && introspected.body["active"] !== true)
        throw new Error("a token that was acknowledged is called inactive")
      await pause(PAUSE_MILLISECONDS)
    }
  }

  async #health(): Promise<void> {
    while (!this.#isOver && this.#failure === null) {
      const answer = await this.#ask("health", async () => {
        const response = await fetch(`${this.#service.url}/health`)
        const body = (await response.json()) as Record<string, unknown>
        return { status: response.status, headers: response.headers, body }
      })
      if (answer !== null) this.stores.add(String(answer.body["store"] ?? "unlocked"))
      await pause(HEALTH_EVERY_MILLISECONDS)
    }
  }

  /** Returns null for a 503, if this is accepted. */
  async #ask(kind: Kind, request: () => Promise<Answer>): Promise<Answer | null> {
    const elapsed = this.stopwatch()
    const { status, headers, body } = await request()
    this.heard.push({ kind, status, milliseconds: elapsed() })
    if (status === 200) return { status, headers, body }
    if (status === 503 && this.#mayBeUnavailable && kind !== "health" && headers.has("retry-after"))
      return null
    throw new Error(`${kind} was answered ${status} ${JSON.stringify(body)}`)
  }
}

/** Returns the time within which this fraction of the responses arrived. Returns 0 for an empty list. */
export function quantile(milliseconds: readonly number[], part: number): number {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
