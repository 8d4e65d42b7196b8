/**
 * Tests rules against races, with three stores on one database. SQLite has only one writer, so it has no such races.
 */
import assert from "node:assert/strict"
import { afterEach, beforeEach, describe, it } from "node:test"
import type { TokenId, UserId } from "../../../../src/kernel/ids.ts"
import { type Change, decided } from "../../../../src/model/change.rules.ts"
import { updateAccount } from "../../../../src/accounts/account-by-id.ts"
import { renameAccount } from "../../../../src/accounts/accounts.ts"
import { openPostgres } from "../../../../src/store/postgres/postgres-store.ts"
import type { Store } from "../../../../src/store/store.ts"
import { freshDatabase, needsPostgres, rowsOf } from "../../../support/postgres.ts"
import {
  account,
  active,
  approval,
  client,
  deviceGrant,
  hash,
  id,
  issued,
  NOW,
  session,
  factors,
} from "../../samples.ts"

const clock = { now: () => NOW, monotonic: () => NOW }

describe("three nodes on one PostgreSQL database", needsPostgres, () => {
  let stores: Store[] = []
  let first: Store
  let url: string
  let drop: () => Promise<void>
  beforeEach(async () => {
    const fresh = await freshDatabase({ migrated: true })
    ;({ url, drop } = fresh)
    stores = await Promise.all([0, 1, 2].map(() => openPostgres(fresh.url, { poolSize: 6 })))
    first = stores[0] as Store
    await write(
      first,
      { change: "accountAdded", account: account() },
      { change: "clientAdded", client: client() },
    )
  })
  afterEach(async () => {
    for (const store of stores) await store.close()
    await drop()
  })

  const write = (store: Store, ...changes: Change[]) => store.change({}, () => decided(null, ...changes))
  const { userId } = account()
  const { clientId } = client()
  const tokenId = id<TokenId>("t")
  /** Makes `count` calls. Each goes to the next store. */
  const everywhere = <T>(count: number, call: (store: Store, number: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, number) => call(stores[number % 3] as Store, number)))

  const refresh = (store: Store, key = tokenId) =>
    store.change({ credential: key, ownerOf: key }, ({ credential, ownerOf }) => {
      if (credential?.life.state !== "active" || ownerOf === null) return decided(null)
      const { family } = credential.life
      const next = { ...family, generation: family.generation + 1 }
      const life = { ...credential.life, family: next }
      return decided(next.generation, { change: "credentialChanged", credential: { ...credential, life } })
    })

  it("CRED-1 of 192 refreshes of one credential each is the next, and none is lost", async () => {
    await write(first, { change: "credentialAdded", credential: active() })
    const generations = await everywhere(192, (store) => refresh(store))
    assert.equal(new Set(generations).size, 192)
    const { credential } = await first.read({ credential: tokenId })
    assert.ok(credential?.life.state === "active")
    assert.equal(credential.life.family.generation, Math.max(...generations.map(Number)))
  })

  it("of nine changes of a setting that is not stored yet, none is lost", async () => {
    const increment = (store: Store) =>
      store.change({ setting: "counter" }, ({ setting }) => {
        const value = String(Number(setting?.value ?? 0) + 1)
        return decided(value, { change: "settingSet", key: "counter", value })
      })
    for (let round = 0; round < 30; round++) {
      const answers = await everywhere(9, increment)
      assert.deepEqual(
        answers.map(Number).toSorted((a, b) => a - b),
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
      )
      await write(first, { change: "settingUnset", key: "counter" })
    }
  })

  it("CRED-1 of 600 refreshes of many credentials none waits for a stranger, and each is written once", async () => {
    const tokens = Array.from({ length: 40 }, (_, number) => id<TokenId>("t", number))
    await write(
      first,
      ...tokens.map((_, number): Change => ({ change: "credentialAdded", credential: active(number) })),
    )
    const before = active().life
    assert.ok(before.state === "active")
    await everywhere(600, (store, number) => refresh(store, tokens[number % 40]))
    for (const key of tokens) {
      const { credential } = await first.read({ credential: key })
      assert.ok(credential?.life.state === "active")
      assert.equal(credential.life.family.generation, before.family.generation + 15)
    }
  })

  it("CRED-3 an account that is removed among refreshes and consents leaves no live credential behind", async () => {
    await write(
      first,
      ...Array.from({ length: 20 }, (_, number): Change => ({
        change: "credentialAdded",
        credential: active(number),
      })),
    )
    const consents = everywhere(30, (store, number) =>
      store.change({ account: userId, client: clientId }, ({ account: person }) =>
        person === null
          ? decided("gone")
          : decided("granted", { change: "credentialAdded", credential: issued(100 + number) }),
      ),
    )
    const refreshes = everywhere(60, (store, number) => refresh(store, id("t", number % 20)))
    const removal = (stores[1] as Store).change({ account: userId }, () =>
      decided(
        null,
        { change: "credentialsRevoked", of: { userId }, at: NOW, because: "account-removed" },
        { change: "accountRemoved", userId },
      ),
    )
    const [answers] = await Promise.all([consents, refreshes, removal])
    const held = await first.credentials({ userId }, { limit: 200 })
    assert.equal(held.length, 20 + answers.filter((answer) => answer === "granted").length)
    for (const { credential } of held) assert.equal(credential.life.state, "revoked")
  })

  it("CRED-3 an app that is removed among exchanges leaves no live credential behind", async () => {
    await write(
      first,
      ...Array.from({ length: 20 }, (_, number): Change => ({
        change: "credentialAdded",
        credential: issued(number),
      })),
    )
    const exchange = (store: Store, number: number) => {
      const key = id<TokenId>("t", number % 20)
      return store.change({ credential: key, client: clientId }, ({ credential, client: app }) =>
        app === null || credential?.life.state !== "issued"
          ? decided(false)
          : decided(true, {
              change: "credentialChanged",
              credential: { ...credential, life: active().life },
            }),
      )
    }
    const removal = (stores[2] as Store).change({ client: clientId }, () =>
      decided(
        null,
        { change: "credentialsRevoked", of: { clientId }, at: NOW, because: "app-removed" },
        { change: "clientRemoved", clientId },
      ),
    )
    await Promise.all([everywhere(60, exchange), removal])
    for (const { credential } of await first.credentials({ clientId }, { limit: 99 }))
      assert.equal(credential.life.state, "revoked")
  })

  it("DG-6 an account that is disabled among approvals has none that could be fetched", async () => {
    await write(
      first,
      ...Array.from({ length: 30 }, (_, number): Change => ({
        change: "deviceGrantAdded",
        grant: deviceGrant(number, { state: "pending" }),
      })),
    )
    const approvals = everywhere(30, (store, number) =>
      store.change(
        { deviceGrant: id("g", number), account: userId },
        ({ deviceGrant: grant, account: person }) =>
          grant === null || person?.enabled !== true
            ? decided(false)
            : decided(true, { change: "deviceGrantChanged", grant: { ...grant, answer: approval() } }),
      ),
    )
    const disabling = (stores[1] as Store).change({ account: userId }, ({ account: person }) =>
      person === null
        ? decided(null)
        : decided(
            null,
            { change: "accountChanged", account: { ...person, enabled: false } },
            { change: "approvalsDenied", userId, at: NOW },
          ),
    )
    await Promise.all([approvals, disabling])
    for (let number = 0; number < 30; number++) {
      const { deviceGrant: grant } = await first.read({ deviceGrant: id("g", number) })
      assert.notEqual(grant?.answer.state, "approved")
    }
  })

  it("two administrators who disable each other, ten times at once, leave one", async () => {
    const [ada, bob] = [account(1, { admin: true }), account(2, { admin: true })]
    await write(first, { change: "accountAdded", account: ada }, { change: "accountAdded", account: bob })
    const disable = (store: Store, whom: UserId) =>
      store.change({ account: whom, otherAdministrator: whom }, ({ account: person, otherAdministrator }) =>
        person === null || !person.enabled || otherAdministrator === null
          ? decided(false)
          : decided(true, { change: "accountChanged", account: { ...person, enabled: false } }),
      )
    const answers = await everywhere(20, (store, number) =>
      disable(store, number % 2 === 0 ? ada.userId : bob.userId),
    )
    assert.equal(answers.filter((isDone) => isDone).length, 1)
    assert.equal((await first.accounts({ limit: 9 }, { admin: true, enabled: true })).length, 1)
  })

  it("a name that 24 accounts take at once is given to one, and the others hear that it is taken", async () => {
    const people = Array.from({ length: 24 }, (_, number) => account(number + 1))
    await write(first, ...people.map((person): Change => ({ change: "accountAdded", account: person })))
    for (const username of ["ada", "bob", "cleo", "dora"]) {
      const answers = await everywhere(24, (store, number) =>
        renameAccount({ store, clock }, `Ada ${number + 1}`, username, { address: null }),
      )
      const [renamed, ...others] = answers.filter(({ ok }) => ok)
      assert.ok(renamed?.ok === true && others.length === 0)
      // The account has its old name again.
      await write(first, {
        change: "accountChanged",
        account: people.find(({ userId: one }) => one === renamed.value.userId) ?? account(),
      })
    }
  })

  it("administrators who put each other out and in again, 240 times at once, never wait in a ring", async () => {
    const people = [1, 2, 3].map((number) => account(number, { admin: true }))
    await write(first, ...people.map((person): Change => ({ change: "accountAdded", account: person })))
    await everywhere(240, (store, number) => {
      const person = people[(number >> 1) % 3] ?? account()
      const change = number % 5 < 2 ? { admin: number % 2 === 0 } : { enabled: number % 2 === 0 }
      return updateAccount({ store, clock }, person.userId, change, { address: null })
    })
    assert.ok((await first.accounts({ limit: 9 }, { admin: true, enabled: true })).length > 0)
    // A connection reports its statistics when it ends.
    for (const store of stores) await store.close()
    const sql = "SELECT deadlocks::integer AS n FROM pg_stat_database WHERE datname = current_database()"
    assert.deepEqual(await rowsOf(url, sql), [{ n: 0 }])
  })

  it("an account that may own ten apps owns ten, however many it makes at once", async () => {
    const answers = await everywhere(40, (store, number) =>
      store.change({ account: userId, ownedApps: userId }, ({ ownedApps }) =>
        (ownedApps?.count ?? 0) >= 10
          ? decided(false)
          : decided(true, { change: "clientAdded", client: client(100 + number, { ownerId: userId }) }),
      ),
    )
    assert.equal(answers.filter((isDone) => isDone).length, 10)
    assert.equal((await first.clients({ limit: 99 }, { ownerId: userId })).length, 10)
  })

  it("REG the same app that registers itself 30 times at once is one row", async () => {
    const registrationHash = hash("said")
    const ids = await everywhere(30, (store, number) =>
      store.change({ clientByRegistration: registrationHash }, ({ clientByRegistration: known }) => {
        const made = client(200 + number, { registrationHash, registeredBy: "itself", deleteAfter: NOW })
        return known === null
          ? decided(made.clientId, { change: "clientAdded", client: made })
          : decided(known.clientId)
      }),
    )
    assert.equal(new Set(ids).size, 1)
  })

  it("two first starts with different service secrets agree on one", async () => {
    const seen = await everywhere(30, (store, number) =>
      store.change({ meta: "service_secret_check" }, ({ meta }) =>
        meta === null
          ? decided(`secret ${number}`, {
              change: "metaSet",
              key: "service_secret_check",
              value: `secret ${number}`,
            })
          : decided(meta.value),
      ),
    )
    assert.equal(new Set(seen).size, 1)
  })

  it("AUTHZ a ticket that is sent 30 times at once is spent once", async () => {
    const answers = await everywhere(30, (store) =>
      store.change({ spentTicket: tokenId, account: userId }, ({ spentTicket }) =>
        spentTicket === null
          ? decided(
              true,
              { change: "ticketSpent", ticketId: tokenId, at: NOW },
              { change: "credentialAdded", credential: issued() },
            )
          : decided(false),
      ),
    )
    assert.equal(answers.filter((isDone) => isDone).length, 1)
  })

  it("a ticket that is refused and granted at once is one of both", async () => {
    for (let round = 0; round < 10; round++) {
      const ticketId = id<TokenId>("t", round)
      const answers = await everywhere(6, (store, number) =>
        store.change({ spentTicket: ticketId }, ({ spentTicket }) =>
          spentTicket !== null
            ? decided(0)
            : number % 2 === 0
              ? decided(1, { change: "ticketSpent", ticketId, at: NOW })
              : decided(
                  1,
                  { change: "ticketSpent", ticketId, at: NOW },
                  { change: "credentialAdded", credential: issued(round) },
                ),
        ),
      )
      assert.equal(
        answers.reduce((sum, one) => sum + one, 0),
        1,
      )
    }
  })

  it("FACTOR a one-time password's step that is used 30 times at once counts once", async () => {
    const [factor] = factors()
    await write(first, { change: "factorAdded", factor })
    const answers = await everywhere(30, (store) =>
      store.change({ account: userId, factors: userId }, ({ factors: all }) => {
        const [held] = all ?? []
        return held?.kind !== "totp" || held.usedStep >= 77
          ? decided(false)
          : decided(true, { change: "factorChanged", factor: { ...held, usedStep: 77 } })
      }),
    )
    assert.equal(answers.filter((isDone) => isDone).length, 1)
  })

  it("the first administrator is made once, of 20 who have the set-up link", async () => {
    await write(
      first,
      { change: "accountRemoved", userId },
      { change: "setupLinkSet", hash: hash("link"), at: NOW },
    )
    const answers = await everywhere(20, (store, number) =>
      store.change({ anyAccount: true, setupLink: true }, ({ anyAccount, setupLink }) =>
        anyAccount !== null || setupLink === null
          ? decided(false)
          : decided(
              true,
              { change: "accountAdded", account: account(10 + number, { admin: true }) },
              { change: "setupLinkSet", hash: null, at: NOW },
            ),
      ),
    )
    assert.equal(answers.filter((isDone) => isDone).length, 1)
    assert.equal((await first.accounts({ limit: 99 })).length, 1)
  })

  it("a sign-in beside a new password leaves no session that began with the old one", async () => {
    const signIns = everywhere(30, (store, number) =>
      store.change({ account: userId }, ({ account: person }) =>
        person?.passwordHash !== account().passwordHash
          ? decided(false)
          : decided(true, {
              change: "sessionAdded",
              session: { ...session(), sessionHash: hash(`s${number}`) },
            }),
      ),
    )
    const changed = (stores[1] as Store).change({ account: userId }, ({ account: person }) =>
      person === null
        ? decided(null)
        : decided(
            null,
            { change: "accountChanged", account: { ...person, passwordHash: "$argon2id$other" } },
            { change: "sessionsEnded", userId, except: null, at: NOW },
          ),
    )
    await Promise.all([signIns, changed])
    assert.deepEqual(await first.sessions(userId), [])
  })

  it("a reader of the invalidations in order misses none, while 90 revocations commit", async () => {
    await write(
      first,
      ...Array.from({ length: 90 }, (_, number): Change => ({
        change: "credentialAdded",
        credential: active(number),
      })),
    )
    const { last: from } = await first.invalidations(0, 1)
    const heard: string[] = []
    let after = from
    const listen = async () => {
      const { rows } = await (stores[2] as Store).invalidations(after, 1000)
      heard.push(...rows.map(({ key }) => key))
      after = rows.at(-1)?.id ?? after
    }
    const revoked = everywhere(90, (store, number) =>
      store.change({ credential: id("t", number) }, ({ credential }) => {
        if (credential === null) throw new Error("there is no such credential")
        const life = { state: "revoked", family: null, revokedAt: NOW, because: "app" } as const
        return decided(null, { change: "credentialChanged", credential: { ...credential, life } })
      }),
    )
    const all = { areDone: false }
    void revoked.finally(() => (all.areDone = true))
    while (!all.areDone) await listen()
    await revoked
    await listen()
    assert.equal(new Set(heard).size, 90)
    assert.equal(heard.length, 90)
  })

  it("counts that three nodes add at once are all there", async () => {
    const names = Array.from({ length: 20 }, (_, number) => `n${number}`)
    await everywhere(30, (store, round) => {
      const tallies = names.map((name) => ({ grain: "day", at: 0, clientId: null, name, count: 1 }) as const)
      return write(store, { change: "tallied", tallies: round % 2 === 0 ? tallies : tallies.toReversed() })
    })
    const counted = await first.tallies({ grain: "day", since: 0, until: 1 })
    assert.deepEqual(new Set(counted.map(({ count }) => count)), new Set([30]))
    assert.equal(counted.length, 20)
  })

  it("an operator sees how many changes each commit held, and how many wait", async () => {
    await write(first, { change: "credentialAdded", credential: active() })
    const commits: number[] = []
    const waiting = Promise.withResolvers<() => number>()
    const watched = await openPostgres(url, {
      poolSize: 2,
      committed: (changes) => void commits.push(changes),
      waiting: waiting.resolve,
    })
    stores.push(watched)
    const count = await waiting.promise
    assert.equal(count(), 0)
    const refreshes = Array.from({ length: 40 }, () => refresh(watched))
    assert.equal(count(), 40)
    await Promise.all(refreshes)
    await watched.change({}, () => decided(null, { change: "settingSet", key: "a", value: "b" }))
    await watched.change({ setting: "a" }, () => decided(null))
    assert.equal(
      commits.reduce((sum, changes) => sum + changes, 0),
      41,
    )
    assert.ok(commits.length < 20, "many shared a commit")
    assert.equal(count(), 0)
  })

  it("a mistake in one change of a batch does not fail the others", async () => {
    await write(
      first,
      ...Array.from({ length: 9 }, (_, number): Change => ({
        change: "credentialAdded",
        credential: active(number),
      })),
    )
    const settled = await Promise.allSettled(
      Array.from({ length: 9 }, (_, number) => {
        const key = id<TokenId>("t", number)
        if (number !== 4) return refresh(first, key)
        return first.change({ credential: key }, ({ credential }) => {
          if (credential?.life.state !== "active") throw new Error("there is no such credential")
          // The database cannot store this number.
          const family = { ...credential.life.family, rotatedAt: 1e30 }
          return decided(null, {
            change: "credentialChanged",
            credential: { ...credential, life: { ...credential.life, family } },
          })
        })
      }),
    )
    assert.deepEqual(
      settled.map(({ status }) => status),
      Array.from({ length: 9 }, (_, number) => (number === 4 ? "rejected" : "fulfilled")),
    )
  })

  it("a key with a zero in it finds nothing, and does not fail others", async () => {
    const found = await Promise.all([
      first.read({ client: "\0" as typeof clientId, accountByName: "a\0" }),
      first.read({ client: clientId }),
    ])
    assert.deepEqual(found[0], { client: null, accountByName: null })
    assert.deepEqual(found[1], { client: client() })
  })
})
