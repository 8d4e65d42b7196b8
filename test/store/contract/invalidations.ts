/** Tests what every engine reports to resource servers, and how long it keeps it. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { KeyId } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import { eachStore, type Open } from "./fixture.ts"
import { account, active, client, family, hash, id, identity, issued, NOW, session } from "../samples.ts"

const KEPT = 10_000

export function invalidationContract(name: string, open: Open): void {
  describe(`invalidations on ${name}`, () => {
    const db = eachStore(
      open,
      { change: "accountAdded", account: account() },
      { change: "clientAdded", client: client() },
      { change: "credentialAdded", credential: active() },
    )
    const { write } = db

    const after = async (last: number) => (await db.store.invalidations(last, 99)).rows
    const { userId } = account()
    const { clientId } = client()
    const tokenId = active().consent.tokenId
    const revoked = {
      ...active(),
      life: { state: "revoked", family: family(), revokedAt: NOW, because: "app" },
    } as const

    const telling: readonly (readonly [string, Change, { of: string; key: string }])[] = [
      [
        "an account that changes",
        { change: "accountChanged", account: account() },
        { of: "account", key: userId },
      ],
      ["an app that changes", { change: "clientChanged", client: client() }, { of: "client", key: clientId }],
      [
        "a credential that is over",
        { change: "credentialChanged", credential: revoked },
        { of: "credential", key: tokenId },
      ],
      [
        "the credentials of an app",
        { change: "credentialsRevoked", of: { clientId }, at: NOW, because: "app-removed" },
        { of: "client", key: clientId },
      ],
      [
        "the credentials of an account",
        { change: "credentialsRevoked", of: { userId }, at: NOW, because: "account-removed" },
        { of: "account", key: userId },
      ],
      [
        "LOGIN-30 an identity that is added",
        { change: "identityAdded", identity: identity() },
        { of: "account", key: userId },
      ],
      ["an app that goes", { change: "clientRemoved", clientId }, { of: "client", key: clientId }],
      ["an account that goes", { change: "accountRemoved", userId }, { of: "account", key: userId }],
    ]
    for (const [what, change, announced] of telling)
      it(`${what} is announced`, async () => {
        const { last } = await db.store.invalidations(0, 99)
        await write(change)
        const { last: now, isWhole, rows } = await db.store.invalidations(last, 99)
        assert.deepEqual(
          { now, isWhole, rows },
          { now: last + 1, isWhole: true, rows: [{ id: last + 1, ...announced }] },
        )
      })

    it("LOGIN-30 an identity that is removed or moves to another issuer is announced", async () => {
      const moved = identity(0, { issuer: "https://new.example.org" })
      await write({ change: "identityAdded", identity: identity() })
      const { last } = await db.store.invalidations(0, 99)
      await write({ change: "identityChanged", identity: { ...identity(), shownName: "Ada" } })
      assert.deepEqual(await after(last), [])
      await write(
        { change: "identityRemoved", identity: identity() },
        { change: "identityAdded", identity: moved },
      )
      await write({ change: "identityRemoved", identity: moved })
      assert.deepEqual(
        await after(last),
        [1, 2, 3].map((more) => ({ id: last + more, of: "account", key: userId })),
      )
    })

    it("a gain, and a change that does not matter to a resource server, is not announced", async () => {
      const rotated = {
        ...active(),
        life: { state: "active", family: family({ rotatedAt: NOW + 1 }), elevatedUntil: NOW + 9 },
      } as const
      await write(
        { change: "credentialChanged", credential: rotated },
        { change: "credentialAdded", credential: issued(1) },
        { change: "accountAdded", account: account(1) },
        { change: "clientAdded", client: client(1) },
        { change: "sessionAdded", session: session() },
        { change: "sessionsEnded", userId, except: null, at: NOW },
        { change: "settingSet", key: "token.access_seconds", value: "60" },
        { change: "setupLinkSet", hash: hash("link"), at: NOW },
        { change: "eventRecorded", event: event("signed-in", NOW) },
        {
          change: "tallied",
          tallies: [{ grain: "minute", at: NOW - (NOW % 60), name: "a", clientId: null, count: 1 }],
        },
      )
      assert.deepEqual(await after(0), [])
    })

    it("a change that fails announces nothing, and does not fail others", async () => {
      const failing = write(
        { change: "clientChanged", client: client() },
        { change: "clientAdded", client: client() },
      )
      const other = write({ change: "accountChanged", account: account() })
      const settled = await Promise.allSettled([failing, other])
      assert.deepEqual(
        settled.map(({ status }) => status),
        ["rejected", "fulfilled"],
      )
      assert.deepEqual(
        (await after(0)).map(({ of }) => of),
        ["account"],
      )
    })

    it("what an acknowledged change announces is visible through another connection", async () => {
      const second = await db.opened.another()
      for (let round = 1; round <= 20; round++) {
        await write({ change: "clientChanged", client: client() })
        assert.equal((await second.invalidations(round - 1, 99)).rows.length, 1)
      }
      await second.close()
    })

    it("are read a few at a time, oldest first", async () => {
      for (let i = 0; i < 5; i++) await write({ change: "clientChanged", client: client() })
      const { last, isWhole, rows } = await db.store.invalidations(0, 2)
      assert.deepEqual([last - (rows.at(-1)?.id ?? 0), isWhole, rows.length], [3, true, 2])
      assert.equal((await db.store.invalidations(rows.at(-1)?.id ?? 0, 99)).rows.length, 3)
      assert.deepEqual(await db.store.invalidations(last, 99), { last, isWhole: true, rows: [] })
    })

    it("ten thousand are kept; a reader that missed more learns so", async () => {
      for (let i = 0; i < KEPT + 50; i += 1005)
        await write(
          ...Array.from({ length: 1005 }, (): Change => ({ change: "accountChanged", account: account() })),
        )
      const { last } = await db.store.invalidations(0, 1)
      while ((await db.store.sweep(NOW, 1000)) > 0);
      const oldest = last - KEPT
      assert.equal((await db.store.invalidations(oldest, 1)).isWhole, true)
      assert.deepEqual(
        (await db.store.invalidations(oldest, 1)).rows.map((row) => row.id),
        [oldest + 1],
      )
      assert.equal((await db.store.invalidations(oldest - 1, 1)).isWhole, false)
      assert.equal((await db.store.invalidations(0, 1)).isWhole, false)
    })

    it("after a change that makes everything stale no older reader is whole, whatever is announced with it", async () => {
      const key = { kid: id<KeyId>("key"), algorithm: "ES256", publicJwk: "{}", sealedPrivate: null } as const
      const withdrawn = { ...key, state: "withdrawn", madeAt: NOW, signsFrom: NOW, endedAt: NOW } as const
      const set: Change = { change: "signingKeySet", key: withdrawn }
      const announced: Change = { change: "clientChanged", client: client() }
      for (const changes of [[set], [announced, set], [set, announced]]) {
        await write(announced)
        const { last } = await db.store.invalidations(0, 9)
        await write(...changes)
        for (const reader of [0, last - 1, last])
          assert.equal((await db.store.invalidations(reader, 9)).isWhole, false)
        const { last: now } = await db.store.invalidations(0, 9)
        assert.deepEqual(await db.store.invalidations(now, 9), { last: now, isWhole: true, rows: [] })
      }
      assert.deepEqual(await db.store.verify(), [])
    })

    it("an id that this database never gave is not whole, and ids go on after the database is opened again", async () => {
      await write({ change: "clientChanged", client: client() })
      const { last } = await db.store.invalidations(0, 9)
      assert.equal((await db.store.invalidations(last + 1, 9)).isWhole, false)
      await db.reopen()
      await write({ change: "clientChanged", client: client() })
      assert.deepEqual(
        (await after(last)).map((row) => row.id),
        [last + 1],
      )
    })
  })
}
