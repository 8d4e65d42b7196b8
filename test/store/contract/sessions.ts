/** Sessions and known browsers on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { SESSION_IDLE_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY } from "../../../src/kernel/time.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import { account, client, hash, id, NOW, session } from "../samples.ts"
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
