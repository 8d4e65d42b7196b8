/**
 * A service is killed, and the end of its log is damaged as in a power failure. It is cut at the end of a frame, in a
 * header or in a page, or some of its bits are changed. The database must contain exactly the history up to the last
 * undamaged commit.
 */
import assert from "node:assert/strict"
import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CHANGES_BETWEEN_AT_LEAST } from "../../src/store/sqlite/engine/checkpointer.ts"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import { COUNTER, counterOf } from "../../test/store/counter.ts"
import { startChild } from "../../test/store/scratch.ts"
import {
  copiedFrames,
  FRAME_HEADER_BYTES,
  HEADER_BYTES,
  type Log,
  readLog,
} from "../../test/store/write-ahead-log.ts"
import { until } from "../../test/support/until.ts"
import type { Choice } from "../choice.ts"
import { always, type Fault, type Attempted } from "./fault.ts"
import { type Pair, pairIn } from "../../test/nodes/history.ts"
import { World } from "./world.ts"

/**
 * The number of writes. It is too small for the service to copy its log into the file. Damage to the log cannot remove
 * copied data.
 */
const WRITES = CHANGES_BETWEEN_AT_LEAST - 10

type Tear = { readonly kind: "cut" | "flipped"; readonly at: number }

export const tornLog: Fault = {
  name: "log torn at its end",
  rows: "SVC-2, CRED-1",
  engines: ["sqlite"],
  times: 600,
  slice: 10,
  missing: always,
  bringAbout: async ({ work, choice, times, say }) => {
    const [original, torn] = [join(work, "original"), join(work, "torn")]
    await writeAndKill(original)
    const log = readLog(join(original, "latchkey.db-wal"))
    const tears = tearsOf(log, choice, times)
    for (const [n, tear] of tears.entries()) {
      copyWithoutIndex(original, torn)
      apply(join(torn, "latchkey.db-wal"), tear, choice)
      const lost = log.commits.filter((end) => end > tear.at).length
      await assertPrefix(join(torn, "latchkey.db"), lost, `${tear.kind} at ${tear.at}`)
      if ((n + 1) % 200 === 0) say(`torn logs: ${n + 1} of ${tears.length}`)
    }
    return tears.length
  },
}

/** Writes with one writer, so that each account is a commit. Kills the process. */
async function writeAndKill(dir: string): Promise<void> {
  mkdirSync(dir)
  const child = startChild("write", [join(dir, "latchkey.db"), "0", "1", String(WRITES)])
  for (let n = 0; n < WRITES; n++) assert.equal(await child.line(), String(n))
  await child.kill()
  assert.equal(copiedFrames(join(dir, "latchkey.db-shm")), 0)
}

/** Returns places to damage. Places in the last commits come first. */
function tearsOf({ frameBytes, end, commits }: Log, choice: Choice, count: number): Tear[] {
  const within = [0, 1, 4, 8, FRAME_HEADER_BYTES - 1, FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + 1, 2000]
  const last = commits.slice(-6).flatMap((commit) => within.map((into) => commit - frameBytes + into))
  const offsets = [end - 1, end, HEADER_BYTES, HEADER_BYTES - 1, 0, ...last]
  return Array.from({ length: count }, (_, n) => {
    const at = n < offsets.length ? (offsets[n] ?? 0) : choice.below(end)
    // There are no bits to change after the end of the log.
    return { at, kind: at < end && choice.chance(0.4) ? "flipped" : "cut" }
  })
}

/** Copies the files without the index of the log, because a power failure does not preserve it. */
function copyWithoutIndex(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, filter: (source) => !source.endsWith("-shm") })
}

function apply(log: string, { kind, at }: Tear, choice: Choice): void {
  if (kind === "cut") return truncateSync(log, at)
  const bytes = readFileSync(log)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << choice.below(8))
  writeFileSync(log, bytes)
}

async function assertPrefix(file: string, lost: number, what: string): Promise<void> {
  const store = openSqlite(file)
  try {
    const numbers = (await store.accounts({ limit: 10_000 })).map(({ userId }) => Number(userId.slice(-15)))
    const count = numbers.length
    assert.deepEqual(
      numbers,
      Array.from({ length: count }, (_, n) => n),
      `${what}: the first ones, without a gap`,
    )
    // The commits of the migrations come before the accounts.
    assert.equal(count, Math.max(0, WRITES - lost), `${what}: ${lost} torn off`)
    assert.equal(counterOf((await store.read({ setting: COUNTER })).setting), count, what)
    assert.deepEqual(await store.verify(), [], what)
  } finally {
    await store.close()
  }
}

/**
 * The same fault with a running service. It is started with a damaged log. It then knows all tokens up to some
 * response, and no later tokens.
 */
export const tornLogServed: Fault = {
  name: "log torn under a service",
  rows: "SVC-2, CRED-1",
  engines: ["sqlite"],
  times: 15,
  slice: 0,
  missing: always,
  bringAbout: async ({ span, work, choice, times }: Attempted) => {
    const [original, torn] = [join(work, "served"), join(work, "torn-served")]
    const world = await World.open(span, original)
    const pairs = await world.pairs(1)
    for (let n = 0; n < 40; n++) {
      const { status, body } = await world.refresh(pairs.at(-1) as Pair)
      assert.equal(status, 200, JSON.stringify(body))
      pairs.push(pairIn(body))
    }
    await world.server.stop("SIGKILL")
    assert.equal(copiedFrames(join(original, "latchkey.db-shm")), 0)
    const log = readLog(join(original, "latchkey.db-wal"))
    for (let n = 0; n < times; n++) {
      // The damage is within about the last forty commits. Before them, there is no credential.
      const at =
        n === 0 ? log.end : (log.commits.at(-30) ?? 0) + choice.below(log.end - (log.commits.at(-30) ?? 0))
      copyWithoutIndex(original, torn)
      apply(join(torn, "latchkey.db-wal"), { kind: "cut", at }, choice)
      await assertServedUpTo(world.on(torn), pairs, n === 0)
    }
    return times
  },
}

async function assertServedUpTo(world: World, pairs: readonly Pair[], isWhole: boolean): Promise<void> {
  await world.start()
  const active = await Promise.all(
    pairs.map(async (pair) => (await world.introspect(pair)).body["active"] === true),
  )
  const newest = active.lastIndexOf(true)
  assert.ok(newest >= 0, "some answer is still known")
  if (isWhole) assert.equal(newest, pairs.length - 1, "nothing was torn off")
  assert.deepEqual(
    active.slice(newest - 7, newest + 1),
    Array.from({ length: Math.min(8, newest + 1) }, () => true),
    "its last eight access tokens, without a gap",
  )
  const taken = pairs[newest + 1]
  if (taken !== undefined) assert.equal((await world.refresh(taken)).status, 400, "what is gone is not taken")
  const next = await world.refresh(pairs[newest] as Pair)
  assert.equal(next.status, 200, JSON.stringify(next.body))
  if (taken !== undefined) {
    // The rotation key of the same half minute derives the same pair again. docs/storage.md.
    const isSame = pairIn(next.body).refreshToken === taken.refreshToken
    assert.equal((await world.refresh(taken)).status, isSame ? 200 : 400)
  }
  assert.equal((await world.introspect(pairIn(next.body))).body["active"], true)
  await until(async () => (await fetch(`${world.url}/health`)).status === 200, "it serves")
  await world.server.stop()
  await world.verify()
}
