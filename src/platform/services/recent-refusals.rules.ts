/**
 * The latest refusals of each app, for its developer. The list is small and kept in memory. Any client that names the
 * app can fill its list. An entry therefore contains no address, no account and no request data.
 */
import type { ClientId } from "../../kernel/ids.ts"
import { APPS_WITH_REFUSALS_KEPT, REFUSALS_KEPT } from "../../kernel/limits.ts"
import { reasons } from "../../model/refusals/reasons.rules.ts"
import type { Reason, Refusal } from "../../model/refusals/refusal.rules.ts"

export type RecentRefusal = {
  /** The time in seconds since 1970. */
  readonly at: number
  readonly reason: Reason
  /** The name of the wrong parameter. The value is null if no single parameter is wrong. */
  readonly parameter: string | null
  readonly requestId: string
}

/** Refusals that a correct app gets while it waits. They would push out all other entries. */
const EXPECTED: ReadonlySet<Reason> = new Set<Reason>(["devicePending"])

export class RecentRefusals {
  /** The most recently refused app is last. The list of each app begins with its oldest refusal. */
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

  /** Returns the refusals of an app, newest first. */
  of(clientId: ClientId): readonly RecentRefusal[] {
    return this.#ofApps.get(clientId)?.toReversed() ?? []
  }
}

/** Returns the parameter, member or header that caused the refusal. */
export function parameterOf(refusal: Refusal): string | null {
  const named = "parameter" in refusal ? refusal : reasons[refusal.reason]
  return "parameter" in named ? named.parameter : null
}
