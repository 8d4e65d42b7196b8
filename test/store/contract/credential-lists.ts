/** Lists and counts of credentials on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { beforeEach, describe, it } from "node:test"
import type { ClientId, Permission, UserId } from "../../../src/kernel/ids.ts"
import { IDLE_SECONDS, CODE_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY } from "../../../src/kernel/time.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import type { Credential } from "../../../src/model/credential.rules.ts"
import type { HeldConsent } from "../../../src/model/credential.rules.ts"
import type { Store } from "../../../src/store/store.ts"
import type { Page } from "../../../src/store/list-shapes.ts"
import { account, active, client, family, id, issued, NOW } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function credentialListContract(name: string, open: Open): void {
  describe(`lists of credentials on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db
    const added = (credential: Credential): Change => ({ change: "credentialAdded", credential })
    const numbers = async (
      filter: Parameters<Store["credentials"]>[0],
      page: Parameters<Store["credentials"]>[1] = { limit: 99, newestFirst: true },
    ) =>
      (await db.store.credentials(filter, page)).map(({ credential }) =>
        Number(credential.consent.tokenId.slice(-3)),
      )

    describe("credentials", () => {
      const people = (): Change[] => [
        { change: "accountAdded", account: account() },
        { change: "accountAdded", account: account(1, { admin: true }) },
        { change: "clientAdded", client: client() },
        { change: "clientAdded", client: client(1) },
      ]
      const list = async (filter: Parameters<Store["credentials"]>[0], page: Page = { limit: 99 }) =>
        (await db.store.credentials(filter, page)).map(({ credential }) =>
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
        const held = await db.store.consentsOf({ clientId: id("c") }, NOW)
        const row = (userId: number, scope: number, credentials: number): HeldConsent => ({
          userId: id("a", userId),
          clientId: id("c"),
          admin: userId === 1,
          groups: [],
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
          inOrder(await db.store.consentsOf({ userId: id("a", 1) }, NOW)),
          inOrder([row(1, 1, 750), row(1, 0, 1500)]),
        )
        assert.deepEqual(await db.store.consentsOf({ clientId: id("c", 1) }, NOW), [])
        assert.deepEqual(await db.store.consentsOf({ clientId: id("c") }, NOW + IDLE_SECONDS + 1), [])
      })

      it("figures count accounts, apps and what has not ended", async () => {
        const figures = async (now: number) => {
          const found = await db.store.gauges(now)
          assert.equal(await db.store.installations(now), found.installations)
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
          const [one] = await db.store.credentials({ over: NOW }, { limit: 1, after, newestFirst: true })
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
      const users = (clientId: ClientId, now: number, most: number) => db.store.usersOf(clientId, now, most)
      assert.deepEqual(await users(id("c"), NOW, 9), { installations: 3, accounts: 2, isWhole: true })
      assert.deepEqual(await users(id("c"), NOW, 3), { installations: 3, accounts: 2, isWhole: true })
      assert.deepEqual(await users(id("c"), NOW, 2), { installations: 2, accounts: 2, isWhole: false })
      assert.deepEqual(await users(id("c", 2), NOW, 2), { installations: 0, accounts: 0, isWhole: true })
    })
  })
}
