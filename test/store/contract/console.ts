/** Tests what only the console needs from every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { afterEach, beforeEach, describe, it } from "node:test"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import type { Credential } from "../../../src/model/credential.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import { CODE_SECONDS, IDLE_SECONDS } from "../../../src/kernel/limits.ts"
import { bucketAt } from "../../../src/model/tally.rules.ts"
import { DAY, HOUR } from "../../../src/kernel/time.ts"
import type { Store } from "../../../src/store/store.ts"
import type { OpenedStore } from "./contract.ts"
import { account, active, client, family, id, issued, NOW } from "../samples.ts"

export function consoleContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`what the console asks of ${name}`, () => {
    let opened: OpenedStore
    let store: Store
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.destroy())

    const write = (...changes: Change[]) => store.change({}, () => decided(null, ...changes))
    const added = (credential: Credential): Change => ({ change: "credentialAdded", credential })
    const numbers = async (
      filter: Parameters<Store["credentials"]>[0],
      page: Parameters<Store["credentials"]>[1] = { limit: 99, newestFirst: true },
    ) =>
      (await store.credentials(filter, page)).map(({ credential }) =>
        Number(credential.consent.tokenId.slice(-3)),
      )

    describe("credentials that are over", () => {
      const revoked = (number: number, revokedAt: number): Credential => ({
        ...active(number),
        life: { state: "revoked", family: family(), revokedAt, because: "app" },
      })
      beforeEach(() =>
        write(
          { change: "accountAdded", account: account() },
          { change: "clientAdded", client: client() },
          { change: "clientAdded", client: client(1) },
          added(active(0)),
          added(issued(1)),
          added(issued(2, { consentedAt: NOW - CODE_SECONDS - 1 })),
          added(active(3, { endsAt: NOW - 1 })),
          added(active(4, { consentedAt: NOW - IDLE_SECONDS - 1, clientId: id("c", 1) })),
          added(revoked(5, NOW - 2 * DAY)),
          added(revoked(6, NOW)),
          added(active(7, { endsAt: NOW })),
        ),
      )

      it("CRED-4 are the revoked, and those that have expired, whether that was answered or not", async () => {
        assert.deepEqual((await numbers({ over: NOW })).toSorted(), [2, 3, 4, 5, 6])
        assert.deepEqual((await numbers({ over: NOW + 1 })).toSorted(), [2, 3, 4, 5, 6, 7])
        assert.deepEqual(await numbers({ over: NOW, clientId: id("c", 1) }), [4])
        assert.deepEqual(await numbers({ over: NOW, clientId: id("c") }), [6, 5, 3, 2])
        assert.deepEqual(await numbers({ over: NOW, userId: id("a") }), [6, 5, 4, 3, 2])
        assert.deepEqual(await numbers({ over: NOW, userId: id("a"), clientId: id("c", 1) }), [4])
      })

      it("of all accounts come in the order of their end, a page at a time, each once", async () => {
        const seen: number[] = []
        let after: string | undefined
        for (let pages = 0; pages < 9; pages++) {
          const [one] = await store.credentials({ over: NOW }, { limit: 1, after, newestFirst: true })
          if (one === undefined) break
          after = one.credential.consent.tokenId
          seen.push(Number(after.slice(-3)))
        }
        assert.deepEqual(seen, await numbers({ over: NOW }))
        assert.equal(seen.at(-1), 5, "what was over first comes last")
        assert.equal(seen.length, 5)
      })
    })

    it("who uses an app is counted, as far as it is asked to", async () => {
      await write(
        { change: "clientAdded", client: client() },
        { change: "clientAdded", client: client(1) },
        ...[0, 1, 2].map((number) => added(active(number, { userId: id("a", number % 2) }))),
        added(active(3, { clientId: id("c", 1) })),
        added(issued(4)),
        added(active(5, { endsAt: NOW - 1 })),
      )
      const users = (clientId: ClientId, now: number, most: number) => store.usersOf(clientId, now, most)
      assert.deepEqual(await users(id("c"), NOW, 9), { installations: 3, accounts: 2, isWhole: true })
      assert.deepEqual(await users(id("c"), NOW, 3), { installations: 3, accounts: 2, isWhole: true })
      assert.deepEqual(await users(id("c"), NOW, 2), { installations: 2, accounts: 2, isWhole: false })
      assert.deepEqual(await users(id("c", 2), NOW, 2), { installations: 0, accounts: 0, isWhole: true })
    })

    it("apps are listed by what the service says of them", async () => {
      await write(
        { change: "clientAdded", client: client(0, { verified: true }) },
        { change: "clientAdded", client: client(1, { enabled: false }) },
        { change: "clientAdded", client: client(2, { verified: true, enabled: false }) },
      )
      const list = async (filter: Parameters<Store["clients"]>[1]) =>
        (await store.clients({ limit: 9 }, filter)).map(({ clientId }) => Number(clientId.slice(-3)))
      assert.deepEqual(await list({ verified: true }), [0, 2])
      assert.deepEqual(await list({ verified: false }), [1])
      assert.deepEqual(await list({ enabled: false }), [1, 2])
      assert.deepEqual(await list({ enabled: true, verified: true }), [0])
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
      for (const { clientId, name: counted, count, at } of await store.talliesOfApps(
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

    it("events of a time are found although the clock was set back by hours in between", async () => {
      const at = (instant: number): Change => ({
        change: "eventRecorded",
        event: event("signed-in", instant),
      })
      const instants = [NOW - 3 * DAY, NOW, NOW + 6 * HOUR, NOW - 6 * HOUR, NOW + 1, NOW + 3 * DAY]
      await write(...instants.map(at))
      const found = async (since?: number, until?: number) =>
        (await store.events({ since, until }, { limit: 9 })).map((one) => (one.at - NOW) / HOUR)
      assert.deepEqual(await found(NOW, NOW + DAY), [1 / HOUR, 6, 0])
      assert.deepEqual(await found(NOW - DAY, NOW), [-6])
      assert.deepEqual(await found(NOW + HOUR), [72, 6])
      assert.deepEqual(await found(undefined, NOW - DAY), [-72])
      assert.deepEqual(await found(NOW + 9 * DAY), [])
      assert.deepEqual(await found(undefined, NOW - 9 * DAY), [])
    })
  })
}
