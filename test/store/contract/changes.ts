/** Changes of every engine, whatever they write. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { ClientId, TokenId, UserId } from "../../../src/kernel/ids.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import type { DevicePurpose } from "../../../src/model/device-grant.rules.ts"
import type { Store } from "../../../src/store/store.ts"
import { StoreUnavailable } from "../../../src/store/unavailable.ts"
import {
  account,
  active,
  approval,
  client,
  deviceGrant,
  family,
  id,
  issued,
  NOW,
  session,
} from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function changeContract(name: string, open: Open): void {
  describe(`changes on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db
    const credential = (number: number) =>
      db.store.read({ credential: id<TokenId>("t", number) }).then((found) => found.credential)
    const people = (): Change[] => [
      { change: "accountAdded", account: account() },
      { change: "clientAdded", client: client() },
    ]

    it("nothing for a null key, and nothing for a key that is not there", async () => {
      await write(...people(), { change: "credentialAdded", credential: active() })
      const none = { client: null, credential: null, ownerOf: null, session: null, setting: null }
      assert.deepEqual(await db.store.read(none), none)
      const unknown = id<TokenId>("t", 99)
      const load = { credential: unknown, tokensOf: unknown, ownerOf: unknown, appOf: unknown }
      assert.deepEqual(await db.store.read(load), {
        credential: null,
        tokensOf: null,
        ownerOf: null,
        appOf: null,
      })
    })

    it("what no row can hold is asked for, and found nowhere", async () => {
      const nul = "a\0"
      await write({ change: "accountAdded", account: account() }, { change: "clientAdded", client: client() })
      assert.deepEqual(await db.store.accounts({ limit: 9 }, { nameBegins: nul }), [])
      assert.deepEqual(await db.store.clients({ limit: 9 }, { nameContains: nul }), [])
      assert.deepEqual(await db.store.credentials({ userId: nul as UserId }, { limit: 9 }), [])
      assert.deepEqual(await db.store.sessions(nul as UserId), [])
      assert.deepEqual(
        await db.store.events({ tokenId: nul as TokenId, kinds: ["consented"] }, { limit: 9 }),
        [],
      )
      assert.deepEqual(await db.store.events({}, { limit: 9, after: nul }), [])
      assert.deepEqual(await db.store.consentsOf({ userId: nul as UserId }, NOW), [])
      const found = await db.store.read({ client: nul as ClientId, accountByName: nul, setting: nul })
      assert.deepEqual(found, { client: null, accountByName: null, setting: null })
    })

    describe("changes", () => {
      const consume = (from: Store, winner: number) =>
        from.change({ credential: id<TokenId>("t") }, (found) => {
          if (found.credential?.life.state !== "issued") return decided("lost")
          const life = {
            state: "active",
            family: family({ key: String(winner) }),
            elevatedUntil: null,
          } as const
          return decided("won", { change: "credentialChanged", credential: { ...found.credential, life } })
        })
      const increment = (from: Store) =>
        from.change({ setting: "counter" }, ({ setting }) => {
          const value = String(Number(setting?.value ?? 0) + 1)
          return decided(value, { change: "settingSet", key: "counter", value })
        })
      const counter = async () => (await db.store.read({ setting: "counter" })).setting?.value

      it("CODE-1 of 100 that consume one code at once, one wins", async () => {
        const second = await db.opened.another()
        await write(...people(), { change: "credentialAdded", credential: issued() })
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, i) => consume(i % 2 === 0 ? db.store : second, i)),
        )
        assert.equal(answers.filter((answer) => answer === "won").length, 1)
        const life = (await credential(0))?.life
        assert.equal(life?.state === "active" && life.family.key, String(answers.indexOf("won")))
        await second.close()
      })

      it("300 increments lose none, and each sees the one before", async () => {
        const answers = await Promise.all(Array.from({ length: 300 }, () => increment(db.store)))
        assert.equal(new Set(answers).size, 300)
        assert.equal(await counter(), "300")
      })

      it("two stores on one database lose no increment", async () => {
        const second = await db.opened.another()
        const answers: string[] = []
        for (let round = 0; round < 20; round++) {
          answers.push(
            ...(await Promise.all([
              increment(db.store),
              increment(second),
              increment(db.store),
              increment(second),
            ])),
          )
        }
        assert.equal(new Set(answers).size, 80)
        assert.equal(await counter(), "80")
        await second.close()
      })

      it("a rule that throws writes nothing and does not fail others", async () => {
        const mistake = new Error("a mistake in a rule")
        const failing = db.store.change({ setting: "counter" }, () => {
          throw mistake
        })
        const settled = await Promise.allSettled([increment(db.store), failing, increment(db.store)])
        assert.deepEqual(settled, [
          { status: "fulfilled", value: "1" },
          { status: "rejected", reason: mistake },
          { status: "fulfilled", value: "2" },
        ])
        assert.equal(await counter(), "2")
      })

      it("a write that fails undoes the writes before it in its own change only", async () => {
        const twice = db.store.change({}, () =>
          decided(
            null,
            { change: "settingSet", key: "half", value: "written" },
            { change: "accountAdded", account: account(1) },
            { change: "accountAdded", account: account(2, { usernameKey: account(1).usernameKey }) },
          ),
        )
        const [first, failed, second] = await Promise.allSettled([
          increment(db.store),
          twice,
          increment(db.store),
        ])
        assert.deepEqual([first.status, failed.status, second.status], ["fulfilled", "rejected", "fulfilled"])
        assert.ok(failed.status === "rejected" && !(failed.reason instanceof StoreUnavailable))
        assert.deepEqual(await db.store.read({ setting: "half", anyAccount: true }), {
          setting: null,
          anyAccount: null,
        })
        assert.equal(await counter(), "2")
      })

      it("a change of a row that is not there is a fault", async () => {
        await assert.rejects(write({ change: "credentialChanged", credential: active() }))
        await assert.rejects(write({ change: "clientChanged", client: client() }))
        await assert.rejects(write({ change: "accountChanged", account: account() }))
      })

      it("an account's name and every id are unique", async () => {
        await write(...people(), { change: "credentialAdded", credential: active() })
        await assert.rejects(write({ change: "accountAdded", account: account(1, { usernameKey: "ada 0" }) }))
        await assert.rejects(write({ change: "accountAdded", account: account(0, { usernameKey: "other" }) }))
        await assert.rejects(write({ change: "clientAdded", client: client() }))
        await assert.rejects(write({ change: "credentialAdded", credential: active() }))
      })

      it("a session of an account that is gone is not begun", async () => {
        await assert.rejects(write({ change: "sessionAdded", session: session() }))
      })

      it("an acknowledged change is visible through another connection", async () => {
        const second = await db.opened.another()
        for (let round = 0; round < 20; round++) {
          const together = await Promise.all(
            [0, 1, 2].map(async () => {
              const mine = Number(await increment(db.store))
              return Number((await second.read({ setting: "counter" })).setting?.value) >= mine
            }),
          )
          assert.deepEqual(together, [true, true, true])
        }
        await second.close()
      })

      it("what was answered is there after the database is opened again", async () => {
        await write(...people(), { change: "credentialAdded", credential: active() })
        await increment(db.store)
        await db.reopen()
        assert.deepEqual((await db.store.read({ credential: id<TokenId>("t") })).credential, active())
        assert.equal(await counter(), "1")
      })

      it("a closed store answers what it was asked before, and refuses the rest", async () => {
        const last = increment(db.store)
        await db.store.close()
        assert.equal(await last, "1")
        await assert.rejects(increment(db.store), StoreUnavailable)
        await assert.rejects(db.store.read({ setting: "counter" }), StoreUnavailable)
        await db.store.close()
      })
    })

    it("a database written by the changes has no problem", async () => {
      const changes = [0, 1, 2].map((number): Change => ({
        change: "credentialAdded",
        credential: active(number),
      }))
      const step: DevicePurpose = {
        purpose: "step-up",
        tokenId: id<TokenId>("t", 2),
        userId: account().userId,
        reason: "Remove the laptop",
      }
      await write(
        ...people(),
        { change: "sessionAdded", session: session() },
        ...changes,
        { change: "deviceGrantAdded", grant: deviceGrant(0) },
        { change: "deviceGrantAdded", grant: deviceGrant(1) },
        { change: "deviceGrantAdded", grant: deviceGrant(2, { state: "pending" }, { purpose: step }) },
      )
      await write(
        { change: "deviceGrantChanged", grant: deviceGrant(1, approval()) },
        { change: "deviceGrantChanged", grant: deviceGrant(2, { ...approval(), granted: [] }) },
        { change: "credentialChanged", credential: active(1) },
        { change: "credentialsRevoked", of: { userId: id("a") }, at: NOW + 5, because: "account-holder" },
        { change: "sessionSeen", sessionHash: session().sessionHash, at: NOW + 9 * DAY },
      )
      assert.deepEqual(await db.store.verify(), [])
    })
  })
}
