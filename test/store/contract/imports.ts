/** What every engine does with the rows of an import. `test/store/<engine>.test.ts` runs it. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { UserId } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { eachStore, type Open } from "./fixture.ts"
import { anImport, FOREIGN_ID, foreignAccount, importedToken } from "../import-samples.ts"
import { account, active, client, factors, hash, id, NOW, session } from "../samples.ts"

export function importContract(name: string, open: Open): void {
  describe(`imports on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db

    const staged = () =>
      write(
        { change: "importSet", import: anImport() },
        { change: "accountStaged", staged: { account: foreignAccount(), factors: [] }, importId: 7 },
        { change: "importedTokenAdded", token: importedToken() },
      )
    const idsOf = async () => (await db.store.accounts({ limit: 9 })).map(({ userId }) => userId)

    it("MOVE-5 no query finds a staged account or token, except that its name is taken", async () => {
      await write({ change: "accountAdded", account: account() })
      await staged()
      const found = await db.store.read({
        account: FOREIGN_ID,
        accountByName: foreignAccount().usernameKey,
        importedToken: hash("imported"),
        import: 7,
        openImport: true,
        stagedRows: 7,
      })
      assert.deepEqual(found, {
        account: null,
        accountByName: foreignAccount(70, { enabled: false }),
        importedToken: null,
        import: anImport(),
        openImport: anImport(),
        stagedRows: { count: 2 },
      })
      assert.deepEqual(await idsOf(), [id("a")])
      assert.deepEqual(await db.store.accounts({ limit: 9 }, { nameBegins: "ada 7" }), [])
      assert.equal((await db.store.gauges(NOW)).accounts, 1)
      assert.deepEqual(await db.store.verify(), [])
      await assert.rejects(
        write({ change: "accountAdded", account: account(1, { usernameKey: foreignAccount().usernameKey }) }),
      )
    })

    it("MOVE-5 one change switches on all rows of an import", async () => {
      await staged()
      await write({ change: "importSet", import: anImport({ state: "finished" }) })
      const { account: found, importedToken: token } = await db.store.read({
        account: FOREIGN_ID,
        importedToken: hash("imported"),
      })
      assert.deepEqual([found, token], [foreignAccount(), importedToken()])
      assert.deepEqual(await idsOf(), [FOREIGN_ID])
      assert.equal((await db.store.gauges(NOW)).accounts, 1)
      assert.deepEqual((await db.store.read({ openImport: true })).openImport, null)
      await write({ change: "importedTokenUsed", hash: hash("imported"), at: 5 })
      assert.equal((await db.store.read({ importedToken: hash("imported") })).importedToken?.usedAt, 5)
      assert.deepEqual(await db.store.verify(), [])
    })

    it("MOVE-7 the tokens of a removed app are deleted, so that an app of the same id does not get them", async () => {
      await staged()
      await write(
        { change: "importSet", import: anImport({ state: "finished" }) },
        { change: "clientAdded", client: client() },
        { change: "importedTokenAdded", token: importedToken({ hash: hash("other"), clientId: id("c", 2) }) },
      )
      await write({ change: "clientRemoved", clientId: id("c") })
      const tokenOf = async (text: string) =>
        (await db.store.read({ importedToken: hash(text) })).importedToken?.clientId
      assert.deepEqual([await tokenOf("imported"), await tokenOf("other")], [undefined, id("c", 2)])
    })

    it("MOVE-5 the rows of an import are deleted, with the factors of its accounts", async () => {
      const [totp] = factors()
      await write(
        { change: "importSet", import: anImport() },
        {
          change: "accountStaged",
          staged: { account: foreignAccount(), factors: [{ ...totp, userId: FOREIGN_ID }] },
          importId: 7,
        },
        { change: "importedTokenAdded", token: importedToken() },
      )
      await write(
        { change: "stagedRemoved", importId: 7, limit: 5 },
        { change: "importRemoved", importId: 7 },
      )
      const found = await db.store.read({ stagedRows: 7, import: 7, factor: totp.factorId })
      assert.deepEqual(found, { stagedRows: { count: 0 }, import: null, factor: null })
      assert.deepEqual(await db.store.taken([FOREIGN_ID], [], [hash("imported")]), {
        accounts: [],
        removed: [],
        tokens: [],
      })
    })

    it("MOVE-3 says which ids, names and tokens are taken, and which accounts are imported", async () => {
      await write({ change: "accountAdded", account: account() })
      await staged()
      const taken = () => db.store.taken([FOREIGN_ID, id("a")], ["ada 70", "other"], [hash("imported")])
      const one = (userId: string, usernameKey: string, isImported: boolean) => ({
        userId,
        usernameKey,
        isImported,
      })
      const before = await taken()
      assert.deepEqual(
        new Set(before.accounts),
        new Set([one(id("a"), "ada 0", false), one(FOREIGN_ID, "ada 70", false)]),
      )
      assert.deepEqual(before.tokens, [hash("imported")])
      await write({ change: "importSet", import: anImport({ state: "finished" }) })
      assert.equal((await taken()).accounts.find(({ userId }) => userId === FOREIGN_ID)?.isImported, true)
      await write({ change: "accountRemoved", userId: FOREIGN_ID })
      assert.deepEqual((await taken()).removed, [FOREIGN_ID])
    })

    it("MOVE-2 an account of a foreign id has credentials, sessions and known browsers, and pages of a list", async () => {
      const userIds = ["ab", "~", "!", "Z|9", "A".repeat(255), "e"]
      const browserHash = hash("browser")
      await write(
        { change: "clientAdded", client: client() },
        ...userIds.map((userId, number): Change => ({
          change: "accountAdded",
          account: account(number, { userId: userId as UserId }),
        })),
      )
      const seen: string[] = []
      for (let after: string | undefined; ;) {
        const page = await db.store.accounts({ after, limit: 2 })
        seen.push(...page.map(({ userId }) => userId))
        after = page.at(-1)?.userId
        if (page.length < 2) break
      }
      assert.deepEqual(seen, userIds.toSorted())
      for (const [number, text] of userIds.entries()) {
        const userId = text as UserId
        const credential = active(number, { userId })
        await write(
          { change: "credentialAdded", credential },
          { change: "sessionAdded", session: session(number, { userId }) },
          { change: "browserKnown", browserHash, userId, at: 5 },
        )
        const { tokenId } = credential.consent
        const found = await db.store.read({
          credential: tokenId,
          ownerOf: tokenId,
          knownBrowser: { browserHash, userId },
        })
        assert.equal(found.credential?.consent.userId, userId)
        assert.equal(found.ownerOf?.userId, userId)
        assert.deepEqual(found.knownBrowser, { at: 5 })
        const held = await db.store.credentials({ userId }, { limit: 9 })
        assert.deepEqual(
          held.map((one) => one.account?.userId),
          [userId],
        )
      }
      assert.deepEqual(await db.store.verify(), [])
    })

    it("MOVE-2 an app and an account may have the same id, and each can be removed", async () => {
      const both = "billing"
      const own = client(1, { clientId: both as never })
      const same = account(1, { userId: both as UserId })
      await write(
        { change: "clientAdded", client: own },
        { change: "accountAdded", account: same },
        { change: "accountAdded", account: account() },
        { change: "clientAdded", client: client() },
        { change: "credentialAdded", credential: active(1, { clientId: own.clientId }) },
        { change: "credentialAdded", credential: active(2, { userId: same.userId }) },
      )
      await write({ change: "accountRemoved", userId: same.userId })
      assert.equal(
        (await db.store.read({ credential: id("t", 1) })).credential?.consent.clientId,
        own.clientId,
      )
      await write({ change: "clientRemoved", clientId: own.clientId })
      assert.equal((await db.store.read({ credential: id("t", 2) })).credential?.consent.userId, same.userId)
    })
  })
}
