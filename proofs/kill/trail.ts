/** Compares what the database recorded with what the clients were answered. */
import type { EventKind } from "../../src/records/event.rules.ts"
import type { World } from "../mixed/world.ts"

/** Credentials of the furniture, which were made before anything was recorded: the administrator's and the pupil's. */
const UNRECORDED = 2

export type Trail = { readonly usedTwice: number; readonly problems: readonly string[] }

/**
 * Whether a code was used twice, also by a request whose answer was lost; whether something that was acknowledged is
 * missing, or more was done than was asked for.
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

/** The count lies between what was acknowledged and that plus the requests without an answer. */
function beyond(what: string, found: number, acknowledged: number, unknown: number): readonly string[] {
  if (found >= acknowledged && found <= acknowledged + unknown) return []
  return [`${found} ${what} are stored, ${acknowledged} were acknowledged and ${unknown} unknown`]
}

/** How often each credential has an event of this kind. */
async function countsOf({ fleet }: World, kind: EventKind): Promise<ReadonlyMap<string, number>> {
  const rows = await fleet.database.rows("SELECT token_id FROM event WHERE kind = ?", kind)
  const counts = new Map<string, number>()
  for (const { token_id: tokenId } of rows)
    counts.set(String(tokenId), (counts.get(String(tokenId)) ?? 0) + 1)
  return counts
}
