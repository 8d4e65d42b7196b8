/** Settings, facts about the database and spent tickets on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { hash, id, NOW } from "../samples.ts"
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

    it("a spent ticket, whose first time stands", async () => {
      const ticketId = id<TokenId>("k")
      await write({ change: "ticketSpent", ticketId, at: NOW })
      await write({ change: "ticketSpent", ticketId, at: NOW + 9 })
      assert.deepEqual(await db.store.read({ spentTicket: ticketId }), { spentTicket: { spentAt: NOW } })
    })
  })
}
