/**
 * Pages of the database are damaged. `verify` must find the damage, unless all stored data is still there. No app gets
 * another app's tokens, or tokens that were never issued. A service that cannot continue says why and ends. A backup
 * restores the data.
 */
import assert from "node:assert/strict"
import { copyFileSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import { done, latchkey } from "../../test/support/spawn.ts"
import { contentOf, type Damage, damage } from "./damage.ts"
import { always, type Fault, type Attempted } from "./fault.ts"
import { type Pair, pairIn } from "../../test/nodes/history.ts"
import { World } from "./world.ts"

export const damagedPage: Fault = {
  name: "page of the database damaged",
  rows: "SVC-2",
  engines: ["sqlite"],
  times: 480,
  slice: 12,
  missing: always,
  bringAbout: async ({ span, work, choice, times, say }) => {
    const whole = (await seeded(span, join(work, "whole"))).file
    const content = contentOf(whole)
    assert.ok(content !== null)
    const seen = { found: 0, free: 0, value: 0 }
    const file = join(work, "damaged.db")
    for (let n = 0; n < times; n++) {
      for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true })
      copyFileSync(whole, file)
      const { what, mayLookWhole } = damage(file, n, choice)
      const damaged = contentOf(file)
      if (await isFound(file)) seen.found++
      else if (damaged === content) seen.free++
      else {
        assert.ok(mayLookWhole, `${what}: verify finds nothing`)
        seen.value++
      }
    }
    say(
      `damaged pages: ${seen.found} found, ${seen.free} in free space, ${seen.value} another value in a row`,
    )
    assert.ok(seen.found > 0)
    return times
  },
}

/** Whether `latchkey verify` notices the damage. The file cannot be opened, or problems are found. */
async function isFound(file: string): Promise<boolean> {
  let store
  try {
    store = openSqlite(file)
  } catch {
    return true
  }
  try {
    return (await store.verify()).length > 0
  } catch {
    return true
  } finally {
    await store.close().catch(() => undefined)
  }
}

export const damagedUnderService: Fault = {
  name: "page damaged under a service",
  rows: "SVC-2, TOK-1",
  engines: ["sqlite"],
  times: 24,
  slice: 0,
  missing: always,
  bringAbout: async ({ span, work, choice, times }: Attempted) => {
    const { world, pairs, file } = await seeded(span, join(work, "whole-served"))
    const backup = join(work, "backup.db")
    copyFileSync(file, backup)
    for (let n = 0; n < times; n++) {
      const damaged = damage(file, n, choice)
      await assertNothingWrong(world, pairs, damaged)
      for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true })
      copyFileSync(backup, file)
    }
    await world.start()
    for (const pair of pairs) assert.equal((await world.refresh(pair)).status, 200, "the backup serves")
    await world.server.stop()
    await world.verify()
    return times
  },
}

async function seeded(span: Attempted["span"], dir: string) {
  mkdirSync(dir)
  const world = await World.open(span, dir)
  const pairs = await world.pairs(12)
  // When its last connection closes, all data is in one file.
  await world.server.stop()
  return { world, pairs, file: join(dir, "latchkey.db") }
}

async function assertNothingWrong(world: World, pairs: readonly Pair[], { what }: Damage): Promise<void> {
  const outcome = await world.start().catch((error: Error) => error)
  if (outcome instanceof Error) {
    assert.match(outcome.message, /ended with 1: latchkey: The service cannot start: /, what)
    assert.doesNotMatch(outcome.message, /^\s+at /m, what)
    return
  }
  const issued = new Set(pairs.map(({ refreshToken }) => refreshToken))
  for (const pair of pairs) {
    const introspection = await world.introspect(pair)
    assert.ok(
      [200, 401, 500, 503].includes(introspection.status),
      `${what}: ${introspection.status} ${JSON.stringify(introspection.body)}`,
    )
    if (introspection.body["active"] === true)
      assert.equal(introspection.body["client_id"], world.app.clientId, what)
    const next = await world.refresh(pair)
    assert.ok(
      [200, 400, 401, 500, 503].includes(next.status),
      `${what}: ${next.status} ${JSON.stringify(next.body)}`,
    )
    if (next.status !== 200) continue
    const { refreshToken } = pairIn(next.body)
    assert.ok(!issued.has(refreshToken), `${what}: a token was issued twice`)
    issued.add(refreshToken)
  }
  const never = await world.introspect({
    ...(pairs[0] as Pair),
    accessToken: (pairs[0] as Pair).refreshToken,
  })
  assert.notEqual(never.body["active"], true, what)
  const { stderr } = outcome
  const exit = await outcome.stop()
  assert.ok(exit.code === 0 || exit.code === 1, `${what}: ${JSON.stringify(exit)} ${stderr}`)
}

export const emptiedFile: Fault = {
  name: "database emptied",
  rows: "SVC-2",
  engines: ["sqlite"],
  times: 3,
  slice: 1,
  missing: always,
  bringAbout: async ({ span, work, times }) => {
    const { world, file } = await seeded(span, join(work, "emptied"))
    const backup = join(work, "backup.db")
    copyFileSync(file, backup)
    for (let n = 0; n < times; n++) {
      copyFileSync("/dev/null", file)
      const { code, stdout, stderr } = await latchkey(["serve", "--data", world.dir, "--port", "0", "--json"])
      assert.deepEqual([code, stdout], [1, ""], "what has lost everything is not taken for a new service")
      assert.match(stderr, /empty/)
      assert.equal((await latchkey(["verify", "--data", world.dir])).code, 1)
      copyFileSync(backup, file)
    }
    await world.start()
    await world.server.stop()
    assert.deepEqual(await done(world.dir, ["verify"]), [])
    return times
  },
}
