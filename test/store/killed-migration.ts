/** Runs migrations in a process that is killed again and again. */
import assert from "node:assert/strict"
import { startChild } from "./scratch.ts"

/** Starts `child/<name>.ts` on `place` and kills it after this time. Returns whether it was still running. */
export async function migrateAndKill(name: string, place: string, milliseconds: number): Promise<boolean> {
  const child = startChild(name, [place])
  await child.line()
  const timer = setTimeout(() => child.process.kill("SIGKILL"), milliseconds)
  const status = await child.ended()
  clearTimeout(timer)
  return status === null
}

type Migration = {
  /** The name of the child, and a function that creates its database. */
  readonly name: string
  readonly fresh: () => string | Promise<string>
  /** The version at which the migration is complete. */
  readonly last: number
  /** Each kill comes later than the one before by this time. */
  readonly milliseconds: number
  /** Returns the version. Everything up to this version must exist, and nothing else. */
  readonly look: (place: string) => number | Promise<number>
}

/** If this process is paused, a migration may finish before it is killed. Then another one is started. */
export async function killedOnTheWay(migration: Migration): Promise<void> {
  for (let n = 0; n < 9; n++) if ((await killUntilThrough(migration)) > 0) return
  assert.fail("nothing was killed")
}

/** Returns how often the process was killed. */
async function killUntilThrough({ name, fresh, last, milliseconds, look }: Migration): Promise<number> {
  const place = await fresh()
  let kills = 0
  for (let version = 0, tries = 0; version < last; tries++) {
    assert.ok(tries < 60)
    // Each kill is later by a growing amount. Every step is then interrupted once, and the loop also ends on a slow
    // machine.
    if (await migrateAndKill(name, place, milliseconds * tries * 1.05 ** tries)) kills++
    const now = await look(place)
    assert.ok(now >= version, "a finished step was lost")
    version = now
  }
  return kills
}
