/** Mixed load on a database, and the check of every acknowledged response at its end. */
import type { TestDatabase } from "../../test/support/database.ts"
import { done, type Span } from "../../test/support/spawn.ts"
import { checkTrail } from "../kill/trail.ts"
import { Fleet } from "../mixed/fleet.ts"
import { checkAll, startLoad } from "../mixed/mixed-load.ts"
import { reasonsOf } from "../mixed/unavailable.ts"
import type { World } from "../mixed/world.ts"

const NODES = 2
const RATE = 150
const SIZE = { installations: 10, machines: 1 }

export type Loaded = {
  readonly answered: number
  readonly unavailable: number
  /** The number of refreshes without a response, which apps repeated. */
  readonly repeated: number
}

/** Runs `meanwhile` under load. Rejects if a response that was acknowledged does not hold afterwards. */
export async function underLoad(
  span: Span,
  database: TestDatabase,
  seed: number,
  meanwhile: (world: World) => Promise<void>,
): Promise<Loaded> {
  const environment = { LATCHKEY_TRUSTED_PROXIES: "127.0.0.0/8" }
  const fleet = await Fleet.open(span, { engine: "postgres", database, count: NODES, environment })
  const { world, end } = await startLoad(fleet, { seed, rate: RATE, size: SIZE, people: 2 })
  await meanwhile(world)
  await end()
  await checkAll(world)
  const { problems } = await checkTrail(world)
  if (problems.length > 0) throw new Error(problems.join("\n"))
  reasonsOf(world)
  const found = await done<unknown[]>(fleet.dir, ["verify"])
  if (found.length > 0) throw new Error(`verify finds ${JSON.stringify(found)}`)
  const { record, busy } = world
  return { answered: record.answered, unavailable: busy.length, repeated: record.unheard("refresh") }
}
