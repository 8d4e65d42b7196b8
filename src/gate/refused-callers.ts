/** Logs one line for a refused address in a minute. The next line has the number of refusals in between. */
import type { Log } from "../kernel/log.ts"
import { networkOf } from "../kernel/network.ts"
import type { RefusedCaller } from "./gate-server.ts"

const MINUTE_MS = 60_000
/** The maximum number of addresses in a minute. Further addresses share one line. */
const ADDRESSES_AT_MOST = 1000
const FURTHER = "further addresses"

type Line = { readonly at: number; unlogged: number }

export class RefusedCallers {
  readonly #log: Log
  readonly #monotonic: () => number
  /** The last line of each network, the oldest first. */
  readonly #lines = new Map<string, Line>()

  constructor(log: Log, monotonic: () => number) {
    this.#log = log
    this.#monotonic = monotonic
  }

  note({ reason, address }: RefusedCaller): void {
    const now = this.#monotonic()
    this.#forget(now)
    const network = networkOf(address)
    const isKnown = this.#lines.has(network) || this.#lines.size < ADDRESSES_AT_MOST
    const key = isKnown ? network : FURTHER
    const last = this.#lines.get(key)
    if (last !== undefined && now - last.at < MINUTE_MS) {
      last.unlogged++
      return
    }
    // A later line moves to the end.
    this.#lines.delete(key)
    this.#lines.set(key, { at: now, unlogged: 0 })
    this.#log.warn({ address, reason, more: last?.unlogged ?? 0 }, "refused a caller")
  }

  /** Forgets lines that are older than two minutes. */
  #forget(now: number): void {
    for (const [key, { at }] of this.#lines) {
      if (now - at < 2 * MINUTE_MS) return
      this.#lines.delete(key)
    }
  }
}
