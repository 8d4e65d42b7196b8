/**
 * Refusals in the log. Anyone can cause as many as they like: of each reason and app the first few a second have a line
 * each, the others are given as a number, so that a noisy app hides no refusal of another. All are counted
 * (`latchkey_refusals_total`), and what changes anything is an event of the audit trail besides.
 */
import type { ClientId } from "../kernel/ids.ts"
import { parameterOf } from "../services/recent-refusals.rules.ts"
import type { Reason, Refusal } from "../oauth/refusal.rules.ts"
import type { Log } from "../kernel/log.ts"

const LINES_EACH_SECOND = 20
/** Beyond as many pairs of reason and app in a second, apps share the lines of a reason. */
const PAIRS_EACH_SECOND = 200
const SECOND_MILLISECONDS = 1000

type Count = { readonly reason: Reason; readonly clientId: ClientId | null; count: number }

export class RefusalLog {
  readonly #log: Log
  /** How often each reason came for each app since this second began. */
  readonly #counts = new Map<string, Count>()
  #timer: NodeJS.Timeout | null = null

  constructor(log: Log) {
    this.#log = log
  }

  note(requestId: string, clientId: ClientId | null, refusal: Refusal): void {
    const { reason } = refusal
    // Unknown apps can be made up without end: they share their lines.
    const counted = this.#countOf(reason, reason === "clientUnknown" ? null : clientId)
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
      },
      "refused",
    )
  }

  /** Logs how many more there were, and starts over. Comes by itself a second after the first refusal. */
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
