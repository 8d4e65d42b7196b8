/** Compares what the database recorded with the responses that clients received. */
import type { EventKind } from "../../src/model/event.rules.ts"
import type { World } from "../mixed/world.ts"

/** The credentials of the administrator and the pupil, which existed before anything was recorded. */
const UNRECORDED = 2

export type Trail = { readonly usedTwice: number; readonly problems: readonly string[] }

/**
 * Compares the audit trail with the responses. It reveals a code that was used twice, even by a request whose response
 * was lost. It also reveals missing changes and changes that were never requested.
 */
export async function checkTrail(world: World): Promise<Trail> {
  const { record } = world
  const problems: string[] = []
  const exchanged = await countsOf(world, "code-exchanged")
  const fetched = await countsOf(world, "device-code-redeemed")
  const twice = [...exchanged, ...fetched].filter(([, count]) => count > 1)
  for (const [tokenId, count] of twice) problems.push(`a code of ${tokenId} was used ${count} times`)
  const reused = await countsOf(world, "refresh-token-reused")
  if (reused.size > world.late)
    problems.push(`${reused.size} credentials were ended by a repeat of their own app`)
  const made = exchanged.size - UNRECORDED
  problems.push(...beyond("exchanges", made, record.count("exchange", 200), record.unheard("exchange")))
  problems.push(...beyond("device codes", fetched.size, world.fetched, record.unheard("device poll")))
  return { usedTwice: twice.length, problems }
}

/**
 * Returns a problem if the count is too low or too high. The lower bound is what was acknowledged. The upper bound adds
 * the requests without a response.
 */
function beyond(what: string, found: number, acknowledged: number, unknown: number): readonly string[] {
  if (found >= acknowledged && found <= acknowledged + unknown) return []
  return [`${found} ${what} are stored, ${acknowledged} were acknowledged and ${unknown} unknown`]
}

/** Returns how many events of this kind each credential has. */
async function countsOf({ fleet }: World, kind: EventKind): Promise<ReadonlyMap<string, number>> {
  const rows = await fleet.database.rows("SELECT token_id FROM event WHERE kind = ?", kind)
  const counts = new Map<string, number>()
  for (const { token_id: tokenId } of rows)
    counts.set(String(tokenId), (counts.get(String(tokenId)) ?? 0) + 1)
  return counts
}
