/** Another session locks a table or a row for longer than a request may wait. */
import { describe, it, type TestContext } from "node:test"
import assert from "node:assert/strict"
import type { TokenId } from "../../../../src/kernel/ids.ts"
import { decided } from "../../../../src/model/change.rules.ts"
import type { Connection } from "../../../../src/store/postgres/driver/connection.ts"
import { openConnection } from "../../../support/open-connection.ts"
import { openPostgres } from "../../../../src/store/postgres/postgres-store.ts"
import { neededTables } from "../../../../src/store/postgres/driver/table-lock.ts"
import type { Store } from "../../../../src/store/store.ts"
import { StoreLocked } from "../../../../src/store/unavailable.ts"
import { StallMeter } from "../../../support/stall-meter.ts"
import { freshDatabase, needsPostgres, rowsOf, WAITING_FOR_LOCK } from "../../../support/postgres.ts"
import { until } from "../../../support/until.ts"
import { account, active, id, NOW } from "../../samples.ts"

/**
 * A statement waits half a second for a lock. Several statements in a row would wait for seconds. This limit lies
 * between the two.
 */
const BRIEF_MS = 1500

const CHANGES = "LOCK TABLE credential IN EXCLUSIVE MODE"
const READS = "LOCK TABLE credential IN ACCESS EXCLUSIVE MODE"
const tokenId = id<TokenId>("t")

type World = { readonly store: Store; readonly lock: Connection; readonly watch: Connection }

/** Runs `held` in a transaction that stays open until `lock` ends it. */
async function holding(t: TestContext, held: string): Promise<World> {
  const { url, drop } = await freshDatabase({ migrated: true })
  const store = await openPostgres(url)
  const [lock, watch] = [await openConnection(url), await openConnection(url)]
  t.after(async () => {
    await Promise.all([lock.end(), watch.end()])
    await store.close()
    await drop()
  })
  await store.change({}, () =>
    decided(
      null,
      { change: "accountAdded", account: account() },
      { change: "credentialAdded", credential: active() },
      { change: "credentialAdded", credential: active(1) },
    ),
  )
  await lock.script(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; ${held}`)
  return { store, lock, watch }
}

/** Makes a change that runs in a batch. Returns how often this was done before. */
function refresh(store: Store, number = 0): Promise<number> {
  return store.change({ credential: id<TokenId>("t", number) }, ({ credential }) => {
    if (credential?.life.state !== "active") throw new Error("there is no such credential")
    const { life } = credential
    const family = { ...life.family, generation: life.family.generation + 1 }
    const next = { ...credential, life: { ...life, family } }
    return decided(life.family.generation, { change: "credentialChanged", credential: next })
  })
}

/** Makes a change that runs in its own transaction. */
function add(store: Store, number: number): Promise<number> {
  return store.change({}, () => decided(number, { change: "credentialAdded", credential: active(number) }))
}

async function allLocked(changes: readonly Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(changes))
    assert.ok(one.status === "rejected" && one.reason instanceof StoreLocked, JSON.stringify(one))
}

const everyChange = (store: Store) =>
  Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? refresh(store) : add(store, 100 + n)))

const untilFree = (store: Store) =>
  until(async () => !(await store.isLocked()), "the table is found to be free")

/** Returns when the transactions that wait for a lock began. */
async function begunWaiting(watch: Connection): Promise<readonly number[]> {
  return (await watch.query<{ begun: number }>(WAITING_FOR_LOCK, [])).rows.map(({ begun }) => begun)
}

describe("LOAD-5: another session holds a table", needsPostgres, () => {
  it("changes are refused within a second, then at once; what only reads is answered", async (t) => {
    const elapsed = new StallMeter(t).stopwatch()
    const { store } = await holding(t, CHANGES)
    const begun = elapsed()
    await allLocked(everyChange(store))
    const first = elapsed()
    assert.ok(first - begun < BRIEF_MS, `${first - begun} ms`)
    for (let n = 0; n < 20; n++) await allLocked(everyChange(store))
    const then = elapsed()
    assert.ok(then - first < BRIEF_MS, `${then - first} ms`)
    const { credential } = await store.read({ credential: tokenId })
    assert.deepEqual(credential, active())
    assert.equal((await store.accounts({ limit: 9 })).length, 1)
  })

  it("isLocked says so before a write was tried, and until the lock goes", async (t) => {
    const { store, lock } = await holding(t, CHANGES)
    assert.equal(await store.isLocked(), true)
    await lock.script("COMMIT")
    await untilFree(store)
    assert.equal(await refresh(store), 1)
  })

  it("that cannot even be read: reads are refused too, more of them than there are connections", async (t) => {
    const elapsed = new StallMeter(t).stopwatch()
    const { store, lock } = await holding(t, READS)
    const reads = () => [
      ...Array.from({ length: 60 }, () => store.read({ credential: tokenId })),
      ...Array.from({ length: 30 }, () => store.credentials({ userId: account().userId }, { limit: 9 })),
      ...everyChange(store),
    ]
    const begun = elapsed()
    await allLocked(reads())
    await allLocked(reads())
    assert.equal(await store.isLocked(), true)
    assert.ok(elapsed() - begun < BRIEF_MS, `${elapsed() - begun} ms`)
    await lock.script("COMMIT")
    await untilFree(store)
    assert.notEqual((await store.read({ credential: tokenId })).credential, null)
  })

  it("what was refused is never done, and what comes later is done once", async (t) => {
    const { store, lock } = await holding(t, READS)
    await allLocked(everyChange(store))
    await lock.script("COMMIT")
    await untilFree(store)
    const before = await refresh(store)
    assert.equal(await refresh(store), before + 1)
    assert.deepEqual((await store.read({ credential: id<TokenId>("t", 101) })).credential, null)
    assert.equal(await add(store, 101), 101)
  })

  it("and gives it back in time: who waited is answered", async (t) => {
    const { store, lock, watch } = await holding(t, CHANGES)
    const changing = Promise.all([refresh(store), add(store, 5)])
    await until(async () => (await begunWaiting(watch)).length > 0, "a session waits")
    await lock.script("COMMIT")
    assert.equal((await changing)[1], 5)
    assert.equal(await store.isLocked(), false)
  })

  it("a sweep removes nothing, and is not a failure", async (t) => {
    const { store } = await holding(t, READS)
    assert.equal(await store.sweep(NOW, 10), 0)
    assert.equal(await store.sweepUnusedApps(NOW, 0, 10), 0)
  })

  it("of what nodes count together: a request that has to be counted is refused within a second", async (t) => {
    const elapsed = new StallMeter(t).stopwatch()
    const { store } = await holding(t, "LOCK TABLE spent IN EXCLUSIVE MODE")
    const { budget, guesses } = store.share() ?? assert.fail("nothing is shared")
    const limit = { requests: 9, seconds: 60 }
    const begun = elapsed()
    await allLocked([
      ...Array.from({ length: 60 }, async () => budget.spend("a", limit)),
      ...Array.from({ length: 60 }, async () => guesses.spendAll([{ key: "b", limit }])),
    ])
    assert.ok(elapsed() - begun < BRIEF_MS, `${elapsed() - begun} ms`)
    assert.equal(await store.isLocked(), true)
  })

  it("every table that requests need is asked about", async (t) => {
    const { url, drop } = await freshDatabase({ migrated: true })
    t.after(drop)
    const rows = await rowsOf(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    const others = ["rotation_key", "setup_link", "tally"]
    assert.deepEqual(
      rows.map(({ tablename }) => tablename).toSorted(),
      [...neededTables, ...others].toSorted(),
    )
  })
})

describe("another session holds a row", needsPostgres, () => {
  it("the request that needs it goes on waiting, is answered in the end, and others do not notice", async (t) => {
    const { store, lock, watch } = await holding(
      t,
      `UPDATE credential SET version = version + 1 WHERE token_id = '${tokenId}'`,
    )
    const changing = refresh(store)
    const waiting = async () => (await begunWaiting(watch))[0]
    await until(async () => (await waiting()) !== undefined, "it waits")
    const first = await waiting()
    // The first attempt ran out of time, and the change waits again.
    await until(async () => ((await waiting()) ?? first) !== first, "it waits once more")
    await refresh(store, 1)
    assert.equal(await store.isLocked(), false)
    await lock.script("COMMIT")
    await changing
    assert.equal(await store.isLocked(), false)
  })
})
