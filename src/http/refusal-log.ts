/**
 * Logs refusals. Clients can cause any number of them, so only the first 20 per second, reason and app have a line
 * each. The others are logged as a count. A noisy app thus hides no refusal of another app. `latchkey_refusals_total`
 * counts all refusals.
 */
import type { ClientId } from "../kernel/ids.ts"
import { parameterOf } from "../services/recent-refusals.rules.ts"
import { OF_UNKNOWN_CLIENT, type Reason, type Refusal } from "../oauth/refusal.rules.ts"
import type { Log } from "../kernel/log.ts"

const LINES_EACH_SECOND = 20
/** Above this number of pairs of reason and app in a second, all further apps share the lines of a reason. */
const PAIRS_EACH_SECOND = 200
const SECOND_MILLISECONDS = 1000

type Count = { readonly reason: Reason; readonly clientId: ClientId | null; count: number }

export class RefusalLog {
  readonly #log: Log
  /** The number of refusals in the current second, by reason and app. */
  readonly #counts = new Map<string, Count>()
  #timer: NodeJS.Timeout | null = null

  constructor(log: Log) {
    this.#log = log
  }

  note(requestId: string, clientId: ClientId | null, refusal: Refusal): void {
    const { reason } = refusal
    // Unknown apps share their lines, because anyone can invent a `client_id`.
    const counted = this.#countOf(reason, OF_UNKNOWN_CLIENT.has(reason) ? null : clientId)
    counted.count++
    this.#timer ??= setTimeout(() => this.endSecond(), SECOND_MILLISECONDS).unref()
    if (counted.count > LINES_EACH_SECOND) return
    const tokenId = "tokenId" in refusal ? refusal.tokenId : undefined
    this.#log.info(
      {
        request_id: requestId,
        client_id: clientId ?? undefined,
        refusal: reason,
        parameter: parameterOf(refusal) ?? undefined,
        token_id: tokenId,
        problem: "problem" in refusal ? refusal.problem : undefined,
      },
      "refused",
    )
  }

  /** Logs the counts of further refusals and starts over. A timer calls this one second after the first refusal. */
  endSecond(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    for (const { reason, clientId, count } of this.#counts.values()) {
      const more = count - LINES_EACH_SECOND
      if (more > 0)
        this.#log.info(
          { client_id: clientId ?? undefined, refusal: reason, more },
          "further refusals of this reason, not logged one by one",
        )
    }
    this.#counts.clear()
  }

  #countOf(reason: Reason, clientId: ClientId | null): Count {
    const key = `${reason} ${clientId ?? ""}`
    const found = this.#counts.get(key)
    if (found !== undefined) return found
    if (clientId !== null && this.#counts.size >= PAIRS_EACH_SECOND) return this.#countOf(reason, null)
    const begun: Count = { reason, clientId, count: 0 }
    this.#counts.set(key, begun)
    return begun
  }
}
