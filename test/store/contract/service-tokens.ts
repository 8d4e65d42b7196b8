/** Tests service accounts, bindings and their access tokens on every engine. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { DAY, NEVER } from "../../../src/kernel/time.ts"
import { SERVICE_TOKENS_KEPT } from "../../../src/kernel/limits.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import type { ServiceToken } from "../../../src/model/service-token.rules.ts"
import type { Store } from "../../../src/store/store.ts"
import { eachStore, type Open } from "./fixture.ts"
import {
  account,
  bindingCredential,
  boundClient,
  client,
  hash,
  id,
  NOW,
  serviceAccount,
  serviceToken,
} from "../samples.ts"

export function serviceContract(name: string, open: Open): void {
  describe(`service accounts on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db

    const { clientId } = client()
    const tokenId = id<TokenId>("t")
    const bound = (): Change[] => [
      { change: "accountAdded", account: serviceAccount() },
      { change: "clientAdded", client: boundClient() },
      { change: "credentialAdded", credential: bindingCredential() },
    ]
    const issue = (number: number, differing: Partial<ServiceToken> = {}) =>
      db.store.change({ boundCredential: clientId }, () =>
        decided(null, { change: "serviceTokenAdded", token: serviceToken(number, differing) }),
      )
    const isKept = async (number: number) =>
      (await db.store.read({ serviceToken: serviceToken(number).hash })).serviceToken !== null

    it("SERVICE-1 the account, with its owner, who may be removed", async () => {
      const owner = account()
      const owned = serviceAccount(9, { ownerId: owner.userId })
      await write({ change: "accountAdded", account: owner }, { change: "accountAdded", account: owned })
      assert.deepEqual((await db.store.read({ account: owned.userId })).account, owned)
      assert.deepEqual(await db.store.accounts({ limit: 9 }, { type: "service" }), [owned])
      assert.deepEqual(await db.store.accounts({ limit: 9 }, { type: "person" }), [owner])
      assert.deepEqual(await db.store.accounts({ limit: 9 }, { ownerId: owner.userId }), [owned])
      await write({ change: "accountRemoved", userId: owner.userId })
      assert.deepEqual((await db.store.read({ account: owned.userId })).account, { ...owned, ownerId: null })
    })

    it("SERVICE-1 it counts neither as an account that signs in nor as another administrator", async () => {
      const first = account(0, { admin: true })
      await write({ change: "accountAdded", account: serviceAccount(9, { admin: true }) })
      assert.deepEqual(await db.store.read({ anyAccount: true }), { anyAccount: null })
      await write({ change: "accountAdded", account: first })
      const load = { anyAccount: true, otherAdministrator: first.userId } as const
      assert.deepEqual(await db.store.read(load), {
        anyAccount: { userId: first.userId },
        otherAdministrator: null,
      })
    })

    it("SERVICE-2 the credential and the account of a binding are found by the app", async () => {
      const load = { client: clientId, boundCredential: clientId, boundAccount: clientId } as const
      assert.deepEqual(await db.store.read({ ...load, anyBinding: true }), {
        client: null,
        boundCredential: null,
        boundAccount: null,
        anyBinding: null,
      })
      await write(...bound())
      assert.deepEqual(await db.store.read({ ...load, anyBinding: true }), {
        client: boundClient(),
        boundCredential: bindingCredential(),
        boundAccount: serviceAccount(),
        anyBinding: { clientId },
      })
      await write({ change: "clientChanged", client: boundClient(0, { binding: null }) })
      assert.deepEqual(await db.store.read({ boundCredential: clientId, anyBinding: true }), {
        boundCredential: null,
        anyBinding: null,
      })
    })

    it("SERVICE-7 a removed service account leaves its apps without a binding", async () => {
      await write(...bound())
      const { userId } = serviceAccount()
      await write(
        { change: "credentialsRevoked", of: { userId }, at: NOW + 5, because: "account-removed" },
        { change: "accountRemoved", userId },
      )
      const found = await db.store.read({ client: clientId, boundCredential: clientId, credential: tokenId })
      assert.equal(found.client?.binding, null)
      assert.equal(found.boundCredential, null)
      assert.equal(found.credential?.life.state, "revoked")
      assert.deepEqual(await db.store.verify(), [])
    })

    it("LIM-10 access tokens have rows of their own, found by their digests", async () => {
      await write(...bound())
      const narrow = serviceToken(1, { resources: ["https://api.example/"], scope: ["apps:read"] as never })
      await issue(0)
      await issue(1, narrow)
      assert.deepEqual(
        (await db.store.read({ serviceToken: hash("service0_") })).serviceToken,
        serviceToken(),
      )
      assert.deepEqual((await db.store.read({ serviceToken: narrow.hash })).serviceToken, narrow)
      assert.deepEqual((await db.store.read({ latestServiceTokens: tokenId })).latestServiceTokens, [
        narrow,
        serviceToken(),
      ])
      await write({ change: "serviceTokenEnded", token: narrow, because: "revoked" })
      assert.deepEqual([await isKept(0), await isKept(1)], [true, false])
      assert.deepEqual(await db.store.verify(), [])
    })

    it("LIM-10 one more than a thousand live ones ends the oldest, and no other credential's", async () => {
      const other = id<TokenId>("t", 1)
      await write(
        ...bound(),
        { change: "clientAdded", client: boundClient(1) },
        { change: "credentialAdded", credential: bindingCredential(1) },
        { change: "serviceTokenAdded", token: serviceToken(5000, { tokenId: other }) },
      )
      const some = Array.from({ length: SERVICE_TOKENS_KEPT }, (_, i) => i)
      for (const number of some.slice(0, -20)) await issue(number)
      await Promise.all(some.slice(-20).map((number) => issue(number)))
      assert.deepEqual([await isKept(0), await isKept(SERVICE_TOKENS_KEPT - 1)], [true, true])
      await issue(SERVICE_TOKENS_KEPT)
      const kept = await Promise.all([0, 1, SERVICE_TOKENS_KEPT, 5000].map(isKept))
      assert.deepEqual(kept, [false, true, true, true])
      await write({ change: "serviceTokenEnded", token: serviceToken(7), because: "revoked" })
      await issue(SERVICE_TOKENS_KEPT + 1)
      assert.equal(await isKept(1), true, "one had ended: there is room")
    })

    it("LIM-10 the limit is exact however many ask at once, also by several nodes", async () => {
      const other = await db.opened.another()
      await write(...bound())
      const numbers = Array.from({ length: SERVICE_TOKENS_KEPT + 60 }, (_, i) => i)
      const issueOn = (on: Store, number: number) =>
        on.change({ boundCredential: clientId }, () =>
          decided(null, { change: "serviceTokenAdded", token: serviceToken(number) }),
        )
      await Promise.all(numbers.map((number) => issueOn(number % 2 === 0 ? db.store : other, number)))
      const kept = await Promise.all(numbers.map(isKept))
      assert.equal(kept.filter(Boolean).length, SERVICE_TOKENS_KEPT)
      assert.deepEqual(await db.store.verify(), [])
    })

    it("LIM-10 expired ones do not count, and go by themselves", async () => {
      await write(...bound())
      await issue(0)
      const numbers = Array.from({ length: SERVICE_TOKENS_KEPT - 1 }, (_, i) => i + 1)
      await Promise.all(numbers.map((number) => issue(number, { expiresAt: NOW + 60 })))
      await issue(5000, { issuedAt: NOW + 61, expiresAt: NOW + 7200 })
      assert.deepEqual([await isKept(0), await isKept(5000)], [true, true])
      while ((await db.store.sweep(NOW + 61, 500)) > 0);
      assert.deepEqual([await isKept(0), await isKept(1), await isKept(5000)], [true, false, true])
      await db.store.sweep(NOW + 3600, 500)
      assert.deepEqual([await isKept(0), await isKept(5000)], [false, true])
    })

    it("SERVICE-6 the credential does not end by time, and is no longer found once it was revoked and swept", async () => {
      await write(...bound())
      await db.store.sweep(NOW + 4000 * DAY, 99)
      const { boundCredential } = await db.store.read({ boundCredential: clientId })
      assert.deepEqual(boundCredential, bindingCredential())
      assert.equal((await db.store.credentials({ live: NOW + 4000 * DAY }, { limit: 9 })).length, 1)
      assert.equal(boundCredential?.consent.endsAt, NEVER)
      const revokedAt = NOW + 5
      await db.store.change({ boundCredential: clientId }, ({ boundCredential: found }) => {
        assert.ok(found?.life.state === "active")
        const { family } = found.life
        const life = { state: "revoked", family, revokedAt, because: "administrator" } as const
        return decided(null, { change: "credentialChanged", credential: { ...found, life } })
      })
      assert.deepEqual(await db.store.verify(), [])
      await db.store.sweep(revokedAt + 9 * DAY, 99)
      assert.equal((await db.store.read({ boundCredential: clientId })).boundCredential, null)
    })
  })
}
