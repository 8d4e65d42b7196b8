/**
 * Tests counters that three nodes share through PostgreSQL: what memory does not have, such as sweeping and the
 * database's clock.
 */
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import type { GrantId } from "../../../../src/kernel/ids.ts"
import type { Database } from "../../../../src/store/postgres/driver/database.ts"
import type { Admission } from "../../../../src/kernel/rate-limit.ts"
import { openDatabase } from "../../../../src/store/postgres/open-database.ts"
import { sharedOn } from "../../../../src/store/postgres/limits/shared.ts"
import type { SpentAll } from "../../../../src/store/limits.ts"
import { StoreUnavailable } from "../../../../src/store/unavailable.ts"
import { freshDatabase, needsPostgres, WAITING_FOR_LOCK } from "../../../support/postgres.ts"
import { until } from "../../../support/until.ts"
import { windowsContract } from "../../contract/windows.ts"

const CLOCK_MS = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

const LIMIT = { requests: 5, seconds: 60 } as const

/** Checks the wait of a window that is at most as old as `since` (from `performance.now()`). */
function assertRetryAfter(admission: Admission | SpentAll | undefined, since: number): void {
  assert.ok(admission !== undefined && !admission.admitted)
  const { retryAfterSeconds } = admission
  const age = Math.ceil((performance.now() - since) / 1000)
  assert.ok(
    retryAfterSeconds <= LIMIT.seconds && retryAfterSeconds >= LIMIT.seconds - age,
    `${retryAfterSeconds} seconds of a window that began at most ${age} seconds ago`,
  )
}

async function threeNodes(): Promise<{
  readonly databases: readonly Database[]
  readonly destroy: () => Promise<void>
}> {
  const { url, drop } = await freshDatabase()
  const databases = [await openDatabase(url), await openDatabase(url), await openDatabase(url)]
  const destroy = async () => {
    for (const database of databases) await database.close()
    await drop()
  }
  return { databases, destroy }
}

describe("PostgreSQL", needsPostgres, () => {
  windowsContract("three nodes of PostgreSQL", async (nowMs) => {
    const { databases, destroy } = await threeNodes()
    return { nodes: databases.map((database) => sharedOn(database, nowMs)), destroy }
  })

  describe("its own clock", () => {
    let databases: readonly Database[]
    let destroy: () => Promise<void>
    before(async () => ({ databases, destroy } = await threeNodes()))
    after(() => destroy())

    test("RATE-1 nodes count by the clock of the database, whatever theirs say", async () => {
      const [one, other] = databases.map((database) => sharedOn(database))
      assert.ok(one !== undefined && other !== undefined)
      const begun = performance.now()
      const all = await Promise.all(
        [one, other].flatMap(({ budget }) => Array.from({ length: 9 }, async () => budget.spend("a", LIMIT))),
      )
      assert.equal(all.filter(({ admitted }) => admitted).length, 5)
      for (const answer of all) if (!answer.admitted) assertRetryAfter(answer, begun)
      assert.equal(await one.pollIntervals.poll("g" as GrantId), null)
      assert.equal(await other.pollIntervals.poll("g" as GrantId), 10)

      const apart = (await one.now()) - Date.now() / 1000
      assert.ok(Math.abs(apart) < 60, `${apart}`)

      // The clock of the database is set back. Windows that began in the future have then ended.
      await databases[0]?.read.all(
        "UPDATE spent SET started_ms = started_ms + ?, ends_ms = ends_ms + ?",
        9e9,
        9e9,
      )
      assert.ok((await other.budget.spend("a", { requests: 5, seconds: 61 })).admitted)
      assert.equal(await one.pollIntervals.poll("g" as GrantId), null)
    })
  })

  test("RATE-2 a request that waited for a window that began meanwhile gets at most its length as the wait", async (t) => {
    const { databases, destroy } = await threeNodes()
    t.after(destroy)
    const [holder, database] = databases
    assert.ok(holder !== undefined && database !== undefined)
    const { budget, guesses } = sharedOn(database)
    const asked: Promise<Admission | SpentAll>[] = []
    let begun = 0
    await holder.write(async (writer) => {
      await writer.run(`INSERT INTO spent (counter, key, started_ms, ends_ms, most, admitted, granted)
        SELECT counter, 'b', 0, 60000, 5, 5, 0 FROM unnest(ARRAY['budget', 'guesses']) AS c (counter)`)
      asked.push(Promise.resolve(budget.spend("b", LIMIT)))
      // The first row is free, and the second is locked.
      const both = ["a", "b"].map((key) => ({ key, limit: LIMIT }))
      asked.push(Promise.resolve(guesses.spendAll(both)))
      await until(
        async () => (await database.read.all(WAITING_FOR_LOCK)).length === asked.length,
        "both wait for the row",
      )
      begun = performance.now()
      await writer.run(`UPDATE spent SET started_ms = ${CLOCK_MS}, ends_ms = ${CLOCK_MS} + 60000`)
    })
    for (const answer of await Promise.all(asked)) assertRetryAfter(answer, begun)
  })

  describe("sweeping", () => {
    let databases: readonly Database[]
    let destroy: () => Promise<void>
    let nowMs = 1_000_000
    const now = () => nowMs
    const rows = async () => {
      const row = await databases[0]?.read.one<{ count: number }>("SELECT count(*) AS count FROM spent")
      return row?.count ?? assert.fail("no count")
    }
    before(async () => ({ databases, destroy } = await threeNodes()))
    after(() => destroy())

    test("RATE-1 windows that are over go, on every node, and the others stay", async () => {
      const nodes = databases.map((database) => sharedOn(database, now))
      const [node] = nodes
      assert.ok(node !== undefined)
      const spendMany = (prefix: string, count: number, seconds: number) =>
        Promise.all(
          Array.from({ length: count }, async (_, n) =>
            node.budget.spend(`${prefix} ${n}`, { requests: 2, seconds }),
          ),
        )
      await spendMany("short", 2500, 60)
      await spendMany("long", 10, 600)
      await node.guesses.spend("g", { requests: 2, seconds: 86_400 })
      await node.pollIntervals.poll("p" as GrantId)
      assert.equal(await node.sweep(), 0)
      nowMs += 60_000
      const gone = await Promise.all(nodes.map((each) => each.sweep()))
      assert.equal(
        gone.reduce((sum, one) => sum + one, 0),
        2500,
      )
      assert.equal(await rows(), 12)
      nowMs -= 3 * 86_400_000
      assert.equal(await node.sweep(), 12, "what ends far ahead was begun before the clock was set back")
    })

    test("RATE-1 of too many windows those that end first are forgotten, of one counter alone", async () => {
      const [node] = databases.map((database) => sharedOn(database, now, 50))
      assert.ok(node !== undefined)
      for (let n = 0; n < 80; n++) {
        nowMs++
        await node.budget.spend(`flood ${n}`, LIMIT)
        if (n < 5) await node.guesses.spend(`guess ${n}`, LIMIT)
      }
      assert.equal(await node.sweep(), 30)
      const left = await databases[1]?.read.all<{ key: string }>(
        "SELECT key FROM spent WHERE counter = 'budget' ORDER BY ends_ms",
      )
      assert.equal(left?.[0]?.key, "flood 30")
      assert.equal(await rows(), 55)
    })

    test("RATE-2 a flood of one kind of guess forgets no window of another kind", async () => {
      const [node] = databases.map((database) => sharedOn(database, now, 50))
      assert.ok(node !== undefined)
      for (let n = 0; n < 5; n++) await node.guesses.spend(`sign-in account:${n}`, LIMIT)
      for (let n = 0; n < 80; n++) {
        nowMs++
        await node.guesses.spend(`recover name:a:${n}`, { requests: 5, seconds: 3600 })
      }
      assert.equal(await node.sweep(), 30)
      const left = await databases[1]?.read.all<{ key: string }>(
        "SELECT key FROM spent WHERE counter = 'guesses' AND strpos(key, ':') > 0 ORDER BY ends_ms, key",
      )
      assert.deepEqual(
        left?.slice(0, 6).map(({ key }) => key),
        [...Array.from({ length: 5 }, (_, n) => `sign-in account:${n}`), "recover name:a:30"],
      )
    })

    test("RATE-2 whom a node has refused costs the database nothing more until his window ends", async () => {
      const [node, other] = databases.map((database) => sharedOn(database, now))
      assert.ok(node !== undefined && other !== undefined)
      for (let n = 0; n < 6; n++) await node.budget.spend("refused", LIMIT)
      const again = node.budget.spend("refused", LIMIT)
      assert.deepEqual(again, { admitted: false, retryAfterSeconds: 60 })
      assert.ok(other.budget.spend("refused", LIMIT) instanceof Promise)
      nowMs += 60_000
      assert.ok((await node.budget.spend("refused", LIMIT)).admitted)
    })
  })

  test("RATE-1 spends, tries and sweeps of three nodes at once wait for one another in no circle", async (t) => {
    const { databases, destroy } = await threeNodes()
    t.after(destroy)
    const nodes = databases.map((database) => sharedOn(database))
    const many = { requests: 100_000, seconds: 60 }
    const work = nodes.flatMap(({ guesses, sweep }, place) =>
      Array.from({ length: 300 }, async (_, n) => {
        const keys = [`${n % 7}`, `${(n * place + 3) % 11}`, `${(n + place) % 5}`]
        for (let turn = n % 20; turn > 0; turn--) await new Promise(setImmediate)
        const tried = await guesses.spendAll([...new Set(keys)].map((key) => ({ key, limit: many })))
        for (const key of keys.toReversed()) await guesses.spend(key, many)
        if (n % 25 === 0) await sweep()
        if (tried.admitted) await tried.giveBack()
      }),
    )
    await Promise.all(work)
    const sum = await databases[0]?.read.one<{ sum: number }>("SELECT sum(admitted) AS sum FROM spent")
    assert.equal(sum?.sum, 3 * 300 * 3)
  })

  test("SVC-1 while the database is away a spend is StoreUnavailable, and all that wait behind it", async () => {
    const { databases, destroy } = await threeNodes()
    await destroy()
    const [node] = databases.map((database) => sharedOn(database))
    assert.ok(node !== undefined)
    const asked: readonly Promise<unknown>[] = [
      Promise.resolve(node.budget.spend("a", LIMIT)),
      Promise.resolve(
        node.guesses.spendAll([
          { key: "a", limit: LIMIT },
          { key: "b", limit: LIMIT },
        ]),
      ),
      Promise.resolve(node.pollIntervals.poll("g" as GrantId)),
    ]
    for (const answer of await Promise.allSettled(asked))
      assert.ok(answer.status === "rejected" && answer.reason instanceof StoreUnavailable)
  })
})
