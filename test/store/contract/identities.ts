/** Tests how every engine stores the links of accounts to people at sign-in providers. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { NO_PASSWORD } from "../../../src/model/account.rules.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { eachStore, type Open } from "./fixture.ts"
import { account, id, identity } from "../samples.ts"

export function identityContract(name: string, open: Open): void {
  describe(`links to sign-in providers on ${name}`, () => {
    const db = eachStore(
      open,
      { change: "accountAdded", account: account(0) },
      { change: "accountAdded", account: account(1, { username: "b", usernameKey: "b" }) },
    )
    const { write } = db

    it("UP-1 a link comes back by its digest and by its account, and changes only its administration and its name", async () => {
      const one = identity(0, { shownName: "ä@example.org" })
      const two = identity(1)
      await write({ change: "identityAdded", identity: one }, { change: "identityAdded", identity: two })
      assert.deepEqual(await db.store.read({ identity: one.identityHash }), { identity: one })
      const { identities } = await db.store.read({ identities: id("a") })
      assert.deepEqual(new Set(identities), new Set([one, two]))
      assert.deepEqual((await db.store.read({ identities: id("a", 1) })).identities, [])
      const changed = { ...one, grantsAdministration: true, shownName: "other" }
      await write({ change: "identityChanged", identity: { ...changed, provider: "other", linkedAt: 1 } })
      assert.deepEqual((await db.store.read({ identity: one.identityHash })).identity, changed)
      await write({ change: "identityRemoved", identity: one })
      assert.deepEqual((await db.store.read({ identity: one.identityHash })).identity, null)
    })

    it("UP-1 one subject of an issuer belongs to one account, and goes with it", async () => {
      await write({ change: "identityAdded", identity: identity(0) })
      await assert.rejects(
        write({ change: "identityAdded", identity: { ...identity(0), userId: id("a", 1) } }),
      )
      await write({ change: "accountRemoved", userId: id("a") })
      assert.equal((await db.store.read({ identity: identity(0).identityHash })).identity, null)
    })

    it("UP-1 the links of a provider are listed in pages", async () => {
      const all = [0, 1, 2].map((at) => identity(at))
      await write(...all.map((one): Change => ({ change: "identityAdded", identity: one })), {
        change: "identityAdded",
        identity: identity(3, { provider: "other" }),
      })
      const first = await db.store.identities("corp", { limit: 2 })
      const rest = await db.store.identities("corp", { limit: 2, after: first[1]?.identityHash })
      assert.deepEqual(
        [...first, ...rest],
        all.toSorted((a, b) => (a.identityHash < b.identityHash ? -1 : 1)),
      )
    })

    it("UP-1 an administrator without a password is not the other administrator", async () => {
      const other = {
        ...account(1, { admin: true, username: "b", usernameKey: "b" }),
        passwordHash: NO_PASSWORD,
      }
      await write({ change: "accountChanged", account: other })
      assert.equal((await db.store.read({ otherAdministrator: id("a") })).otherAdministrator, null)
      await write({ change: "accountChanged", account: { ...other, passwordHash: account().passwordHash } })
      assert.notEqual((await db.store.read({ otherAdministrator: id("a") })).otherAdministrator, null)
    })
  })
}
