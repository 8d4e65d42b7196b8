/** Tests how every engine stores keys and assertions. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { ASSERTIONS_KEPT_SECONDS } from "../../../src/kernel/limits.ts"
import { decided } from "../../../src/model/change.rules.ts"
import type { FetchedKeys } from "../../../src/model/clients/client.rules.ts"
import { metaKeys } from "../../../src/store/loadable.ts"
import type { Store } from "../../../src/store/store.ts"
import { eachStore, type Open } from "./fixture.ts"
import { client, hash, keyClient, NOW } from "../samples.ts"

export function keyContract(name: string, open: Open): void {
  describe(`keys on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db

    it("KEY-1, WORK-1 a client comes back with its keys, or the address of them, and either replaces a secret", async () => {
      const secret = client(0, { type: "confidential", secretHash: hash("secret") })
      await write({ change: "clientAdded", client: secret })
      assert.deepEqual(await db.store.read({ anyClientWithKeys: true }), { anyClientWithKeys: null })
      for (const changed of [
        keyClient(0, { algorithm: "PS256" }),
        keyClient(0, { jwks: null, jwksUri: "https://app.example/keys" }),
        keyClient(0, { workload: { issuer: "https://issuer.example", audience: "a", subject: "b:c:*" } }),
      ]) {
        await write({ change: "clientChanged", client: changed })
        assert.deepEqual((await db.store.read({ client: changed.clientId })).client, changed)
        assert.deepEqual((await db.store.read({ anyClientWithKeys: true })).anyClientWithKeys, changed)
      }
    })

    it("KEY-1 a confidential client without secret and key, or with both, and a public one with a key are faults", async () => {
      for (const wrong of [
        client(0, { type: "confidential" }),
        { ...keyClient(), secretHash: hash("secret") },
        { ...keyClient(), type: "public" as const },
        keyClient(0, { jwks: null, workload: { issuer: "i", audience: "a", subject: "s" } }),
      ])
        await assert.rejects(write({ change: "clientAdded", client: wrong }))
    })

    it("KEY-8 fetched keys are replaced by the next fetch, and go with their client", async () => {
      const { clientId } = keyClient()
      const failed: FetchedKeys = {
        clientId,
        jwksUri: "https://app.example/keys",
        triedAt: NOW,
        problem: "status 404",
        copy: null,
      }
      const fetched = { ...failed, triedAt: NOW + 1, problem: null, copy: { jwks: "{}", fetchedAt: NOW + 1 } }
      await write({ change: "clientAdded", client: keyClient() })
      for (const one of [failed, fetched, { ...fetched, triedAt: NOW + 2, problem: "status 500" }]) {
        await write({ change: "keysFetched", fetched: one })
        assert.deepEqual(await db.store.read({ fetchedKeys: clientId }), { fetchedKeys: one })
      }
      await write({ change: "clientRemoved", clientId })
      assert.deepEqual(await db.store.read({ fetchedKeys: clientId }), { fetchedKeys: null })
    })

    it("KEY-5 of 100 changes that spend one assertion on two nodes, one does, and the others find its body", async () => {
      const second = await db.opened.another()
      const assertionHash = hash("assertion")
      const spend = (from: Store, place: number) =>
        from.change({ spentAssertion: assertionHash }, ({ spentAssertion: found }) =>
          found === null
            ? decided(hash(place), {
                change: "assertionSpent",
                spent: { assertionHash, bodyHash: hash(place), deleteAfter: NOW + 600 },
              })
            : decided(found.bodyHash),
        )
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, place) => spend(place % 2 === 0 ? db.store : second, place)),
      )
      assert.equal(new Set(answers).size, 1)
      await second.close()
    })

    it("KEY-5 a spent assertion goes an hour after it has expired, and the latest of those stays known", async () => {
      const of = (one: string, deleteAfter: number) => ({
        change: "assertionSpent" as const,
        spent: { assertionHash: hash(one), bodyHash: hash("body"), deleteAfter },
      })
      const [first, second] = [of("assertion", NOW + 600), of("other", NOW + 601)]
      await write(first)
      await write(second)
      await write(of("third", NOW + 900))
      const load = { spentAssertion: first.spent.assertionHash, meta: metaKeys.assertionsSwept }
      await db.store.sweep(NOW + 599 + ASSERTIONS_KEPT_SECONDS, 10)
      assert.deepEqual(await db.store.read(load), { spentAssertion: first.spent, meta: null })
      assert.equal(await db.store.sweep(NOW + 899 + ASSERTIONS_KEPT_SECONDS, 1), 1)
      assert.deepEqual(await db.store.read(load), {
        spentAssertion: null,
        meta: { value: String(NOW + 600) },
      })
      assert.equal(await db.store.sweep(NOW + 899 + ASSERTIONS_KEPT_SECONDS, 10), 1)
      const swept = { spentAssertion: null, meta: { value: String(NOW + 601) } }
      assert.deepEqual(await db.store.read(load), swept)
      // A clock that was set back sweeps what it finds, and what is known stays.
      await write(of("earlier", NOW - 10))
      assert.equal(await db.store.sweep(NOW + ASSERTIONS_KEPT_SECONDS, 10), 1)
      assert.deepEqual(await db.store.read(load), swept)
      assert.deepEqual(await db.store.verify(), [])
    })
  })
}
