/** Remembered consents on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { UserId } from "../../../src/kernel/ids.ts"
import { decided } from "../../../src/model/change.rules.ts"
import type { Client } from "../../../src/model/clients/client.rules.ts"
import { account, client, id, keyClient, NOW, remembered } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

const app = { ...keyClient(), rememberConsent: true, ownerId: id<UserId>("a", 1) }
const other = client(1, { rememberConsent: true })

export function rememberedConsentContract(name: string, open: Open): void {
  describe(`remembered consents on ${name}`, () => {
    const db = eachStore(
      open,
      { change: "accountAdded", account: account() },
      { change: "accountAdded", account: account(1) },
      { change: "clientAdded", client: app },
      { change: "clientAdded", client: other },
    )
    const of = async (number = 0) =>
      (await db.store.read({ rememberedConsents: id<UserId>("a", number) })).rememberedConsents
    const add = (...rows: readonly ReturnType<typeof remembered>[]) =>
      db.write(...rows.map((row) => ({ change: "rememberedAdded", remembered: row }) as const))
    const change = (more: Partial<Client>) =>
      db.write({ change: "clientChanged", client: { ...app, ...more } })

    it("OIDC-16 come back by their account, oldest first, and one of them ends", async () => {
      const first = remembered(app, 1, { scope: ["a:b", "c:d"] as never, resources: ["https://a.example/"] })
      const second = remembered(app, 0, { clickedAt: NOW + 5 })
      const others = remembered(app, 2, { userId: id("a", 1) })
      await add(second, first, others)
      assert.deepEqual(await of(), [first, second])
      assert.deepEqual(await of(1), [others])
      await db.write({ change: "rememberedEnded", id: first.id, userId: first.userId })
      assert.deepEqual(await of(), [second])
      await db.reopen()
      assert.deepEqual(await of(), [second])
    })

    it("OIDC-17 end with the redirect URIs, the keys, the owner and the switch of their app", async () => {
      const changes: readonly Partial<Client>[] = [
        { redirectUris: ["https://evil.example/"] },
        { keys: { jwks: null, jwksUri: "https://app.example/jwks", algorithm: null, workload: null } },
        { ownerId: null },
        { rememberConsent: false },
      ]
      const kept = remembered(other, 9)
      await add(kept)
      for (const changed of changes) {
        await add(remembered(app))
        await change({ name: "Other", enabled: false, verified: true })
        assert.equal((await of())?.length, 2)
        await change(changed)
        await change({})
        assert.deepEqual(await of(), [kept])
      }
    })

    it("OIDC-17 end with their account, with their app, and with the account of its owner", async () => {
      await add(remembered(app), remembered(other, 1))
      await db.write({ change: "clientRemoved", clientId: other.clientId })
      assert.equal((await of())?.length, 1)
      await db.write({ change: "accountRemoved", userId: id("a", 1) })
      assert.deepEqual(await of(), [])
      await db.write({ change: "clientChanged", client: { ...app, ownerId: null } })
      await add(remembered(app))
      await db.write({ change: "accountRemoved", userId: id("a") })
      assert.deepEqual(await of(), [])
      assert.deepEqual(await db.store.verify(), [])
    })

    it("OIDC-16 are deleted when their year is over", async () => {
      const [over, lasting] = [remembered(app, 0, { endsAt: NOW - 1 }), remembered(app, 1)]
      await add(over, lasting)
      await db.store.sweep(NOW, 100)
      assert.deepEqual(await of(), [lasting])
    })

    it("OIDC-17 a change that uses one runs before or after the change that ends it", async () => {
      const row = remembered(app)
      for (let round = 0; round < 5; round++) {
        await add(row)
        const use = db.store.change(
          { client: app.clientId, account: row.userId, rememberedConsents: row.userId },
          ({ rememberedConsents }) => decided(rememberedConsents?.length),
        )
        const end = db.write({ change: "rememberedEnded", id: row.id, userId: row.userId })
        const [found] = await Promise.all([use, end])
        assert.ok(found === 0 || found === 1)
        assert.deepEqual(await of(), [])
      }
    })
  })
}
