/** Events on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { beforeEach, describe, it } from "node:test"
import type { ClientId, TokenId, UserId } from "../../../src/kernel/ids.ts"
import { DAY, HOUR } from "../../../src/kernel/time.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import { event, type EventKind } from "../../../src/model/event.rules.ts"
import type { Store } from "../../../src/store/store.ts"
import type { EventFilter, Page } from "../../../src/store/list-shapes.ts"
import { account, active, client, id, NOW } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function eventContract(name: string, open: Open): void {
  describe(`events on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db

    it("events, newest first, a page at a time and by kind", async () => {
      const recorded = Array.from({ length: 7 }, (_, i) =>
        event(i % 2 === 0 ? "signed-in" : "consented", NOW + i, {
          detail: String(i),
          address: "192.0.2.1",
        }),
      )
      await write(...recorded.map((one): Change => ({ change: "eventRecorded", event: one })))
      const page = await db.store.events({}, { limit: 3 })
      assert.deepEqual(
        page.map(({ id: _, ...one }) => one),
        [recorded[6], recorded[5], recorded[4]],
      )
      const next = await db.store.events({}, { limit: 9, after: String(page[2]?.id) })
      assert.deepEqual(
        next.map(({ detail }) => detail),
        ["3", "2", "1", "0"],
      )
      const ofKind = await db.store.events({ kinds: ["consented"] }, { limit: 2 })
      assert.deepEqual(
        ofKind.map(({ detail }) => detail),
        ["5", "3"],
      )
    })

    it("RATE-5 the event of a self-registration goes, unless something else happened with the app", async () => {
      const registered = (app: number, at: number, facts: Parameters<typeof event>[2] = {}): Change => ({
        change: "eventRecorded",
        event: event("app-registered", at, {
          clientId: id<ClientId>("c", app),
          address: "192.0.2.1",
          ...facts,
        }),
      })
      const userId = id<UserId>("a")
      await write(
        registered(0, NOW),
        registered(1, NOW + 1),
        registered(2, NOW + 2, { userId }),
        registered(3, NOW + 3, { actorId: userId }),
        registered(4, NOW + 4, { address: null }),
        registered(5, NOW + 5),
        registered(6, NOW + 6),
        {
          change: "eventRecorded",
          event: event("consented", NOW + 9, { userId, clientId: id<ClientId>("c", 1) }),
        },
      )
      const sweepUpTo = async (upTo: number) => {
        let after = 0
        for (;;) {
          const last = await db.store.sweepRegistrations(upTo, after, 2)
          if (last === 0) return
          after = last
        }
      }
      const left = async () => (await db.store.events({}, { limit: 99 })).map(({ at }) => at - NOW)
      await sweepUpTo(NOW - 1)
      assert.deepEqual(await left(), [9, 6, 5, 4, 3, 2, 1, 0])
      await sweepUpTo(NOW + 5)
      assert.deepEqual(await left(), [9, 6, 4, 3, 2, 1])
      await sweepUpTo(NOW + 9)
      assert.deepEqual(await left(), [9, 4, 3, 2, 1])
    })

    describe("events", () => {
      const of = (kind: EventKind, at: number, facts: Parameters<typeof event>[2] = {}): Change => ({
        change: "eventRecorded",
        event: event(kind, at, facts),
      })
      const [userId, clientId, tokenId] = [id<UserId>("a"), id<ClientId>("c"), id<TokenId>("t")]
      const list = async (filter: EventFilter, page: Page = { limit: 99 }) =>
        (await db.store.events(filter, page)).map(({ at }) => at - NOW)
      beforeEach(() =>
        write(
          of("signed-in", NOW, { userId }),
          of("consented", NOW + 1, { userId, clientId, tokenId }),
          of("code-exchanged", NOW + 2, { userId, clientId, tokenId }),
          of("signed-in", NOW + 3, { userId: id("a", 1) }),
          of("consented", NOW + 4, { userId: id("a", 1), clientId, tokenId: id("t", 1) }),
          of("setting-changed", NOW + 5),
        ),
      )

      it("come newest first, filtered by kind, account, app, credential and time", async () => {
        assert.deepEqual(await list({}), [5, 4, 3, 2, 1, 0])
        assert.deepEqual(await list({ kinds: ["consented"] }), [4, 1])
        assert.deepEqual(await list({ kinds: ["signed-in", "consented"] }), [4, 3, 1, 0])
        assert.deepEqual(await list({ kinds: [] }), [])
        assert.deepEqual(await list({ userId }), [2, 1, 0])
        assert.deepEqual(await list({ userId, clientId }), [2, 1])
        assert.deepEqual(await list({ clientId, kinds: ["consented"] }), [4, 1])
        assert.deepEqual(await list({ tokenId }), [2, 1])
        assert.deepEqual(await list({ since: NOW + 2 }), [5, 4, 3, 2])
        assert.deepEqual(await list({ since: NOW + 2, until: NOW + 4 }), [3, 2])
        assert.deepEqual(await list({ until: NOW }), [])
        assert.deepEqual(await list({ since: NOW + 6 }), [])
        assert.deepEqual(await list({ userId, since: NOW + 1, until: NOW + 2 }), [1])
      })

      it("a page goes on where the one before ended, with several kinds as well", async () => {
        const filter = { kinds: ["signed-in", "consented"] } as const
        const [first, second] = await db.store.events(filter, { limit: 2 })
        assert.deepEqual(
          [first, second].map((one) => (one?.at ?? 0) - NOW),
          [4, 3],
        )
        assert.deepEqual(await list(filter, { limit: 2, after: String(second?.id) }), [1, 0])
        assert.deepEqual(await list({ userId }, { limit: 1 }), [2])
      })

      it("FACTOR-11 a series is one event, whose detail alone changes, under the same id", async () => {
        const refused = (at: number, detail: string, who = userId) =>
          ({
            ...event("factor-refused", at, { address: `192.0.2.${at - NOW}`, detail }),
            userId: who,
          }) as const
        const count = (series: string, one: ReturnType<typeof refused>) =>
          write({ change: "eventCounted", event: one, series })
        const series = [
          refused(NOW + 10, "code: 9 in a row"),
          refused(NOW + 11, "code: 1 in a row"),
          refused(NOW + 12, "code from a known browser: 1 in a row"),
          refused(NOW + 13, "passkey"),
          refused(NOW + 14, "code: 1 in a row", id("a", 1)),
          { ...refused(NOW + 15, "code: of another kind"), kind: "elevation-refused" } as const,
        ]
        await write(...series.map((one): Change => ({ change: "eventRecorded", event: one })))
        const before = await db.store.events({}, { limit: 99 })
        await count("code: ", refused(NOW + 20, "code: 2 in a row"))
        await count("code from a known browser: ", refused(NOW + 21, "code from a known browser: 2 in a row"))
        await count("code: ", refused(NOW + 22, "code: 3 in a row"))
        const details = new Map([
          [NOW + 11, "code: 3 in a row"],
          [NOW + 12, "code from a known browser: 2 in a row"],
        ])
        const after = before.map((one) => ({ ...one, detail: details.get(one.at) ?? one.detail }))
        assert.deepEqual(await db.store.events({}, { limit: 99 }), after)
        const found = await db.store.events(
          { userId, kinds: ["factor-refused"] },
          { limit: 1, after: String(after[2]?.id) },
        )
        assert.deepEqual(found, [after[3]])
        assert.deepEqual(await db.store.verify(), [])
      })

      it("FACTOR-11 a series without an event, as after retention, gets one", async () => {
        const counted = { ...event("factor-refused", NOW + 20, { detail: "code: 8 in a row" }), userId }
        await write({ change: "eventCounted", event: counted, series: "code: " })
        const [newest] = await db.store.events({}, { limit: 1 })
        assert.deepEqual(newest, { id: newest?.id, ...counted })
        assert.equal((await list({})).length, 7)
      })

      it("FACTOR-11 tries at the same moment are one event with the exact count", async () => {
        await write({ change: "accountAdded", account: account() })
        const stores = [db.store, await db.opened.another()]
        const fail = (one: Store) =>
          one.change({ codeTries: userId }, ({ codeTries }) => {
            const unknownFailures = (codeTries?.unknownFailures ?? 0) + 1
            const refused = {
              ...event("factor-refused", NOW, { detail: `code: ${unknownFailures}` }),
              userId,
            }
            return decided(
              null,
              { change: "codeTriesSet", userId, tries: { userId, unknownFailures, knownFailures: 0 } },
              { change: "eventCounted", event: refused, series: "code: " },
            )
          })
        await Promise.all(stores.flatMap((one) => Array.from({ length: 15 }, () => fail(one))))
        const found = await db.store.events({ kinds: ["factor-refused"] }, { limit: 9 })
        assert.deepEqual(
          found.map(({ detail }) => detail),
          ["code: 30"],
        )
      })

      it("nothing that happens later changes or removes one", async () => {
        const before = await db.store.events({}, { limit: 99 })
        await write(
          { change: "accountAdded", account: account() },
          { change: "clientAdded", client: client() },
          { change: "credentialAdded", credential: active() },
        )
        await write(
          { change: "credentialsRevoked", of: { userId }, at: NOW, because: "account-removed" },
          { change: "clientRemoved", clientId },
          { change: "accountRemoved", userId },
        )
        await db.store.sweep(NOW + 99 * DAY, 99)
        assert.deepEqual(await db.store.events({}, { limit: 99 }), before)
      })

      it("the instants decide, though the clock was set back", async () => {
        await write(of("signed-out", NOW + 2), of("signed-out", NOW + 9))
        assert.deepEqual(await list({ since: NOW + 4 }), [9, 5, 4])
        assert.deepEqual(await list({ until: NOW + 3 }), [2, 2, 1, 0])
      })
    })

    it("events of a time are found although the clock was set back by hours in between", async () => {
      const at = (instant: number): Change => ({
        change: "eventRecorded",
        event: event("signed-in", instant),
      })
      const instants = [NOW - 3 * DAY, NOW, NOW + 6 * HOUR, NOW - 6 * HOUR, NOW + 1, NOW + 3 * DAY]
      await write(...instants.map(at))
      const found = async (since?: number, until?: number) =>
        (await db.store.events({ since, until }, { limit: 9 })).map((one) => (one.at - NOW) / HOUR)
      assert.deepEqual(await found(NOW, NOW + DAY), [1 / HOUR, 6, 0])
      assert.deepEqual(await found(NOW - DAY, NOW), [-6])
      assert.deepEqual(await found(NOW + HOUR), [72, 6])
      assert.deepEqual(await found(undefined, NOW - DAY), [-72])
      assert.deepEqual(await found(NOW + 9 * DAY), [])
      assert.deepEqual(await found(undefined, NOW - 9 * DAY), [])
    })
  })
}
