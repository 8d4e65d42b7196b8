/**
 * The disk is full when something begins: the first start, a start with a database, a migration, a backup, or a log on
 * the same disk. The command says why it failed and leaves nothing incomplete. It succeeds when there is room.
 */
import assert from "node:assert/strict"
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { done, latchkey, type Span, SpawnedServer } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import type { Fault, Attempted } from "./fault.ts"
import { issued } from "../../test/store/before-squash.ts"
import { assertVersionOfStep, fillOldDatabase, schemaVersion, THIS_VERSION } from "./old-database.ts"
import { fillUp, mountingMissing, mountSmall } from "./small-disk.ts"
import { type Pair } from "../../test/nodes/history.ts"
import { World } from "./world.ts"

export const fullDiskAtStart: Fault = {
  name: "disk full when something begins",
  rows: "SVC-2",
  engines: ["sqlite"],
  times: 25,
  slice: 1,
  missing: mountingMissing,
  bringAbout: async (run) => {
    const kinds = [firstStart, laterStart, migration, backup, logOnDisk]
    for (let n = 0; n < run.times; n++) {
      const disk = mountSmall(run.span, 64)
      assert.ok(disk !== null)
      await kinds[n % kinds.length]?.(run, disk)
    }
    return run.times
  },
}

/** Returns the error of a start that fails. Returns null if the service started. It is then stopped again. */
async function refusalOf(span: Span, dir: string): Promise<string | null> {
  try {
    const server = await SpawnedServer.start(span, dir)
    await server.stop()
    return null
  } catch (error) {
    const { message } = error as Error
    assert.match(message, /ended with 1: latchkey: The service cannot start: /)
    assert.match(message, /full|no space|disk I\/O error/i)
    assert.doesNotMatch(message, /^\s+at /m, "a sentence, no stack")
    return message
  }
}

/** Fills the disk except for this many bytes. */
function fillBut(disk: string, bytes: number): () => void {
  const spared = join(disk, "spared")
  writeFileSync(spared, Buffer.alloc(bytes))
  const free = fillUp(disk)
  rmSync(spared)
  return free
}

async function firstStart({ span, choice }: Attempted, disk: string): Promise<void> {
  const dir = join(disk, "new")
  // The free space is between nothing and almost enough.
  const free = fillBut(disk, choice.chance(0.3) ? 0 : choice.below(200) * 1024)
  assert.notEqual(await refusalOf(span, dir), null)
  free()
  const server = await SpawnedServer.start(span, dir)
  assert.equal((await fetch(`${server.url}/health`)).status, 200)
  await server.stop()
  assert.deepEqual(await done(dir, ["verify"]), [])
}

async function laterStart({ span }: Attempted, disk: string): Promise<void> {
  const world = await World.open(span, join(disk, "service"))
  const [pair] = await world.pairs(1)
  assert.ok(pair)
  await world.server.stop("SIGKILL")
  const free = fillUp(disk)
  const outcome = await world.start().catch((error: Error) => error)
  if (outcome instanceof Error) assert.match(outcome.message, /full|no space|disk I\/O error/i)
  else assert.equal((await world.introspect(pair)).body["active"], true)
  if (!(outcome instanceof Error)) await outcome.stop("SIGKILL")
  free()
  await world.start()
  assert.equal((await world.refresh(pair)).status, 200)
  await world.server.stop()
  await world.verify()
}

async function migration({ span, choice }: Attempted, disk: string): Promise<void> {
  const dir = join(disk, "old")
  mkdirSync(dir, { mode: 0o700 })
  const file = join(dir, "latchkey.db")
  const count = fillOldDatabase(file, 300)
  writeFileSync(join(dir, "secret.key"), `${issued.secret}\n`, { mode: 0o600 })
  // The disk has room for only a part of the copy.
  const free = fillBut(disk, choice.below(512) * 1024)
  const refusal = await refusalOf(span, dir)
  free()
  if (refusal === null) assert.equal(schemaVersion(file), THIS_VERSION)
  else assertVersionOfStep(schemaVersion(file))
  const server = await SpawnedServer.start(span, dir)
  await server.stop()
  assert.equal(schemaVersion(file), THIS_VERSION)
  assert.equal(rowsIn(file, "account"), count)
  assert.deepEqual(await done(dir, ["verify"]), [])
}

async function backup({ span, work, choice }: Attempted, disk: string): Promise<void> {
  const dir = join(work, `backup-${choice.below(1e9)}`)
  const world = await World.open(span, dir)
  const [pair] = await world.pairs(1)
  assert.ok(pair)
  const free = fillBut(disk, choice.below(40) * 4096)
  const target = join(disk, "copy.db")
  const { code, stderr } = await latchkey(["backup", target, "--data", dir])
  assert.equal(code, 1, stderr)
  assert.match(stderr, /cannot be written|full|no space/i)
  assert.doesNotMatch(stderr, /^\s+at /m)
  assert.deepEqual(readdirSync(disk).toSorted(), ["ballast"], "nothing is left of it")
  assert.equal((await world.refresh(pair)).status, 200, "the service does not care")
  free()
  await done(dir, ["backup", target])
  assert.ok(existsSync(target))
  await world.server.stop()
}

/** Standard error is a file on the same disk, as with many supervisors. */
async function logOnDisk({ span, work, choice }: Attempted, disk: string): Promise<void> {
  const dir = join(work, `log-${choice.below(1e9)}`)
  const world = await World.open(span, dir)
  const [pair] = await world.pairs(1)
  await world.server.stop()
  assert.ok(pair)
  const server = await world.startLogging(join(disk, "log"))
  const free = fillUp(disk)
  let current: Pair = pair
  for (let i = 0; i < 200; i++) {
    const bad = await world.refresh({ ...current, refreshToken: "lkr_none" })
    assert.equal(bad.status, 400)
    const { status, body } = await world.refresh(current)
    assert.equal(status, 200, JSON.stringify(body))
    current = {
      accessToken: String(body["access_token"]),
      refreshToken: String(body["refresh_token"]),
    }
  }
  free()
  const before = statSync(join(disk, "log")).size
  await until(async () => {
    await world.refresh({ ...current, refreshToken: "lkr_none" })
    return statSync(join(disk, "log")).size > before
  }, "the log goes on")
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
}

function rowsIn(file: string, table: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"])
  } finally {
    database.close()
  }
}
