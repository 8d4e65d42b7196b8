/** Accounts on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { beforeEach, describe, it } from "node:test"
import type { Account } from "../../../src/model/account.rules.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import type { Store } from "../../../src/store/store.ts"
import type { Page } from "../../../src/store/list-shapes.ts"
import { account, client, id } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function accountContract(name: string, open: Open): void {
  describe(`accounts on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db

    it("an account by its id and by its name, changed and removed", async () => {
      const { userId, usernameKey } = account()
      await write({ change: "accountAdded", account: account() })
      assert.deepEqual(
        await db.store.read({ account: userId, accountByName: usernameKey, anyAccount: true }),
        {
          account: account(),
          accountByName: account(),
          anyAccount: { userId },
        },
      )
      const renamed = account(0, {
        username: "Bea",
        usernameKey: "bea",
        admin: true,
        enabled: false,
        language: "pt-BR",
      })
      await write({ change: "accountChanged", account: renamed })
      assert.deepEqual(await db.store.read({ account: userId, accountByName: usernameKey }), {
        account: renamed,
        accountByName: null,
      })
      await write({ change: "accountRemoved", userId })
      assert.deepEqual(await db.store.read({ account: userId, anyAccount: true }), {
        account: null,
        anyAccount: null,
      })
    })

    it("SERVICE-1 the service accounts of a person, and the owner of each", async () => {
      const owner = account(0)
      const robots = [1, 2].map((number) =>
        account(number, { type: "service", ownerId: owner.userId, passwordHash: null }),
      )
      const [robot] = robots
      for (const one of [owner, ...robots, account(3)]) await write({ change: "accountAdded", account: one })
      const load = (userId: Account["userId"]) =>
        db.store.read({ serviceAccountsOf: userId, ownerOfAccount: userId })
      assert.deepEqual(await load(owner.userId), { serviceAccountsOf: robots, ownerOfAccount: null })
      assert.ok(robot !== undefined)
      assert.deepEqual(await load(robot.userId), { serviceAccountsOf: [], ownerOfAccount: owner })
      assert.deepEqual(await load(account(3).userId), { serviceAccountsOf: [], ownerOfAccount: null })
    })

    it("another administrator, who must be enabled", async () => {
      const [first, second] = [account(0, { admin: true }), account(1, { admin: true })]
      await write({ change: "accountAdded", account: first }, { change: "accountAdded", account: second })
      const other = () => db.store.read({ otherAdministrator: first.userId })
      assert.deepEqual(await other(), { otherAdministrator: second })
      await write({ change: "accountChanged", account: { ...second, enabled: false } })
      assert.deepEqual(await other(), { otherAdministrator: null })
      await write({ change: "accountChanged", account: { ...second, admin: false } })
      assert.deepEqual(await other(), { otherAdministrator: null })
    })

    it("accounts and apps are listed a page at a time, oldest first", async () => {
      const changes = [3, 1, 2].flatMap((number): Change[] => [
        { change: "accountAdded", account: account(number) },
        { change: "clientAdded", client: client(number) },
      ])
      await write(...changes)
      assert.deepEqual(await db.store.accounts({ limit: 2 }), [account(1), account(2)])
      assert.deepEqual(await db.store.accounts({ limit: 2, after: account(2).userId }), [account(3)])
      assert.deepEqual(await db.store.clients({ limit: 2 }), [client(1), client(2)])
      assert.deepEqual(await db.store.clients({ limit: 2, after: client(2).clientId }), [client(3)])
    })

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
        (await db.store.accounts(page, filter)).map(({ username }) => username)
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
  })
}
