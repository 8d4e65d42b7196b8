/** Migrations by a process that is killed, again and again. */
import assert from "node:assert/strict"
import { startChild } from "./scratch.ts"

/** Starts `child/<name>.ts` on `place`, and kills it so long after it has begun; answers whether it was still there. */
export async function migrateAndKill(name: string, place: string, milliseconds: number): Promise<boolean> {
  const child = startChild(name, [place])
  await child.line()
  const timer = setTimeout(() => child.process.kill("SIGKILL"), milliseconds)
  const status = await child.ended()
  clearTimeout(timer)
  return status === null
}

type Migration = {
  /** The child, on what `fresh` answers. */
  readonly name: string
  readonly fresh: () => string | Promise<string>
  /** It is through at this version. */
  readonly last: number
  /** How much later it is killed each time. */
  readonly milliseconds: number
  /** Answers the version, all of which is there and nothing else. */
  readonly look: (place: string) => number | Promise<number>
}

/** Where this process stands still for a moment, a migration gets through before it is killed: then another one is. */
export async function killedOnTheWay(migration: Migration): Promise<void> {
  for (let n = 0; n < 9; n++) if ((await killUntilThrough(migration)) > 0) return
  assert.fail("nothing was killed")
}

/** Answers how often it was killed. */
async function killUntilThrough({ name, fresh, last, milliseconds, look }: Migration): Promise<number> {
  const place = await fresh()
  let kills = 0
  for (let version = 0, tries = 0; version < last; tries++) {
    assert.ok(tries < 60)
    // Later each time, by ever more: every step gets its turn, and the loop ends on a slow machine as well.
    if (await migrateAndKill(name, place, milliseconds * tries * 1.05 ** tries)) kills++
    const now = await look(place)
    assert.ok(now >= version, "a finished step was lost")
    version = now
  }
  return kills
}
