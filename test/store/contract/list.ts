/** Tests lists, counts and statistics on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { afterEach, beforeEach, describe, it } from "node:test"
import type { ClientId, Permission, TokenId, UserId } from "../../../src/kernel/ids.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import { event, type EventKind } from "../../../src/model/event.rules.ts"
import { IDLE_SECONDS, TALLIES_KEPT_SECONDS } from "../../../src/kernel/limits.ts"
import { bucketAt, type Tally } from "../../../src/model/tally.rules.ts"
import { DAY, HOUR, MINUTE } from "../../../src/kernel/time.ts"
import type { EventFilter, Page, Store } from "../../../src/store/store.ts"
import type { OpenedStore } from "./contract.ts"
import { account, active, client, family, id, issued, NOW } from "../samples.ts"
import type { HeldConsent } from "../../../src/model/credential.rules.ts"

export function listContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`lists on ${name}`, () => {
    let opened: OpenedStore
    let store: Store
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.destroy())

    const write = (...changes: Change[]) => store.change({}, () => decided(null, ...changes))

    describe("accounts", () => {
      const named = (number: number, username: string, facts: Partial<ReturnType<typeof account>> = {}) =>
        account(number, { username, usernameKey: username.toLowerCase(), ...facts })
      const people = [
        named(0, "Zoe", { admin: true }),
        named(1, "Ada", { enabled: false }),
        named(2, "Adam", { admin: true }),
        named(3, "Ada_x"),
        named(4, "Öde"),
      ]
      const list = async (page: Page, filter?: Parameters<Store["accounts"]>[1]) =>
        (await store.accounts(page, filter)).map(({ username }) => username)
      beforeEach(() => write(...people.map((one): Change => ({ change: "accountAdded", account: one }))))

      it("are listed in the order of their ids, either way, a page at a time", async () => {
        assert.deepEqual(await list({ limit: 2 }), ["Zoe", "Ada"])
        assert.deepEqual(await list({ limit: 9, after: id("a", 1) }), ["Adam", "Ada_x", "Öde"])
        assert.deepEqual(await list({ limit: 2, newestFirst: true }), ["Öde", "Ada_x"])
        assert.deepEqual(await list({ limit: 9, after: id("a", 3), newestFirst: true }), [
          "Adam",
          "Ada",
          "Zoe",
        ])
      })

      it("by what their name begins with come in the order of names", async () => {
        assert.deepEqual(await list({ limit: 9 }, { nameBegins: "ada" }), ["Ada", "Ada_x", "Adam"])
        assert.deepEqual(await list({ limit: 9, after: id("a", 3) }, { nameBegins: "ada" }), ["Adam"])
        assert.deepEqual(await list({ limit: 9 }, { nameBegins: "ö" }), ["Öde"])
        assert.deepEqual(await list({ limit: 9 }, { nameBegins: "ada%" }), [])
        assert.deepEqual(await list({ limit: 9 }, { nameBegins: "" }), ["Ada", "Ada_x", "Adam", "Zoe", "Öde"])
      })

      it("by what they are", async () => {
        assert.deepEqual(await list({ limit: 9 }, { admin: true }), ["Zoe", "Adam"])
        assert.deepEqual(await list({ limit: 9 }, { enabled: false }), ["Ada"])
        assert.deepEqual(await list({ limit: 9 }, { enabled: true, nameBegins: "ada" }), ["Ada_x", "Adam"])
      })
    })

    describe("apps", () => {
      const owner = account().userId
      const apps = [
        client(0, { name: "Paper clip" }),
        client(1, { name: "CLIPboard", ownerId: owner, registeredBy: "user" }),
        client(2, { name: "100% clip_on", registeredBy: "itself", deleteAfter: NOW + DAY }),
        client(3, { name: "Häuser", ownerId: owner, registeredBy: "user" }),
      ]
      const list = async (page: Page, filter?: Parameters<Store["clients"]>[1]) =>
        (await store.clients(page, filter)).map(({ clientId }) => Number(clientId.slice(-2)))
      beforeEach(() =>
        write(
          { change: "accountAdded", account: account() },
          ...apps.map((one): Change => ({ change: "clientAdded", client: one })),
        ),
      )

      it("are listed by owner, by registrar and by name, a page at a time", async () => {
        assert.deepEqual(await list({ limit: 9 }, { ownerId: owner }), [1, 3])
        assert.deepEqual(await list({ limit: 9, newestFirst: true }, { ownerId: owner }), [3, 1])
        assert.deepEqual(await list({ limit: 9, after: id("c", 1) }, { ownerId: owner }), [3])
        assert.deepEqual(await list({ limit: 9 }, { registeredBy: "itself" }), [2])
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "clip" }), [0, 1, 2])
        assert.deepEqual(await list({ limit: 1, newestFirst: true }, { nameContains: "clip" }), [2])
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "clip", registeredBy: "user" }), [1])
      })

      it("no letter of a search is a pattern", async () => {
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "%" }), [2])
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "_" }), [2])
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "!" }), [])
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "äus" }), [3])
      })
    })

    describe("credentials", () => {
      const people = (): Change[] => [
        { change: "accountAdded", account: account() },
        { change: "accountAdded", account: account(1, { admin: true }) },
        { change: "clientAdded", client: client() },
        { change: "clientAdded", client: client(1) },
      ]
      const list = async (filter: Parameters<Store["credentials"]>[0], page: Page = { limit: 99 }) =>
        (await store.credentials(filter, page)).map(({ credential }) =>
          Number(credential.consent.tokenId.slice(-3)),
        )

      it("are listed by account, by app, by both, and newest first", async () => {
        const of = (number: number, userId: number, clientId: number): Change => ({
          change: "credentialAdded",
          credential: active(number, { userId: id("a", userId), clientId: id("c", clientId) }),
        })
        await write(...people(), of(0, 0, 0), of(1, 0, 1), of(2, 1, 0), of(3, 0, 0))
        assert.deepEqual(await list({}), [0, 1, 2, 3])
        assert.deepEqual(await list({ userId: id("a") }), [0, 1, 3])
        assert.deepEqual(await list({ clientId: id("c") }, { limit: 2, newestFirst: true }), [3, 2])
        const both = { userId: id<UserId>("a"), clientId: id<ClientId>("c") }
        assert.deepEqual(await list(both), [0, 3])
        assert.deepEqual(await list(both, { limit: 9, after: id("t", 3), newestFirst: true }), [0])
      })

      it("CRED-4 active are those that neither time nor a revocation has ended", async () => {
        const over = {
          ...active(4),
          life: { state: "revoked", family: family(), revokedAt: NOW, because: "app" },
        } as const
        await write(
          ...people(),
          { change: "credentialAdded", credential: issued(0) },
          { change: "credentialAdded", credential: active(1) },
          { change: "credentialAdded", credential: active(2, { endsAt: NOW + 4 }) },
          { change: "credentialAdded", credential: active(3, { consentedAt: NOW - IDLE_SECONDS - 1 }) },
          { change: "credentialAdded", credential: over },
        )
        assert.deepEqual(await list({ live: NOW - 1 }), [1, 2, 3])
        assert.deepEqual(await list({ live: NOW }), [1, 2])
        assert.deepEqual(await list({ live: NOW + 5 }), [1])
        assert.deepEqual(await list({ live: NOW + IDLE_SECONDS + 1 }), [])
      })

      it("consents are grouped, however many there are", async () => {
        const scopes = [["account:read"], ["account:read", "apps:read"]] as Permission[][]
        const together = 500
        await write(...people())
        for (let from = 0; from < 4500; from += together) {
          const changes = Array.from({ length: together }, (_, i): Change => {
            const number = from + i
            const consent = {
              userId: id<UserId>("a", number % 2),
              scope: scopes[number % 3 === 0 ? 1 : 0] ?? [],
            }
            const credential = active(number, consent)
            return { change: "credentialAdded", credential }
          })
          await write(...changes)
        }
        await write({ change: "credentialAdded", credential: issued(9000) })
        const held = await store.consentsOf({ clientId: id("c") }, NOW)
        const row = (userId: number, scope: number, credentials: number): HeldConsent => ({
          userId: id("a", userId),
          clientId: id("c"),
          admin: userId === 1,
          scope: scopes[scope] ?? [],
          credentials,
        })
        const inOrder = (rows: readonly HeldConsent[]) =>
          rows.map((one) => JSON.stringify(one, Object.keys(one).sort())).sort()
        assert.deepEqual(
          inOrder(held),
          inOrder([row(0, 1, 750), row(0, 0, 1500), row(1, 1, 750), row(1, 0, 1500)]),
        )
        assert.deepEqual(
          inOrder(await store.consentsOf({ userId: id("a", 1) }, NOW)),
          inOrder([row(1, 1, 750), row(1, 0, 1500)]),
        )
        assert.deepEqual(await store.consentsOf({ clientId: id("c", 1) }, NOW), [])
        assert.deepEqual(await store.consentsOf({ clientId: id("c") }, NOW + IDLE_SECONDS + 1), [])
      })

      it("figures count accounts, apps and what has not ended", async () => {
        const figures = async (now: number) => {
          const found = await store.gauges(now)
          assert.equal(await store.installations(now), found.installations)
          return found
        }
        assert.deepEqual(await figures(NOW), { accounts: 0, apps: 0, installations: 0 })
        const over = {
          ...active(3),
          life: { state: "ended", family: null, endedAt: NOW, because: "idle" },
        } as const
        await write(
          ...people(),
          { change: "credentialAdded", credential: active(1) },
          { change: "credentialAdded", credential: active(2, { endsAt: NOW + 9 * DAY }) },
          { change: "credentialAdded", credential: over },
        )
        assert.deepEqual(await figures(NOW), { accounts: 2, apps: 2, installations: 2 })
        assert.equal((await figures(NOW + 11 * DAY)).installations, 1)
        assert.equal((await figures(NOW + IDLE_SECONDS + DAY)).installations, 0)
      })
    })

    describe("events", () => {
      const of = (kind: EventKind, at: number, facts: Parameters<typeof event>[2] = {}): Change => ({
        change: "eventRecorded",
        event: event(kind, at, facts),
      })
      const [userId, clientId, tokenId] = [id<UserId>("a"), id<ClientId>("c"), id<TokenId>("t")]
      const list = async (filter: EventFilter, page: Page = { limit: 99 }) =>
        (await store.events(filter, page)).map(({ at }) => at - NOW)
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
        const [first, second] = await store.events(filter, { limit: 2 })
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
        const before = await store.events({}, { limit: 99 })
        await count("code: ", refused(NOW + 20, "code: 2 in a row"))
        await count("code from a known browser: ", refused(NOW + 21, "code from a known browser: 2 in a row"))
        await count("code: ", refused(NOW + 22, "code: 3 in a row"))
        const details = new Map([
          [NOW + 11, "code: 3 in a row"],
          [NOW + 12, "code from a known browser: 2 in a row"],
        ])
        const after = before.map((one) => ({ ...one, detail: details.get(one.at) ?? one.detail }))
        assert.deepEqual(await store.events({}, { limit: 99 }), after)
        const found = await store.events(
          { userId, kinds: ["factor-refused"] },
          { limit: 1, after: String(after[2]?.id) },
        )
        assert.deepEqual(found, [after[3]])
        assert.deepEqual(await store.verify(), [])
      })

      it("FACTOR-11 a series without an event, as after retention, gets one", async () => {
        const counted = { ...event("factor-refused", NOW + 20, { detail: "code: 8 in a row" }), userId }
        await write({ change: "eventCounted", event: counted, series: "code: " })
        const [newest] = await store.events({}, { limit: 1 })
        assert.deepEqual(newest, { id: newest?.id, ...counted })
        assert.equal((await list({})).length, 7)
      })

      it("FACTOR-11 tries at the same moment are one event with the exact count", async () => {
        await write({ change: "accountAdded", account: account() })
        const stores = [store, await opened.another()]
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
        const found = await store.events({ kinds: ["factor-refused"] }, { limit: 9 })
        assert.deepEqual(
          found.map(({ detail }) => detail),
          ["code: 30"],
        )
      })

      it("nothing that happens later changes or removes one", async () => {
        const before = await store.events({}, { limit: 99 })
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
        await store.sweep(NOW + 99 * DAY, 99)
        assert.deepEqual(await store.events({}, { limit: 99 }), before)
      })

      it("the instants decide, though the clock was set back", async () => {
        await write(of("signed-out", NOW + 2), of("signed-out", NOW + 9))
        assert.deepEqual(await list({ since: NOW + 4 }), [9, 5, 4])
        assert.deepEqual(await list({ until: NOW + 3 }), [2, 2, 1, 0])
      })
    })

    it("what no row can hold is asked for, and found nowhere", async () => {
      const nul = "a\0"
      await write({ change: "accountAdded", account: account() }, { change: "clientAdded", client: client() })
      assert.deepEqual(await store.accounts({ limit: 9 }, { nameBegins: nul }), [])
      assert.deepEqual(await store.clients({ limit: 9 }, { nameContains: nul }), [])
      assert.deepEqual(await store.credentials({ userId: nul as UserId }, { limit: 9 }), [])
      assert.deepEqual(await store.sessions(nul as UserId), [])
      assert.deepEqual(
        await store.events({ tokenId: nul as TokenId, kinds: ["consented"] }, { limit: 9 }),
        [],
      )
      assert.deepEqual(await store.events({}, { limit: 9, after: nul }), [])
      assert.deepEqual(await store.consentsOf({ userId: nul as UserId }, NOW), [])
      const found = await store.read({ client: nul as ClientId, accountByName: nul, setting: nul })
      assert.deepEqual(found, { client: null, accountByName: null, setting: null })
    })

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
        const second = await opened.another()
        const rounds = Array.from({ length: 40 }, (_, i) =>
          add(i % 2 === 0 ? store : second, tally("minute", NOW, "a", 2), tally("hour", NOW, "a", 2)),
        )
        await Promise.all(rounds)
        for (const grain of ["minute", "hour"] as const) {
          const found = await store.tallies({ grain, since: 0, until: NOW + HOUR })
          assert.deepEqual(found, [tally(grain, NOW, "a", 80)])
        }
        await second.close()
      })

      it("are read by grain, by time, and of one app, of every one or of the service", async () => {
        await add(
          store,
          tally("minute", day, "a", 1),
          tally("minute", day + MINUTE, "a", 2),
          tally("minute", day + MINUTE, "b", 3),
          tally("minute", day + 2 * MINUTE, "a", 4),
          tally("day", day, "a", 5, 0),
          tally("day", day + DAY, "a", 6, 0),
          tally("day", day, "a", 7, 1),
        )
        const minutes = { grain: "minute", since: day + MINUTE, until: day + 2 * MINUTE } as const
        assert.deepEqual(inOrder(await store.tallies(minutes)), ["60 a - 2", "60 b - 3"])
        const days = { grain: "day", since: day, until: day + DAY } as const
        assert.deepEqual(inOrder(await store.tallies(days)), [])
        assert.deepEqual(inOrder(await store.tallies({ ...days, clientId: id("c") })), [`0 a ${id("c")} 5`])
        const every = { ...days, until: day + 2 * DAY, clientId: "every" } as const
        assert.deepEqual(inOrder(await store.tallies(every)), [
          `0 a ${id("c")} 5`,
          `0 a ${id("c", 1)} 7`,
          `${DAY} a ${id("c")} 6`,
        ])
        const found = await store.tallies({ ...days, clientId: id("c") })
        assert.deepEqual(found, [tally("day", day, "a", 5, 0)])
      })

      it("go by themselves, the fine ones first", async () => {
        await add(
          store,
          tally("minute", day, "a", 1),
          tally("hour", day, "a", 1),
          tally("day", day, "a", 1, 0),
        )
        const kept = async (now: number) => {
          for (let rounds = 0; (await store.sweep(now, 2)) > 0; rounds++) assert.ok(rounds < 9)
          const found = await Promise.all(
            (["minute", "hour", "day"] as const).map((grain) =>
              store.tallies({
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

    it("an app that registered itself goes when its time is over, and no other", async () => {
      const itself = client(1, { registeredBy: "itself", deleteAfter: NOW + DAY })
      await write({ change: "clientAdded", client: client() }, { change: "clientAdded", client: itself })
      const apps = async () => (await store.clients({ limit: 9 })).map(({ clientId }) => clientId)
      await store.sweep(NOW + DAY - 1, 9)
      assert.deepEqual(await apps(), [id("c", 0), id("c", 1)])
      await store.sweep(NOW + DAY, 9)
      assert.deepEqual(await apps(), [id("c", 0)])
      assert.deepEqual(await store.read({ client: id("c", 1) }), { client: null })
    })
  })
}
