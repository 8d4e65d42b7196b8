/** Tests approved device grants whose tokens are fetched in batches, with three stores on one database. */
import assert from "node:assert/strict"
import { afterEach, beforeEach, describe, it } from "node:test"
import type { GrantId, TokenId } from "../../../../src/kernel/ids.ts"
import { type Change, decided } from "../../../../src/model/change.rules.ts"
import { event } from "../../../../src/model/event.rules.ts"
import { openPostgres } from "../../../../src/store/postgres/postgres-store.ts"
import type { Store } from "../../../../src/store/store.ts"
import { freshDatabase, needsPostgres } from "../../../support/postgres.ts"
import { account, active, approval, client, deviceGrant, id, NOW } from "../../samples.ts"

describe("approved device grants on PostgreSQL", needsPostgres, () => {
  let stores: Store[] = []
  let first: Store
  let commits: number[] = []
  let drop: () => Promise<void>
  beforeEach(async () => {
    const fresh = await freshDatabase({ migrated: true })
    ;({ drop } = fresh)
    commits = []
    const options = { poolSize: 6, committed: (changes: number) => void commits.push(changes) }
    stores = await Promise.all([0, 1, 2].map(() => openPostgres(fresh.url, options)))
    first = stores[0] as Store
    await write(
      { change: "accountAdded", account: account() },
      { change: "clientAdded", client: client() },
      ...Array.from({ length: GRANTS }, (_, number): Change => ({
        change: "deviceGrantAdded",
        grant: deviceGrant(number, approval()),
      })),
    )
  })
  afterEach(async () => {
    for (const store of stores) await store.close()
    await drop()
  })

  const GRANTS = 40
  const { userId } = account()
  const { clientId } = client()
  const write = (...changes: Change[]) => first.change({}, () => decided(null, ...changes))
  const grantId = (number: number) => id<GrantId>("g", number)

  /** Polls as a device does. Returns whether the tokens were fetched. */
  const fetch = (store: Store, number: number, tokenId = id<TokenId>("t", number)) =>
    store.change(
      { client: clientId, deviceGrant: grantId(number), approverOf: grantId(number) },
      ({ client: app, deviceGrant: grant, approverOf: approver }) => {
        if (app?.enabled !== true || approver?.enabled !== true || grant?.answer.state !== "approved")
          return decided(false)
        return decided(
          true,
          {
            change: "deviceGrantChanged",
            grant: { ...grant, answer: { state: "redeemed", redeemedAt: NOW + 11, userId } },
          },
          { change: "credentialAdded", credential: active(number, { tokenId }) },
          {
            change: "eventRecorded",
            event: event("device-code-redeemed", NOW, { userId, clientId, tokenId }),
          },
        )
      },
    )
  const everywhere = <T>(count: number, call: (store: Store, number: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, number) => call(stores[number % 3] as Store, number)))
  const fetchAll = (times: number) =>
    everywhere(times * GRANTS, (store, number) => fetch(store, Math.floor(number / times)))
  const held = () => first.credentials({ clientId }, { limit: 2 * GRANTS })

  it("DG-2 DG-7 are fetched once each, by one of three who ask at once, with the whole credential and its event", async () => {
    const answers = await fetchAll(3)
    assert.equal(answers.filter((isFetched) => isFetched).length, GRANTS)
    for (let number = 0; number < GRANTS; number++)
      assert.equal(answers.slice(3 * number, 3 * number + 3).filter((isFetched) => isFetched).length, 1)
    for (let number = 0; number < GRANTS; number++) {
      const tokenId = id<TokenId>("t", number)
      assert.deepEqual((await first.read({ credential: tokenId })).credential, active(number))
      assert.deepEqual((await first.read({ deviceGrant: grantId(number) })).deviceGrant?.answer, {
        state: "redeemed",
        redeemedAt: NOW + 11,
        userId,
      })
      const events = await first.events({ tokenId }, { limit: 9 })
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ["device-code-redeemed"],
      )
    }
    assert.deepEqual(await first.verify(), [])
  })

  it("share a commit", async () => {
    await Promise.all(Array.from({ length: GRANTS }, (_, number) => fetch(first, number)))
    // The outcome of a commit is known only when all of it is answered.
    await first.close()
    assert.ok(commits.includes(GRANTS), commits.join(" "))
  })

  for (const [what, changes] of [
    [
      "an account that is disabled",
      [
        { change: "accountChanged", account: account(0, { enabled: false }) },
        { change: "credentialsRevoked", of: { userId }, at: NOW, because: "account-removed" },
        { change: "approvalsDenied", userId, at: NOW },
      ],
    ],
    [
      "an account that is removed",
      [
        { change: "credentialsRevoked", of: { userId }, at: NOW, because: "account-removed" },
        { change: "approvalsDenied", userId, at: NOW },
        { change: "accountRemoved", userId },
      ],
    ],
    [
      "an app that is removed",
      [
        { change: "credentialsRevoked", of: { clientId }, at: NOW, because: "app-removed" },
        { change: "clientRemoved", clientId },
      ],
    ],
  ] as const satisfies readonly (readonly [string, readonly Change[]])[])
    it(`CRED-3 DG-6 ${what} among fetches leaves no live credential behind`, async () => {
      const [answers] = await Promise.all([
        fetchAll(2),
        (stores[1] as Store).change({ account: userId, client: clientId }, () => decided(null, ...changes)),
      ])
      const rows = await held()
      assert.equal(rows.length, answers.filter((isFetched) => isFetched).length)
      for (const { credential } of rows) assert.equal(credential.life.state, "revoked")
      assert.deepEqual(
        await fetchAll(1),
        Array.from({ length: GRANTS }, () => false),
      )
      assert.equal((await held()).length, rows.length)
      assert.deepEqual(await first.verify(), [])
    })

  it("one that cannot be written fails alone: the others, and refreshes beside it, are written once", async () => {
    await write(
      { change: "credentialAdded", credential: active(100) },
      { change: "credentialAdded", credential: active(101) },
    )
    const refresh = first.change({ credential: id<TokenId>("t", 101) }, ({ credential }) => {
      if (credential?.life.state !== "active") return decided(0)
      const family = { ...credential.life.family, generation: credential.life.family.generation + 1 }
      return decided(family.generation, {
        change: "credentialChanged",
        credential: { ...credential, life: { ...credential.life, family } },
      })
    })
    const [fetched, taken, generation] = await Promise.all([
      Promise.all(Array.from({ length: 9 }, (_, number) => fetch(first, number))),
      fetch(first, 9, id<TokenId>("t", 100)).catch((error: unknown) => error),
      refresh,
    ])
    assert.ok(fetched.every((isFetched) => isFetched))
    assert.ok(taken instanceof Error)
    assert.equal(generation, 2)
    const { credential } = await first.read({ credential: id<TokenId>("t", 101) })
    assert.ok(credential?.life.state === "active")
    assert.equal(credential.life.family.generation, 2)
    assert.equal((await first.read({ deviceGrant: grantId(9) })).deviceGrant?.answer.state, "approved")
    assert.equal((await held()).length, 11)
  })
})
