import assert from "node:assert/strict"
import { join } from "node:path"
import { describe, it, type TestContext } from "node:test"
import type { ClientId, TokenId, UserId } from "../../../../src/kernel/ids.ts"
import { type Change, decided } from "../../../../src/model/change.rules.ts"
import { type Event, event, type EventKind } from "../../../../src/model/event.rules.ts"
import { EVENTS_KEPT_DAYS } from "../../../../src/kernel/limits.ts"
import { DAY } from "../../../../src/kernel/time.ts"
import { connect, connectToRead } from "../../../../src/store/sqlite/engine/connection.ts"
import { openSqlite } from "../../../../src/store/sqlite/sqlite-store.ts"
import type { EventFilter } from "../../../../src/store/list-shapes.ts"
import type { Store } from "../../../../src/store/store.ts"
import { account, active, id, NOW } from "../../samples.ts"
import { scratchDirectory, startChild } from "../../scratch.ts"

const fileOf = (t: TestContext) => join(scratchDirectory(t), "latchkey.db")
const recorded = (one: Event): Change => ({ change: "eventRecorded", event: one })
const write = (store: Store, ...changes: readonly Change[]) =>
  store.change({}, () => decided(null, ...changes))
const idsOf = async (store: Store, filter: EventFilter = {}) =>
  (await store.events(filter, { limit: 1_000_000 })).map((one) => one.id)

/** Returns how many events are in each of the two tables. */
function countsOf(file: string): { indexed: number; fresh: number } {
  const connection = connectToRead(file)
  const sql = "SELECT (SELECT count(*) FROM event_row) AS indexed, (SELECT count(*) FROM event_new) AS fresh"
  const counts = connection.one<{ indexed: number; fresh: number }>(sql)
  connection.close()
  return counts ?? { indexed: 0, fresh: 0 }
}

const KINDS = ["signed-in", "consented", "code-exchanged", "password-changed"] as const

/**
 * Returns the n-th event. There are few accounts and apps, and some of them are rare. The clock is sometimes set back.
 */
function nth(n: number): Event {
  const kind: EventKind = n % 4999 === 7 ? "password-changed" : (KINDS[n % 3] ?? "signed-in")
  return event(kind, NOW + n * 40 - (n % 1000 === 13 ? 3600 : 0), {
    ...(n % 5 !== 0 && { userId: id<UserId>("a", n % 6007 === 9 ? 99 : n % 7) }),
    ...(n % 3 !== 0 && { clientId: id<ClientId>("c", n % 4) }),
    ...(n % 3 === 2 && { tokenId: id<TokenId>("t", n % 911) }),
    detail: String(n),
  })
}

describe("events that are new, and those that are indexed", () => {
  it("are one list, whatever is asked for and wherever a page begins", async (t) => {
    const file = fileOf(t)
    const store = openSqlite(file)
    const all = Array.from({ length: 17_500 }, (_, n) => nth(n))
    for (let from = 0; from < all.length; from += 1000)
      await write(store, ...all.slice(from, from + 1000).map(recorded))
    assert.deepEqual(countsOf(file), { indexed: 17_408, fresh: 92 })
    const oneOf = <T>(...values: readonly T[]) => values
    let asked = 0
    for (const userId of oneOf(undefined, id<UserId>("a", 3), id<UserId>("a", 99)))
      for (const clientId of oneOf(undefined, id<ClientId>("c", 1)))
        for (const tokenId of oneOf(undefined, id<TokenId>("t", 5)))
          for (const kinds of oneOf(undefined, ["password-changed"] as const, KINDS.slice(1), []))
            for (const [since, until] of oneOf<readonly (number | undefined)[]>(
              [],
              [NOW + 300_000, NOW + 500_000],
              [undefined, NOW + 17_400 * 40],
              [NOW + 17_400 * 40],
            )) {
              const filter = { userId, clientId, tokenId, kinds, since, until }
              const expected = all
                .map((one, n) => ({ ...one, id: n + 1 }))
                .filter(
                  (one) =>
                    (userId === undefined || one.userId === userId) &&
                    (clientId === undefined || one.clientId === clientId) &&
                    (tokenId === undefined || one.tokenId === tokenId) &&
                    (kinds === undefined || (kinds as readonly EventKind[]).includes(one.kind)) &&
                    (since === undefined || one.at >= since) &&
                    (until === undefined || one.at < until),
                )
                .toReversed()
              const place = Math.floor(expected.length / 2)
              const after = expected[place]?.id
              assert.deepEqual(await store.events(filter, { limit: 150 }), expected.slice(0, 150))
              assert.deepEqual(
                await store.events(filter, { limit: 40, after: String(after ?? 1) }),
                expected.slice(place + 1, place + 41),
              )
              asked++
            }
    assert.equal(asked, 192)
    assert.deepEqual(await store.verify(), [])
    await store.close()
  })

  it("are found for an account over any number of pieces of its index, most of them without any of it", async (t) => {
    const file = fileOf(t)
    const store = openSqlite(file)
    const [often, seldom] = [id<UserId>("a", 1), id<UserId>("a", 2)]
    const connection = connect(file)
    const ids = Array.from({ length: 130 }, (_, n) => 5 + n * 3000)
    const isSeldom = (n: number) => n % 43 === 0
    for (const [n, one] of ids.entries())
      connection.run(
        "INSERT INTO event_row (id, at, kind, user_id) VALUES (?, ?, 'signed-in', ?)",
        one,
        NOW + n * DAY,
        isSeldom(n) ? seldom : often,
      )
    connection.close()
    const newest = (of: (n: number) => boolean) => ids.filter((_, n) => of(n)).toReversed()
    assert.deepEqual(await idsOf(store, { userId: seldom }), newest(isSeldom))
    assert.deepEqual(
      await idsOf(store, { userId: seldom, since: NOW + 2 * DAY, until: NOW + 87 * DAY }),
      [258_005, 129_005],
    )
    const all = newest((n) => !isSeldom(n))
    assert.deepEqual(await idsOf(store, { userId: often }), all)
    for (let place = 0; place < all.length; place += 25) {
      const page = { limit: 25, ...(place > 0 && { after: String(all[place - 1]) }) }
      const events = await store.events({ userId: often }, page)
      assert.deepEqual(
        events.map((one) => one.id),
        all.slice(place, place + 25),
      )
    }
    await store.close()
  })

  it("have numbers that are never given twice, though all that were new are gone", async (t) => {
    const file = fileOf(t)
    const add = async (count: number) => {
      const store = openSqlite(file)
      for (let n = 0; n < count; n++) await write(store, recorded(event("signed-in", NOW)))
      const ids = await idsOf(store)
      await store.close()
      return ids
    }
    const sweep = async () => {
      const store = openSqlite(file)
      assert.ok((await store.sweep(NOW + (EVENTS_KEPT_DAYS.usual + 1) * DAY, 9999)) > 0)
      assert.deepEqual(await idsOf(store), [])
      await store.close()
    }
    assert.deepEqual(await add(3), [3, 2, 1])
    await sweep()
    assert.deepEqual(countsOf(file), { indexed: 0, fresh: 0 })
    assert.deepEqual(await add(1), [4])
    assert.deepEqual(
      await add(1020),
      Array.from({ length: 1021 }, (_, n) => 1024 - n),
    )
    assert.deepEqual(countsOf(file), { indexed: 1021, fresh: 0 })
    assert.equal((await add(1))[0], 1025)
    await sweep()
    assert.deepEqual(await add(1), [1026])
  })

  it("FACTOR-11 a series is counted where its event is stored, new or indexed", async (t) => {
    const file = fileOf(t)
    const store = openSqlite(file)
    const userId = id<UserId>("a")
    const others = Array.from({ length: 1022 }, (_, n) =>
      recorded(event("signed-in", NOW, { userId: id("a", n % 3) })),
    )
    const count = (detail: string) =>
      write(store, {
        change: "eventCounted",
        event: { ...event("factor-refused", NOW, { detail }), userId },
        series: "code: ",
      })
    const found = async () => {
      const [one] = await store.events({ userId, kinds: ["factor-refused"] }, { limit: 9 })
      return [one?.id, one?.detail, countsOf(file)]
    }
    await count("code: 1 in a row")
    await write(store, ...others)
    await count("code: 2 in a row")
    assert.deepEqual(await found(), [1, "code: 2 in a row", { indexed: 0, fresh: 1023 }])
    await write(store, recorded(event("signed-in", NOW)))
    await count("code: 3 in a row")
    assert.deepEqual(await found(), [1, "code: 3 in a row", { indexed: 1024, fresh: 0 }])
    await write(store, recorded(event("signed-in", NOW)))
    assert.equal((await idsOf(store))[0], 1025)
    assert.deepEqual(await store.verify(), [])
    await store.close()
  })

  it("two processes that write give each its own number, and each sees all", async (t) => {
    const file = fileOf(t)
    const stores = [openSqlite(file), openSqlite(file)]
    for (let n = 0; n < 1100; n++) {
      const store = stores[n % 2]
      if (store !== undefined) await write(store, recorded(event("signed-in", NOW + n)))
    }
    const expected = Array.from({ length: 1100 }, (_, n) => 1100 - n)
    for (const store of stores) assert.deepEqual(await idsOf(store), expected)
    const reader = connectToRead(file)
    const rows = reader.all<{ id: number }>("SELECT id FROM event ORDER BY id DESC")
    reader.close()
    assert.deepEqual(
      rows.map((row) => row.id),
      expected,
    )
    for (const store of stores) await store.close()
  })

  it("a change that fails takes its events along, and those alone, where they come to be indexed", async (t) => {
    const file = fileOf(t)
    const store = openSqlite(file)
    const few = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => recorded(event("signed-in", NOW + from + n)))
    await write(store, ...few(0, 1000))
    const broken = [...few(5000, 40), { change: "credentialChanged", credential: active(9) } as const]
    const written = await Promise.allSettled([
      write(store, ...few(1000, 20)),
      write(store, ...broken),
      write(store, { change: "accountAdded", account: account() }, ...few(1020, 20)),
    ])
    assert.deepEqual(
      written.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    )
    assert.deepEqual(countsOf(file), { indexed: 1024, fresh: 16 })
    const events = await store.events({}, { limit: 9999 })
    assert.deepEqual(
      events.map((one) => one.at - NOW),
      Array.from({ length: 1040 }, (_, n) => 1039 - n),
    )
    assert.deepEqual(await store.verify(), [])
    await store.close()
  })

  it("killed at any moment, none that was answered is lost and none is there twice", async (t) => {
    const file = fileOf(t)
    const answered: string[] = []
    const heard = (line: string | null) => answered.push(...(line ?? "").split(" "))
    for (let round = 0; round < 4; round++) {
      const child = startChild("record", [file, String(round * 1_000_000)])
      for (let lines = 0; lines < 12 + 3 * round; lines++) heard(await child.line())
      for (const line of await child.kill()) heard(line)
    }
    const store = openSqlite(file)
    const events = await store.events({}, { limit: 1_000_000 })
    const there = events.map(({ detail }) => detail ?? "")
    assert.equal(new Set(there).size, there.length)
    assert.deepEqual(
      events.map((one) => one.id),
      events.map((_, n) => events.length - n),
    )
    const known = new Set(there)
    assert.deepEqual(
      answered.filter((number) => !known.has(number)),
      [],
    )
    assert.ok(countsOf(file).indexed >= 1024)
    assert.deepEqual(await store.verify(), [])
    await store.close()
  })
})
