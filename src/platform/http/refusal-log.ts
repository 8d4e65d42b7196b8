/**
 * Logs refusals. Clients can cause any number of them. In each second, only the first 20 refusals of a reason and app
 * have their own line. The rest are logged as a count. An app with many refusals therefore hides no other app.
 * `latchkey_refusals_total` counts all refusals.
 */
import type { ClientId } from "../../kernel/ids.ts"
import { parameterOf } from "../services/recent-refusals.rules.ts"
import { OF_UNKNOWN_CLIENT, type Reason, type Refusal } from "../../model/refusals/refusal.rules.ts"
import type { Log } from "../../kernel/log.ts"

const LINES_EACH_SECOND = 20
/** The maximum number of pairs of reason and app in a second. All further apps share the lines of their reason. */
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

  note(requestId: string, clientId: ClientId | null, refusal: Refusal, address?: string): void {
    const { reason } = refusal
    // Anyone can invent a `client_id`, so all unknown apps share their lines.
    const counted = this.#countOf(reason, OF_UNKNOWN_CLIENT.has(reason) ? null : clientId)
    counted.count++
    this.#timer ??= setTimeout(() => this.endSecond(), SECOND_MILLISECONDS).unref()
    if (counted.count > LINES_EACH_SECOND) return
    const tokenId = "tokenId" in refusal ? refusal.tokenId : undefined
    this.#log.info(
      {
        request_id: requestId,
        client_id: clientId ?? undefined,
        address,
        refusal: reason,
        parameter: parameterOf(refusal) ?? undefined,
        redirect_uri: "address" in refusal ? refusal.address : undefined,
        token_id: tokenId,
        problem: "problem" in refusal ? refusal.problem : undefined,
      },
      "refused",
    )
  }

  /**
   * Logs the number of further refusals and starts over. A timer calls this method one second after the first refusal.
   */
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
