/** Adds up the counts of every app over many days. Past days do not change, so their sums are cached. */
import { bucketAt, type Tally } from "../../model/tally.rules.ts"
import { DAY, HOUR } from "../../kernel/time.ts"
import type { Services } from "../../platform/services/services.ts"

/**
 * A day is cached only after this time has passed since its end. Until then, a node that could not write may still add
 * counts.
 */
const SETTLED_AFTER = HOUR

/**
 * The maximum number of cached periods. The pages show two long periods, and each can end on two days around midnight.
 */
const SPANS_AT_MOST = 4

const sums = new WeakMap<Services["store"], Map<string, readonly Tally[]>>()

/**
 * Returns the counts of apps. A counter of an app may appear in several rows. `until` is the end of today or of
 * yesterday.
 */
export async function talliesOfApps(
  { store, clock }: Pick<Services, "store" | "clock">,
  since: number,
  until: number,
): Promise<readonly Tally[]> {
  const settled = Math.max(since, bucketAt("day", clock.now() - SETTLED_AFTER))
  const before = settled - since < 2 * DAY ? null : await finished(store, since, settled)
  const rest = await store.talliesOfApps(before === null ? since : settled, until)
  return before === null ? rest : [...before, ...rest]
}

async function finished(store: Services["store"], since: number, until: number): Promise<readonly Tally[]> {
  const kept = sums.get(store) ?? new Map<string, readonly Tally[]>()
  sums.set(store, kept)
  const span = `${since} ${until}`
  const known = kept.get(span)
  if (known !== undefined) return known
  const added = summed(await store.talliesOfApps(since, until))
  for (const oldest of kept.keys()) if (kept.size >= SPANS_AT_MOST) kept.delete(oldest)
  kept.set(span, added)
  return added
}

/** Adds up rows, so that each counter of each app has one row. */
function summed(parts: readonly Tally[]): readonly Tally[] {
  const whole = new Map<string, Tally>()
  for (const part of parts) {
    const key = `${part.clientId} ${part.name}`
    const known = whole.get(key)
    whole.set(key, known === undefined ? part : { ...known, count: known.count + part.count })
  }
  return [...whole.values()]
}
