/** What the database itself says that happened, beside what everybody was told. */
import type { EventKind } from "../../../src/core/event.ts"
import type { World } from "../mixed/world.ts"

/** Credentials of the furniture, which were made before anything was recorded: the administrator's and the pupil's. */
const UNRECORDED = 2

/**
 * No code was used twice, also not by a request whose answer was lost; nothing that was acknowledged is missing, and no
 * more was done than was asked for. Answers how many codes were used twice: 0, or it rejects.
 */
export async function checkTrail(world: World): Promise<number> {
  const { record } = world
  const exchanged = await countsOf(world, "code-exchanged")
  const fetched = await countsOf(world, "device-code-redeemed")
  for (const [tokenId, count] of [...exchanged, ...fetched])
    if (count > 1) throw new Error(`a code of ${tokenId} was used ${count} times`)
  const reused = await countsOf(world, "refresh-token-reused")
  if (reused.size > world.late)
    throw new Error(`${reused.size} credentials were ended by a repeat of their own app`)
  within("exchanges", exchanged.size - UNRECORDED, record.count("exchange", 200), record.unheard("exchange"))
  within("device codes", fetched.size, world.fetched, record.unheard("device poll"))
  return 0
}

/** At least what was acknowledged, and at the most that and what nobody heard of. */
function within(what: string, found: number, acknowledged: number, unknown: number): void {
  if (found < acknowledged || found > acknowledged + unknown)
    throw new Error(`${found} ${what} are stored, ${acknowledged} were acknowledged and ${unknown} unknown`)
}

/** How often each credential has an event of this kind. */
async function countsOf({ fleet }: World, kind: EventKind): Promise<ReadonlyMap<string, number>> {
  const rows = await fleet.database.rows("SELECT token_id FROM event WHERE kind = ?", kind)
  const counts = new Map<string, number>()
  for (const { token_id: tokenId } of rows)
    counts.set(String(tokenId), (counts.get(String(tokenId)) ?? 0) + 1)
  return counts
}
