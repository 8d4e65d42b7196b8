/** Settings, facts about the database and spent tickets on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { anImport } from "../import-samples.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { keyList } from "../../../src/store/loadable.ts"
import {
  account,
  bindingCredential,
  boundClient,
  client,
  deviceGrant,
  factors,
  hash,
  id,
  NOW,
  serviceAccount,
} from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function settingContract(name: string, open: Open): void {
  describe(`settings on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db

    it("settings, facts about the database, and the one set-up link", async () => {
      await write(
        { change: "settingSet", key: "b", value: "1" },
        { change: "settingSet", key: "a", value: "2" },
        { change: "settingSet", key: "b", value: "3" },
        { change: "metaSet", key: "a", value: "meta" },
        { change: "setupLinkSet", hash: hash("first"), at: NOW },
        { change: "setupLinkSet", hash: hash("second"), at: NOW + 1 },
      )
      assert.deepEqual(await db.store.read({ setting: "b", meta: "a", setupLink: true }), {
        setting: { value: "3" },
        meta: { value: "meta" },
        setupLink: { hash: hash("second"), at: NOW + 1 },
      })
      assert.deepEqual([...(await db.store.settings())].sort(), [
        ["a", "2"],
        ["b", "3"],
      ])
      await write({ change: "settingUnset", key: "b" }, { change: "setupLinkSet", hash: null, at: NOW + 2 })
      assert.deepEqual(await db.store.read({ setting: "b", setupLink: true }), {
        setting: null,
        setupLink: null,
      })
    })

    it("LOOK-3 a logo, replaced and removed with the setting that has its digest", async () => {
      const key = "appearance.logo"
      const logo = { png: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0]), hash: hash("logo") }
      await write(
        { change: "logoSet", key: "appearance.logo-dark", logo },
        { change: "logoSet", key, logo: { ...logo, hash: hash("earlier") } },
        { change: "logoSet", key, logo },
        { change: "settingSet", key, value: logo.hash },
      )
      const stored = await db.store.read({ logo: key, setting: key })
      assert.equal(stored.logo?.hash, logo.hash)
      assert.deepEqual(new Uint8Array(stored.logo?.png ?? []), logo.png)
      assert.deepEqual(stored.setting, { value: logo.hash })
      await write({ change: "settingUnset", key }, { change: "logoSet", key, logo: null })
      assert.deepEqual(await db.store.read({ logo: key, setting: key }), { logo: null, setting: null })
      assert.notEqual((await db.store.read({ logo: "appearance.logo-dark" })).logo, null)
    })

    it("APPLY-4 what a set made is stored with its key, and ends with the app, the account or the value", async () => {
      const app = { set: "one", what: "app", key: "a", made: id("c") } as const
      const robot = { set: "one", what: "service_account", key: "r", made: id("a", 9) } as const
      const color = { set: "one", what: "appearance", key: "color", made: "appearance.color" } as const
      await write(
        { change: "clientAdded", client: client() },
        { change: "accountAdded", account: serviceAccount() },
        ...[app, robot, color, { ...color, set: "two", made: "appearance.name" }].map(
          (applied) => ({ change: "appliedSet", applied }) as const,
        ),
      )
      const made = async (set: string) => (await db.store.read({ applied: set })).applied
      assert.deepEqual(await made("one"), [app, color, robot])
      assert.deepEqual(await made("other"), [])
      await write({ change: "appliedSet", applied: { ...app, key: "b" } })
      assert.deepEqual(await made("one"), [{ ...app, key: "b" }, color, robot])
      await write(
        { change: "clientRemoved", clientId: id("c") },
        { change: "accountRemoved", userId: id("a", 9) },
        { change: "appliedRemoved", applied: color },
        { change: "settingUnset", key: "appearance.name" },
      )
      assert.deepEqual(await made("one"), [])
      assert.deepEqual(await made("two"), [], "a value that is set by hand later belongs to no set")
      assert.deepEqual(await db.store.verify(), [])
    })

    it("APPLY-2 several apps, accounts and bindings are loaded at once, and unknown keys have no row", async () => {
      const bound = boundClient(8, { binding: { userId: id("a", 9), tokenId: id("t", 8) } })
      await write(
        { change: "accountAdded", account: account() },
        { change: "accountAdded", account: serviceAccount() },
        { change: "clientAdded", client: client(1) },
        { change: "clientAdded", client: bound },
        { change: "credentialAdded", credential: bindingCredential(8, { clientId: bound.clientId }) },
        { change: "settingSet", key: "a", value: "1" },
        { change: "settingSet", key: "b", value: "2" },
      )
      const ids = keyList([id("c", 1), bound.clientId, "none", "nul\0"])
      await write(
        { change: "groupSet", group: { name: "sales", title: null, createdAt: NOW } },
        { change: "membershipsSet", userId: id("a"), memberships: [{ group: "sales", provider: null }] },
      )
      const load = {
        groupsNamed: keyList(["sales", "none"]),
        clients: ids,
        boundCredentials: ids,
        usedClientIds: ids,
        settings: true,
        accountsNamed: keyList(["ada 0", account().usernameKey, "none", '"']),
      } as const
      for (const found of [await db.store.read(load), await db.store.change(load, (rows) => decided(rows))]) {
        assert.deepEqual(
          new Set(found.clients?.map(({ clientId }) => clientId)),
          new Set([id("c", 1), bound.clientId]),
        )
        assert.deepEqual(
          found.boundCredentials?.map(({ consent }) => consent.tokenId),
          [id("t", 8)],
        )
        assert.deepEqual(found.usedClientIds, [bound.clientId])
        assert.deepEqual(found.accountsNamed, [account(0, { groups: ["sales"] })])
        assert.deepEqual(found.groupsNamed, [{ name: "sales", title: null, createdAt: NOW, members: 1 }])
        assert.equal(found.settings?.length, 2)
      }
      await write({ change: "clientRemoved", clientId: bound.clientId })
      assert.deepEqual((await db.store.read({ usedClientIds: ids })).usedClientIds, [bound.clientId])
      await write({ change: "deviceGrantAdded", grant: deviceGrant(5) })
      const asking = deviceGrant(5).request.clientId
      const both = keyList([asking, "none", bound.clientId])
      assert.deepEqual((await db.store.read({ usedClientIds: both })).usedClientIds, [asking, bound.clientId])
      const nothing = keyList([])
      assert.deepEqual(await db.store.read({ clients: nothing, usedClientIds: nothing }), {
        clients: [],
        usedClientIds: [],
      })
    })

    it("what running nodes recorded is listed, and removed one by one", async () => {
      await write(
        { change: "metaSet", key: "node a", value: "1" },
        { change: "metaSet", key: "node b", value: "2" },
        { change: "metaSet", key: "nodes", value: "3" },
      )
      await write({ change: "metaRemoved", key: "node a" })
      assert.deepEqual((await db.store.read({ nodes: true })).nodes, [{ key: "node b", value: "2" }])
    })

    it("SECRET-3 what is sealed is listed in pages, and sealed again only while it is as it was", async () => {
      const [totp] = factors()
      await write(
        { change: "accountAdded", account: account() },
        { change: "factorAdded", factor: totp },
        { change: "importSet", import: anImport({ importId: 10, state: "finished", sealedSecret: "ten" }) },
        { change: "importSet", import: anImport({ importId: 9, state: "finished", sealedSecret: "nine" }) },
      )
      const again = (former: string, text: string | null) =>
        ({ change: "sealedAgain", thing: "importKey", key: "9", former, text }) as const
      const keys = (after: string | null, limit: number) => db.store.sealed("importKey", after, limit)
      assert.deepEqual(await keys(null, 1), [{ key: "9", text: "nine" }])
      assert.deepEqual(await keys("9", 5), [{ key: "10", text: "ten" }])
      await write(again("other", "lost"))
      assert.deepEqual(await keys(null, 1), [{ key: "9", text: "nine" }])
      await write(again("nine", "new"))
      assert.deepEqual(await keys(null, 1), [{ key: "9", text: "new" }])
      await write(again("new", null))
      assert.deepEqual(await keys(null, 5), [{ key: "10", text: "ten" }])
      const [{ key, text } = { key: "", text: "" }] = await db.store.sealed("totp", null, 5)
      await write({ change: "sealedAgain", thing: "totp", key, former: text, text: "sealed again" })
      assert.deepEqual(await db.store.read({ factor: totp.factorId }), {
        factor: { ...totp, sealedSecret: "sealed again" },
      })
    })

    it("a spent ticket, whose first time stands", async () => {
      const ticketId = id<TokenId>("k")
      await write({ change: "ticketSpent", ticketId, at: NOW })
      await write({ change: "ticketSpent", ticketId, at: NOW + 9 })
      assert.deepEqual(await db.store.read({ spentTicket: ticketId }), { spentTicket: { spentAt: NOW } })
    })
  })
}
