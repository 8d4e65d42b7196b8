/**
 * The latest refusals of each app, for its developer. In memory and small: any client that names the app can fill its list,
 * so an entry holds no address, no account and nothing that was sent.
 */
import type { ClientId } from "../kernel/ids.ts"
import { APPS_WITH_REFUSALS_KEPT, REFUSALS_KEPT } from "../kernel/limits.ts"
import { reasons } from "../oauth/reasons.rules.ts"
import type { Reason, Refusal } from "../oauth/refusal.rules.ts"

export type RecentRefusal = {
  /** Seconds since 1970. */
  readonly at: number
  readonly reason: Reason
  /** The parameter that was wrong, where it was one. */
  readonly parameter: string | null
  readonly requestId: string
}

/** What an app gets that waits as it should: it would push everything else out. */
const EXPECTED: ReadonlySet<Reason> = new Set<Reason>(["devicePending"])

export class RecentRefusals {
  /** The app that was refused last comes last; each with its oldest refusal first. */
  readonly #ofApps = new Map<ClientId, RecentRefusal[]>()

  add(clientId: ClientId, refusal: Refusal, requestId: string, at: number): void {
    const { reason } = refusal
    if (EXPECTED.has(reason)) return
    const all = this.#ofApps.get(clientId) ?? []
    all.push({ at, reason, parameter: parameterOf(refusal), requestId })
    if (all.length > REFUSALS_KEPT) all.shift()
    this.#ofApps.delete(clientId)
    this.#ofApps.set(clientId, all)
    if (this.#ofApps.size <= APPS_WITH_REFUSALS_KEPT) return
    for (const longest of this.#ofApps.keys()) return void this.#ofApps.delete(longest)
  }

  /** The newest first. */
  of(clientId: ClientId): readonly RecentRefusal[] {
    return this.#ofApps.get(clientId)?.toReversed() ?? []
  }
}

/** The name of the parameter that a refusal is about; a member or a header where it came as one. */
export function parameterOf(refusal: Refusal): string | null {
  return "parameter" in refusal ? refusal.parameter : reasons[refusal.reason].parameter
}
