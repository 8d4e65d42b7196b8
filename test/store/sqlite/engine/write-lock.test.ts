/** Another process has the write lock of the embedded database. */
import { describe, test, type TestContext } from "node:test"
import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { decided } from "../../../../src/model/change.rules.ts"
import { findSession, newSession } from "../../../../src/accounts/sessions/session.ts"
import { openSqlite } from "../../../../src/store/sqlite/sqlite-store.ts"
import { LOCK_WAIT_MS } from "../../../../src/store/sqlite/engine/write-lock.ts"
import type { Store } from "../../../../src/store/store.ts"
import { StoreUnavailable } from "../../../../src/store/unavailable.ts"
import { testClock } from "../../../support/clock.ts"
import { until } from "../../../support/until.ts"
import { account } from "../../samples.ts"
import { scratchDirectory } from "../../scratch.ts"

/** The limit is far below the five seconds of a waiting connection, and far above the delays of a busy machine. */
const BRIEF_MS = 1000

type World = { readonly store: Store; readonly lock: DatabaseSync; readonly file: string }

async function locked(t: TestContext, how = "BEGIN EXCLUSIVE"): Promise<World> {
  const file = join(scratchDirectory(t), "latchkey.db")
  const store = openSqlite(file, { lockWaitMs: LOCK_WAIT_MS })
  await add(store, 0)
  const lock = new DatabaseSync(file)
  lock.exec(how)
  t.after(async () => {
    if (lock.isOpen) lock.close()
    await store.close()
  })
  return { store, lock, file }
}

function add(store: Store, number: number): Promise<number> {
  return store.change({}, () => decided(number, { change: "accountAdded", account: account(number) }))
}

async function names(store: Store): Promise<readonly string[]> {
  return (await store.accounts({ limit: 1000 })).map(({ username }) => username)
}

/** Returns the result of `body`, how long it took, and the longest time for which the event loop was blocked. */
async function timed<T>(body: () => Promise<T>): Promise<{ value: T; took: number; blocked: number }> {
  const begun = performance.now()
  let [last, blocked] = [begun, 0]
  const timer = setInterval(() => {
    const now = performance.now()
    blocked = Math.max(blocked, now - last)
    last = now
  }, 1)
  try {
    const value = await body()
    const ended = performance.now()
    return { value, took: ended - begun, blocked: Math.max(blocked, ended - last) }
  } finally {
    clearInterval(timer)
  }
}

describe("LOAD-5: another process holds the write lock", () => {
  for (const how of ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE"]) {
    test(`${how}: changes are refused soon, and the event loop is never held`, async (t) => {
      const { store } = await locked(t, how)
      const { value, took, blocked } = await timed(() =>
        Promise.allSettled(Array.from({ length: 300 }, (_, number) => add(store, number + 1))),
      )
      for (const one of value) assert.ok(one.status === "rejected" && one.reason instanceof StoreUnavailable)
      assert.ok(took < BRIEF_MS, `${took} ms`)
      assert.ok(blocked < BRIEF_MS / 2, `the event loop was held for ${blocked} ms`)
      const again = await timed(() => Promise.allSettled([add(store, 301)]))
      assert.deepEqual(
        again.value.map(({ status }) => status),
        ["rejected"],
      )
      assert.ok(again.took < LOCK_WAIT_MS, `refused only after ${again.took} ms`)
    })
  }

  test("what only reads is answered, and isLocked says so", async (t) => {
    const { store, lock } = await locked(t)
    const { value, took } = await timed(() => names(store))
    assert.deepEqual([value, store.isLocked()], [[account(0).username], true])
    assert.ok(took < BRIEF_MS)
    lock.exec("ROLLBACK")
    await until(() => !store.isLocked(), "the lock is found to be free")
  })

  test("a signed-in browser is recognized, though its visit cannot be noted", async (t) => {
    const { store, lock } = await locked(t)
    lock.exec("ROLLBACK")
    const clock = testClock()
    const start = { now: clock.now(), address: "192.0.2.1", userAgent: "x", by: "password" } as const
    const { secret, session } = newSession(account(0), start)
    await store.change({}, () => decided(null, { change: "sessionAdded", session }))
    clock.advance(3600)
    lock.exec("BEGIN EXCLUSIVE")
    const services = { store, clock, providers: new Map() }
    const found = await findSession(services, secret)
    assert.deepEqual(found.signedIn?.session, session)
    lock.exec("ROLLBACK")
    await until(() => !store.isLocked(), "the lock is found to be free")
    await findSession(services, secret)
    const { session: seen } = await store.read({ session: session.sessionHash })
    assert.equal(seen?.seenAt, clock.now())
  })

  test("LOAD-5 a sweep deletes nothing, and is not a failure", async (t) => {
    const { store, lock } = await locked(t)
    assert.equal(await store.sweep(0, 10), 0)
    assert.equal(await store.sweepUnusedApps(0, 0, 10), 0)
    lock.exec("ROLLBACK")
  })

  test("a change that was refused is never made, and the next one is", async (t) => {
    const { store, lock } = await locked(t)
    const settled = await Promise.allSettled([add(store, 1), add(store, 2)])
    assert.ok(settled.every(({ status }) => status === "rejected"))
    lock.exec("COMMIT")
    await until(() => !store.isLocked(), "the lock is found to be free")
    assert.equal(await add(store, 3), 3)
    assert.deepEqual(await names(store), [account(0).username, account(3).username])
  })

  test("a change that waits while the lock is given back is made, once, in the order in which it came", async (t) => {
    const { store, lock } = await locked(t)
    const order: number[] = []
    const waiting = Array.from({ length: 600 }, (_, number) =>
      add(store, number + 1).then((added) => order.push(added)),
    )
    // The first attempt finds the lock before the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(store.isLocked(), true)
    lock.exec("ROLLBACK")
    await Promise.all(waiting)
    assert.deepEqual(
      order,
      Array.from({ length: 600 }, (_, number) => number + 1),
    )
    assert.equal((await names(store)).length, 601)
    assert.equal(store.isLocked(), false)
  })

  test("a store that is closed meanwhile refuses what waits and ends", async (t) => {
    const { store } = await locked(t)
    const waiting = Promise.allSettled([add(store, 1)])
    const { took } = await timed(() => store.close())
    assert.equal((await waiting)[0].status, "rejected")
    assert.ok(took < BRIEF_MS, `${took} ms`)
  })

  test("a command waits for the lock by itself", async (t) => {
    const { file, lock } = await locked(t)
    const command = openSqlite(file, { busyMilliseconds: 50 })
    assert.equal(command.isLocked(), false)
    await assert.rejects(add(command, 1), StoreUnavailable)
    lock.exec("ROLLBACK")
    assert.equal(await add(command, 1), 1)
    await command.close()
  })
})
