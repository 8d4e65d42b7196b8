/** Apps on every engine, with their icons. Part of the contract of the store. */
import assert from "node:assert/strict"
import { beforeEach, describe, it } from "node:test"
import { CREDENTIAL_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY, HOUR } from "../../../src/kernel/time.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import type { Client } from "../../../src/model/clients/client.rules.ts"
import { deletedUnlessUsedAt } from "../../../src/model/self-registration.rules.ts"
import { bucketAt } from "../../../src/model/tally.rules.ts"
import type { Store } from "../../../src/store/store.ts"
import type { Page } from "../../../src/store/list-shapes.ts"
import { account, client, hash, id, NOW } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function clientContract(name: string, open: Open): void {
  describe(`apps on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db

    it("CLIENT an app, changed and removed with its icon", async () => {
      const clientId = client().clientId
      const confidential = client(0, {
        type: "confidential",
        secretHash: hash("secret"),
        resourceServer: true,
      })
      const icon = { png: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0]), hash: hash("icon") }
      await write(
        { change: "accountAdded", account: account() },
        { change: "clientAdded", client: confidential },
        { change: "iconSet", clientId, icon: { ...icon, hash: hash("earlier") } },
        { change: "iconSet", clientId, icon },
      )
      const added = await db.store.read({ client: clientId, icon: clientId })
      assert.deepEqual(added.client, { ...confidential, iconHash: icon.hash })
      assert.equal(added.icon?.hash, icon.hash)
      assert.deepEqual(new Uint8Array(added.icon?.png ?? []), icon.png)

      const changed = { ...confidential, name: "Other", ownerId: account().userId, enabled: false }
      await write({ change: "clientChanged", client: changed }, { change: "iconSet", clientId, icon: null })
      assert.deepEqual(await db.store.read({ client: clientId, icon: clientId }), {
        client: changed,
        icon: null,
      })

      await write(
        { change: "iconSet", clientId, icon },
        { change: "clientRemoved", clientId },
        { change: "accountRemoved", userId: account().userId },
      )
      assert.deepEqual(await db.store.read({ client: clientId, icon: clientId }), {
        client: null,
        icon: null,
      })
    })

    describe("apps", () => {
      const owner = account().userId
      const apps = [
        client(0, { name: "Paper clip" }),
        client(1, { name: "CLIPboard", ownerId: owner, registeredBy: "user" }),
        client(2, { name: "100% clip_on", registeredBy: "itself", deleteAfter: NOW + DAY }),
        client(3, { name: "Häuser", ownerId: owner, registeredBy: "user" }),
      ]
      const list = async (page: Page, filter?: Parameters<Store["clients"]>[1]) =>
        (await db.store.clients(page, filter)).map(({ clientId }) => Number(clientId.slice(-2)))
      beforeEach(() =>
        write(
          { change: "accountAdded", account: account() },
          ...apps.map((one): Change => ({ change: "clientAdded", client: one })),
        ),
      )

      it("are listed by owner, by registrar and by name, a page at a time", async () => {
        assert.deepEqual(await list({ limit: 9 }, { ownerId: owner }), [1, 3])
        assert.deepEqual(await list({ limit: 9, newestFirst: true }, { ownerId: owner }), [3, 1])
        assert.deepEqual(await list({ limit: 9, after: id("c", 1) }, { ownerId: owner }), [3])
        assert.deepEqual(await list({ limit: 9 }, { registeredBy: "itself" }), [2])
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "clip" }), [0, 1, 2])
        assert.deepEqual(await list({ limit: 1, newestFirst: true }, { nameContains: "clip" }), [2])
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "clip", registeredBy: "user" }), [1])
      })

      it("GROUP-18 are listed by a group that they are for", async () => {
        const forGroups = (n: number, groups: readonly string[]): Change => ({
          change: "clientAdded",
          client: client(n, { name: `For ${n}`, groups }),
        })
        await write(forGroups(5, ["a_b", "sales"]), forGroups(6, ["axb"]), forGroups(7, ["sales", "z"]))
        assert.deepEqual(await list({ limit: 9 }, { group: "sales" }), [5, 7])
        assert.deepEqual(await list({ limit: 1 }, { group: "sales", registeredBy: "administrator" }), [5])
        assert.deepEqual(await list({ limit: 9 }, { group: "a_b" }), [5])
        assert.deepEqual(await list({ limit: 9 }, { group: "sale" }), [])
      })

      it("no letter of a search is a pattern", async () => {
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "%" }), [2])
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "_" }), [2])
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "!" }), [])
        assert.deepEqual(await list({ limit: 9 }, { nameContains: "äus" }), [3])
      })
    })

    it("apps are listed by what the service says of them", async () => {
      await write(
        { change: "clientAdded", client: client(0, { verified: true }) },
        { change: "clientAdded", client: client(1, { enabled: false }) },
        { change: "clientAdded", client: client(2, { verified: true, enabled: false }) },
      )
      const list = async (filter: Parameters<Store["clients"]>[1]) =>
        (await db.store.clients({ limit: 9 }, filter)).map(({ clientId }) => Number(clientId.slice(-3)))
      assert.deepEqual(await list({ verified: true }), [0, 2])
      assert.deepEqual(await list({ verified: false }), [1])
      assert.deepEqual(await list({ enabled: false }), [1, 2])
      assert.deepEqual(await list({ enabled: true, verified: true }), [0])
    })

    it("an app that registered itself goes when its time is over, and no other", async () => {
      const itself = client(1, { registeredBy: "itself", deleteAfter: NOW + DAY })
      await write({ change: "clientAdded", client: client() }, { change: "clientAdded", client: itself })
      const apps = async () => (await db.store.clients({ limit: 9 })).map(({ clientId }) => clientId)
      await db.store.sweep(NOW + DAY - 1, 9)
      assert.deepEqual(await apps(), [id("c", 0), id("c", 1)])
      await db.store.sweep(NOW + DAY, 9)
      assert.deepEqual(await apps(), [id("c", 0)])
      assert.deepEqual(await db.store.read({ client: id("c", 1) }), { client: null })
    })

    it("RATE-5 above a number apps without a consent go, the oldest first, none younger than an hour", async () => {
      const gone = (at: number) => deletedUnlessUsedAt(at)
      const added = (number: number, differing: Partial<Client>): Change => ({
        change: "clientAdded",
        client: client(number, { registeredBy: "itself", issuedAt: NOW, ...differing }),
      })
      const said = (seed: string) => ({ registrationHash: hash(seed) })
      const consented = { registrationHash: null, deleteAfter: gone(NOW + CREDENTIAL_SECONDS) }
      await write(
        added(0, { deleteAfter: gone(NOW) }),
        added(1, { deleteAfter: gone(NOW), ...said("one") }),
        added(2, { deleteAfter: gone(NOW + 200 * DAY), ...said("said again") }),
        added(3, consented),
        added(4, { deleteAfter: null }),
        added(5, { registeredBy: "administrator" }),
        added(6, { deleteAfter: gone(NOW + 9), issuedAt: NOW + 9 }),
        added(7, { deleteAfter: gone(NOW + HOUR), issuedAt: NOW + HOUR }),
      )
      const there = async () => (await db.store.clients({ limit: 99 })).map(({ clientId }) => clientId)
      const but = (...numbers: readonly number[]) =>
        [0, 1, 2, 3, 4, 5, 6, 7]
          .filter((number) => !numbers.includes(number))
          .map((number) => client(number).clientId)
          .toSorted()
      const at = NOW + HOUR
      assert.equal(await db.store.sweepUnusedApps(at, 5, 9), 0)
      assert.equal(await db.store.sweepUnusedApps(at - 1, 0, 9), 0)
      assert.equal(await db.store.sweepUnusedApps(at, 3, 1), 1)
      assert.deepEqual(await there(), but(0))
      assert.equal(await db.store.sweepUnusedApps(at, 3, 9), 1)
      assert.deepEqual(await there(), but(0, 1))
      assert.equal(await db.store.sweepUnusedApps(at + 9, 0, 9), 1)
      assert.deepEqual(await there(), but(0, 1, 6))
      assert.equal(await db.store.sweepUnusedApps(NOW + 900 * DAY, 0, 9), 2)
      assert.deepEqual(await there(), but(0, 1, 2, 6, 7), "consented to, looked after, or not its own")
    })

    it("RATE-5 the counts of an app go before an app without a consent, a batch at a time, and no others", async () => {
      const goneAt = deletedUnlessUsedAt(NOW)
      const [unused, used] = [
        client(0, { registeredBy: "itself", deleteAfter: goneAt, issuedAt: NOW }),
        client(1),
      ]
      const counts = [unused, used].flatMap(({ clientId }) =>
        [0, 1, 2].map((day) => ({
          grain: "day" as const,
          at: bucketAt("day", NOW) - day * DAY,
          name: "credential.issued",
          clientId,
          count: 1,
        })),
      )
      await write(
        { change: "clientAdded", client: unused },
        { change: "clientAdded", client: used },
        { change: "tallied", tallies: counts },
      )
      const left = async ({ clientId }: Client) =>
        (await db.store.tallies({ grain: "day", since: 0, until: NOW + DAY, clientId })).length
      assert.equal(await db.store.sweepUnusedApps(NOW + HOUR, 0, 2), 2)
      assert.deepEqual([await left(unused), (await db.store.clients({ limit: 9 })).length], [1, 2])
      assert.equal(await db.store.sweepUnusedApps(NOW + HOUR, 0, 2), 2)
      assert.deepEqual([await left(unused), await left(used)], [0, 3])
      const clients = await db.store.clients({ limit: 9 })
      assert.deepEqual(
        clients.map(({ clientId }) => clientId),
        [used.clientId],
      )
    })
  })
}
