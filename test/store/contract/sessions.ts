/** Sessions and known browsers on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { SESSION_IDLE_SECONDS, SESSIONS_AT_MOST } from "../../../src/kernel/account-limits.ts"
import { DAY } from "../../../src/kernel/time.ts"
import type { Session } from "../../../src/model/account.rules.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import { keyList } from "../../../src/store/loadable.ts"
import type { Store } from "../../../src/store/store.ts"
import { account, active, client, hash, id, NOW, session } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function sessionContract(name: string, open: Open): void {
  describe(`sessions on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db
    const people = (): Change[] => [
      { change: "accountAdded", account: account() },
      { change: "clientAdded", client: client() },
    ]
    const sweepAll = async (now: number) => {
      let rounds = 0
      while ((await db.store.sweep(now, 2)) > 0) assert.ok(++rounds < 100)
    }

    it("a session with its account, until it ends", async () => {
      const { sessionHash } = session()
      await write(...people(), { change: "sessionAdded", session: session() })
      await write({ change: "sessionSeen", sessionHash, at: NOW + DAY })
      assert.deepEqual(await db.store.read({ session: sessionHash, signedIn: sessionHash }), {
        session: { ...session(), seenAt: NOW + DAY },
        signedIn: account(),
      })
      await write({ change: "sessionEnded", sessionHash, at: NOW })
      assert.deepEqual(await db.store.read({ session: sessionHash, signedIn: sessionHash }), {
        session: null,
        signedIn: null,
      })
    })

    it("all sessions of an account but one end together", async () => {
      const others = account(1)
      const foreign = session(9, { userId: others.userId })
      await write(
        ...people(),
        { change: "accountAdded", account: others },
        ...[session(1), session(2), session(3), foreign].map((one): Change => ({
          change: "sessionAdded",
          session: one,
        })),
      )
      assert.deepEqual(await db.store.sessions(account().userId), [session(1), session(2), session(3)])
      await write({
        change: "sessionsEnded",
        userId: account().userId,
        except: session(2).sessionHash,
        at: NOW,
      })
      assert.deepEqual(await db.store.sessions(account().userId), [session(2)])
      await write({ change: "sessionsEnded", userId: account().userId, except: null, at: NOW })
      assert.deepEqual(await db.store.sessions(account().userId), [])
      assert.deepEqual(await db.store.sessions(others.userId), [foreign])
    })

    it("SESSION-5 one beyond the limit ends the one longest unseen, with what ends with it", async () => {
      const { userId } = account()
      const others = account(1)
      const foreign = session(999, { userId: others.userId, seenAt: NOW - 9 * DAY })
      const mine = Array.from({ length: SESSIONS_AT_MOST }, (_, number) =>
        session(number, { seenAt: NOW + number }),
      )
      const [first, second, third] = mine as [Session, Session, Session]
      const bound = [first, second, third].flatMap((one, number): Change[] => [
        { change: "credentialAdded", credential: active(number) },
        { change: "sessionCredentialAdded", tokenId: id("t", number), session: one },
      ])
      await write(
        ...people(),
        { change: "accountAdded", account: others },
        ...[foreign, ...mine].map((one): Change => ({ change: "sessionAdded", session: one })),
        ...bound,
        { change: "sessionSeen", sessionHash: first.sessionHash, at: NOW + DAY },
      )
      assert.equal((await db.store.sessions(userId)).length, SESSIONS_AT_MOST)
      assert.equal((await db.store.invalidations(0, 99)).rows.length, 0)

      const late = session(1000, { createdAt: NOW + DAY, seenAt: NOW - DAY })
      await write({ change: "sessionAdded", session: late })
      const left = new Set((await db.store.sessions(userId)).map(({ sessionHash }) => sessionHash))
      const expected = [...mine.filter((one) => one !== second), late].map(({ sessionHash }) => sessionHash)
      assert.deepEqual(left, new Set(expected))
      assert.equal((await db.store.sessions(others.userId)).length, 1)
      const lifeOf = async (number: number) =>
        (await db.store.read({ credential: id<TokenId>("t", number) })).credential?.life
      assert.deepEqual([(await lifeOf(0))?.state, (await lifeOf(2))?.state], ["active", "active"])
      const life = await lifeOf(1)
      assert.deepEqual(life?.state === "revoked" && [life.because, life.revokedAt], [
        "session-ended",
        NOW + DAY,
      ])
      assert.deepEqual(
        (await db.store.events({}, { limit: 9 })).map(({ kind, tokenId }) => [kind, tokenId]),
        [["credential-revoked", id("t", 1)]],
      )
      assert.equal((await db.store.invalidations(0, 99)).rows.length, 1)
      const load = { sessionCredentials: keyList([id("t"), id("t", 1), id("t", 2), id("t", 3)]) }
      const { sessionCredentials } = await db.store.read(load)
      assert.deepEqual(sessionCredentials?.toSorted(), [id("t"), id("t", 2)])
      assert.deepEqual(await db.store.verify(), [])
    })

    it("SESSION-5 of many sign-ins at once none goes beyond the limit, and each is signed in", async () => {
      const another = await db.opened.another()
      const add = (store: Store, one: Session) =>
        store.change({ account: one.userId }, () => decided(null, { change: "sessionAdded", session: one }))
      const old = Array.from({ length: SESSIONS_AT_MOST - 5 }, (_, number) => session(number))
      await write(...people(), ...old.map((one): Change => ({ change: "sessionAdded", session: one })))
      const made = Array.from({ length: 20 }, (_, number) => session(1000 + number, { seenAt: NOW + 1 }))
      await Promise.all(made.map((one, number) => add(number % 2 === 0 ? db.store : another, one)))
      await another.close()
      const left = (await db.store.sessions(account().userId)).map(({ sessionHash }) => sessionHash)
      assert.equal(left.length, SESSIONS_AT_MOST)
      const newest = new Set(left.slice(0, 20))
      assert.ok(made.every(({ sessionHash }) => newest.has(sessionHash)))
      assert.deepEqual(await db.store.verify(), [])
    })

    it("a removed account takes its sessions and known browsers along", async () => {
      const { userId } = account()
      const browserHash = hash("browser")
      await write(
        ...people(),
        { change: "sessionAdded", session: session() },
        { change: "browserKnown", browserHash, userId, at: NOW },
        { change: "browserKnown", browserHash, userId, at: NOW + 5 },
      )
      const load = { session: session().sessionHash, knownBrowser: { browserHash, userId } }
      assert.deepEqual(await db.store.read(load), { session: session(), knownBrowser: { at: NOW + 5 } })
      await write(
        { change: "accountAdded", account: account(1) },
        { change: "browserKnown", browserHash, userId: account(1).userId, at: NOW },
      )
      const any = { anyKnownBrowser: browserHash }
      assert.deepEqual(await db.store.read(any), { anyKnownBrowser: { at: NOW + 5 } })
      assert.deepEqual(await db.store.read({ anyKnownBrowser: hash("other") }), { anyKnownBrowser: null })
      await write({ change: "accountRemoved", userId })
      assert.deepEqual(await db.store.read(load), { session: null, knownBrowser: null })
      assert.deepEqual(await db.store.read(any), { anyKnownBrowser: { at: NOW } })
    })

    it("sessions, known browsers, tickets and events go when their time is over", async () => {
      const { userId } = account()
      const browserHash = hash("browser")
      await write(
        ...people(),
        { change: "sessionAdded", session: session(1) },
        { change: "sessionAdded", session: session(2) },
        { change: "browserKnown", browserHash, userId, at: NOW },
        { change: "ticketSpent", ticketId: id("k"), at: NOW },
        { change: "eventRecorded", event: event("signed-in", NOW) },
      )
      await write({ change: "sessionSeen", sessionHash: session(2).sessionHash, at: NOW + 5 * DAY })
      const load = { knownBrowser: { browserHash, userId }, spentTicket: id<TokenId>("k") }
      const sessions = async () => (await db.store.sessions(userId)).map((one) => one.sessionHash)

      await sweepAll(NOW + 7 * DAY - 1)
      assert.ok((await db.store.read(load)).spentTicket)
      await sweepAll(NOW + SESSION_IDLE_SECONDS - 1)
      assert.equal((await sessions()).length, 2)
      assert.equal((await db.store.read(load)).spentTicket, null)
      await sweepAll(NOW + SESSION_IDLE_SECONDS + DAY)
      assert.deepEqual(await sessions(), [session(2).sessionHash])
      await sweepAll(NOW + 180 * DAY - 1)
      assert.deepEqual([await sessions(), (await db.store.read(load)).knownBrowser], [[], { at: NOW }])
      await sweepAll(NOW + 180 * DAY)
      assert.equal((await db.store.read(load)).knownBrowser, null)
      await sweepAll(NOW + 400 * DAY - 1)
      assert.equal((await db.store.events({}, { limit: 9 })).length, 1)
      await sweepAll(NOW + 400 * DAY)
      assert.equal((await db.store.events({}, { limit: 9 })).length, 0)
    })
  })
}
