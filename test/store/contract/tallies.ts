/** Counts on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { TALLIES_KEPT_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY, HOUR, MINUTE } from "../../../src/kernel/time.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { bucketAt, type Tally } from "../../../src/model/tally.rules.ts"
import type { Store } from "../../../src/store/store.ts"
import { id, NOW } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function tallyContract(name: string, open: Open): void {
  describe(`counts on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db

    describe("counts", () => {
      const tally = (
        grain: Tally["grain"],
        at: number,
        tallied: string,
        count: number,
        app: number | null = null,
      ): Tally => ({
        grain,
        at: bucketAt(grain, at),
        name: tallied,
        clientId: app === null ? null : id("c", app),
        count,
      })
      const add = (from: Store, ...tallies: Tally[]) =>
        from.change({}, () => decided(null, { change: "tallied", tallies }))
      const inOrder = (tallies: readonly Tally[]) =>
        tallies
          .map((one) => `${one.at - bucketAt("day", NOW)} ${one.name} ${one.clientId ?? "-"} ${one.count}`)
          .sort()
      const day = bucketAt("day", NOW)

      it("add up, from two stores at once", async () => {
        const second = await db.opened.another()
        const rounds = Array.from({ length: 40 }, (_, i) =>
          add(i % 2 === 0 ? db.store : second, tally("minute", NOW, "a", 2), tally("hour", NOW, "a", 2)),
        )
        await Promise.all(rounds)
        for (const grain of ["minute", "hour"] as const) {
          const found = await db.store.tallies({ grain, since: 0, until: NOW + HOUR })
          assert.deepEqual(found, [tally(grain, NOW, "a", 80)])
        }
        await second.close()
      })

      it("are read by grain, by time, and of one app, of every one or of the service", async () => {
        await add(
          db.store,
          tally("minute", day, "a", 1),
          tally("minute", day + MINUTE, "a", 2),
          tally("minute", day + MINUTE, "b", 3),
          tally("minute", day + 2 * MINUTE, "a", 4),
          tally("day", day, "a", 5, 0),
          tally("day", day + DAY, "a", 6, 0),
          tally("day", day, "a", 7, 1),
        )
        const minutes = { grain: "minute", since: day + MINUTE, until: day + 2 * MINUTE } as const
        assert.deepEqual(inOrder(await db.store.tallies(minutes)), ["60 a - 2", "60 b - 3"])
        const days = { grain: "day", since: day, until: day + DAY } as const
        assert.deepEqual(inOrder(await db.store.tallies(days)), [])
        assert.deepEqual(inOrder(await db.store.tallies({ ...days, clientId: id("c") })), [
          `0 a ${id("c")} 5`,
        ])
        const every = { ...days, until: day + 2 * DAY, clientId: "every" } as const
        assert.deepEqual(inOrder(await db.store.tallies(every)), [
          `0 a ${id("c")} 5`,
          `0 a ${id("c", 1)} 7`,
          `${DAY} a ${id("c")} 6`,
        ])
        const found = await db.store.tallies({ ...days, clientId: id("c") })
        assert.deepEqual(found, [tally("day", day, "a", 5, 0)])
      })

      it("go by themselves, the fine ones first", async () => {
        await add(
          db.store,
          tally("minute", day, "a", 1),
          tally("hour", day, "a", 1),
          tally("day", day, "a", 1, 0),
        )
        const kept = async (now: number) => {
          for (let rounds = 0; (await db.store.sweep(now, 2)) > 0; rounds++) assert.ok(rounds < 9)
          const found = await Promise.all(
            (["minute", "hour", "day"] as const).map((grain) =>
              db.store.tallies({
                grain,
                since: 0,
                until: day + 1,
                clientId: grain === "day" ? "every" : undefined,
              }),
            ),
          )
          return found.map((rows) => rows.length)
        }
        assert.deepEqual(await kept(day + TALLIES_KEPT_SECONDS.minute - 1), [1, 1, 1])
        assert.deepEqual(await kept(day + TALLIES_KEPT_SECONDS.minute), [0, 1, 1])
        assert.deepEqual(await kept(day + TALLIES_KEPT_SECONDS.hour), [0, 0, 1])
        assert.deepEqual(await kept(day + TALLIES_KEPT_SECONDS.day), [0, 0, 0])
      })
    })

    it("counts of apps are summed over days, those of the service left out", async () => {
      const today = bucketAt("day", NOW)
      const tally = (days: number, clientId: ClientId | null, counted: string, count: number) => ({
        grain: "day" as const,
        at: today - days * DAY,
        clientId,
        name: counted,
        count,
      })
      await write({
        change: "tallied",
        tallies: [
          ...Array.from({ length: 30 }, (_, days) => tally(days, id("c"), "a", 1)),
          tally(0, id("c"), "b", 5),
          tally(29, id("c", 1), "a", 7),
          tally(30, id("c", 1), "a", 1000),
          tally(0, null, "a", 1000),
          { ...tally(0, id("c"), "a", 1000), grain: "hour", at: bucketAt("hour", NOW) },
        ],
      })
      const sums = new Map<string, number>()
      for (const { clientId, name: counted, count, at } of await db.store.talliesOfApps(
        today - 29 * DAY,
        today + DAY,
      )) {
        assert.equal(at, today - 29 * DAY)
        const key = `${Number(clientId?.slice(-3))} ${counted}`
        sums.set(key, (sums.get(key) ?? 0) + count)
      }
      assert.deepEqual([...sums].toSorted(), [
        ["0 a", 30],
        ["0 b", 5],
        ["1 a", 7],
      ])
    })
  })
}
