/** The contract of every engine. `test/store/<engine>.test.ts` runs it. */
import assert from "node:assert/strict"
import { afterEach, beforeEach, describe, it } from "node:test"
import * as fc from "fast-check"
import type { ClientId, GrantId, TokenId } from "../../../src/kernel/ids.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import type { Client } from "../../../src/model/clients/client.rules.ts"
import type { Credential } from "../../../src/model/credential.rules.ts"
import type { DevicePurpose, DeviceState } from "../../../src/model/device-grant.rules.ts"
import { type ClientDocument, fetchedDocument } from "../../../src/model/clients/document.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import {
  CREDENTIAL_SECONDS,
  KEPT_AFTER_END_SECONDS,
  SESSION_IDLE_SECONDS,
} from "../../../src/kernel/limits.ts"
import { deletedUnlessUsedAt } from "../../../src/model/self-registration.rules.ts"
import { bucketAt } from "../../../src/model/tally.rules.ts"
import { DAY, HOUR } from "../../../src/kernel/time.ts"
import { type Store, StoreUnavailable } from "../../../src/store/store.ts"
import {
  aCredential,
  account,
  active,
  aDeviceGrant,
  approval,
  client,
  deviceGrant,
  family,
  hash,
  id,
  issued,
  asKept,
  NOW,
  session,
} from "../samples.ts"

/** A new, empty database. */
export type OpenedStore = {
  readonly store: Store
  /** Opens a second store on the same database, as another process or node does. */
  readonly another: () => Promise<Store>
  /** Closes the store and opens the database again. */
  readonly reopen: () => Promise<Store>
  readonly destroy: () => Promise<void>
}

export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`store contract on ${name}`, () => {
    let opened: OpenedStore
    let store: Store
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.destroy())

    const write = (...changes: Change[]) => store.change({}, () => decided(null, ...changes))
    const credential = (number: number) =>
      store.read({ credential: id<TokenId>("t", number) }).then((found) => found.credential)
    const people = (): Change[] => [
      { change: "accountAdded", account: account() },
      { change: "clientAdded", client: client() },
    ]

    describe("what was written is found", () => {
      it("CD-6 the document of an app, rewritten, and gone with its app", async () => {
        const clientId = "https://app.example/client.json" as ClientId
        const document = fetchedDocument(clientId, NOW, 600)
        const later: ClientDocument = {
          ...document,
          freshUntil: NOW + 1,
          failure: { at: NOW + 2, problem: "The host did not answer in time." },
          isPinned: true,
          isDenied: true,
          changed: { at: NOW + 3, parts: ["redirect_uris", "keys"] },
          mayDropKey: true,
        }
        const none = { ...document, fetchedAt: null }
        await write(
          { change: "clientAdded", client: client(0, { clientId, registeredBy: "document" }) },
          { change: "documentSet", document: none },
        )
        assert.deepEqual(await store.read({ document: clientId }), { document: none })
        await write({ change: "documentSet", document: later })
        assert.deepEqual(await store.read({ document: clientId }), { document: later })
        await write({ change: "documentSet", document })
        store = await opened.reopen()
        assert.deepEqual(await store.read({ document: clientId }), { document })
        assert.deepEqual(await store.verify(), [])
        await write({ change: "clientRemoved", clientId })
        assert.deepEqual(await store.read({ document: clientId }), { document: null })
      })

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
        const added = await store.read({ client: clientId, icon: clientId })
        assert.deepEqual(added.client, { ...confidential, iconHash: icon.hash })
        assert.equal(added.icon?.hash, icon.hash)
        assert.deepEqual(new Uint8Array(added.icon?.png ?? []), icon.png)

        const changed = { ...confidential, name: "Other", ownerId: account().userId, enabled: false }
        await write({ change: "clientChanged", client: changed }, { change: "iconSet", clientId, icon: null })
        assert.deepEqual(await store.read({ client: clientId, icon: clientId }), {
          client: changed,
          icon: null,
        })

        await write(
          { change: "iconSet", clientId, icon },
          { change: "clientRemoved", clientId },
          { change: "accountRemoved", userId: account().userId },
        )
        assert.deepEqual(await store.read({ client: clientId, icon: clientId }), { client: null, icon: null })
      })

      it("an account by its id and by its name, changed and removed", async () => {
        const { userId, usernameKey } = account()
        await write({ change: "accountAdded", account: account() })
        assert.deepEqual(
          await store.read({ account: userId, accountByName: usernameKey, anyAccount: true }),
          {
            account: account(),
            accountByName: account(),
            anyAccount: account(),
          },
        )
        const renamed = account(0, { username: "Bea", usernameKey: "bea", admin: true, enabled: false })
        await write({ change: "accountChanged", account: renamed })
        assert.deepEqual(await store.read({ account: userId, accountByName: usernameKey }), {
          account: renamed,
          accountByName: null,
        })
        await write({ change: "accountRemoved", userId })
        assert.deepEqual(await store.read({ account: userId, anyAccount: true }), {
          account: null,
          anyAccount: null,
        })
      })

      it("another administrator, who must be enabled", async () => {
        const [first, second] = [account(0, { admin: true }), account(1, { admin: true })]
        await write({ change: "accountAdded", account: first }, { change: "accountAdded", account: second })
        const other = () => store.read({ otherAdministrator: first.userId })
        assert.deepEqual(await other(), { otherAdministrator: second })
        await write({ change: "accountChanged", account: { ...second, enabled: false } })
        assert.deepEqual(await other(), { otherAdministrator: null })
        await write({ change: "accountChanged", account: { ...second, admin: false } })
        assert.deepEqual(await other(), { otherAdministrator: null })
      })

      it("a session with its account, until it ends", async () => {
        const { sessionHash } = session()
        await write(...people(), { change: "sessionAdded", session: session() })
        await write({ change: "sessionSeen", sessionHash, at: NOW + DAY })
        assert.deepEqual(await store.read({ session: sessionHash, signedIn: sessionHash }), {
          session: { ...session(), seenAt: NOW + DAY },
          signedIn: account(),
        })
        await write({ change: "sessionEnded", sessionHash, at: NOW })
        assert.deepEqual(await store.read({ session: sessionHash, signedIn: sessionHash }), {
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
        assert.deepEqual(await store.sessions(account().userId), [session(1), session(2), session(3)])
        await write({
          change: "sessionsEnded",
          userId: account().userId,
          except: session(2).sessionHash,
          at: NOW,
        })
        assert.deepEqual(await store.sessions(account().userId), [session(2)])
        await write({ change: "sessionsEnded", userId: account().userId, except: null, at: NOW })
        assert.deepEqual(await store.sessions(account().userId), [])
        assert.deepEqual(await store.sessions(others.userId), [foreign])
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
        assert.deepEqual(await store.read(load), { session: session(), knownBrowser: { at: NOW + 5 } })
        await write(
          { change: "accountAdded", account: account(1) },
          { change: "browserKnown", browserHash, userId: account(1).userId, at: NOW },
        )
        const any = { anyKnownBrowser: browserHash }
        assert.deepEqual(await store.read(any), { anyKnownBrowser: { at: NOW + 5 } })
        assert.deepEqual(await store.read({ anyKnownBrowser: hash("other") }), { anyKnownBrowser: null })
        await write({ change: "accountRemoved", userId })
        assert.deepEqual(await store.read(load), { session: null, knownBrowser: null })
        assert.deepEqual(await store.read(any), { anyKnownBrowser: { at: NOW } })
      })

      it("FACTOR-11 the codes of an account that failed, exactly, until they are unset or the account goes", async () => {
        const { userId } = account()
        await write(...people())
        const load = { account: userId, codeTries: userId } as const
        const fail = () =>
          store.change(load, ({ codeTries }) => {
            const unknownFailures = (codeTries?.unknownFailures ?? 0) + 1
            return decided(null, {
              change: "codeTriesSet",
              userId,
              tries: { userId, unknownFailures, knownFailures: 2 },
            })
          })
        await Promise.all(Array.from({ length: 20 }, fail))
        const tries = { userId, unknownFailures: 20, knownFailures: 2 }
        assert.deepEqual((await store.read({ codeTries: userId })).codeTries, tries)
        await write({ change: "codeTriesSet", userId, tries: null })
        assert.equal((await store.read({ codeTries: userId })).codeTries, null)
        await fail()
        await write({ change: "accountRemoved", userId })
        assert.equal((await store.read({ codeTries: userId })).codeTries, null)
      })

      it("a spent ticket, whose first time stands", async () => {
        const ticketId = id<TokenId>("k")
        await write({ change: "ticketSpent", ticketId, at: NOW })
        await write({ change: "ticketSpent", ticketId, at: NOW + 9 })
        assert.deepEqual(await store.read({ spentTicket: ticketId }), { spentTicket: { spentAt: NOW } })
      })

      it("settings, facts about the database, and the one set-up link", async () => {
        await write(
          { change: "settingSet", key: "b", value: "1" },
          { change: "settingSet", key: "a", value: "2" },
          { change: "settingSet", key: "b", value: "3" },
          { change: "metaSet", key: "a", value: "meta" },
          { change: "setupLinkSet", hash: hash("first"), at: NOW },
          { change: "setupLinkSet", hash: hash("second"), at: NOW + 1 },
        )
        assert.deepEqual(await store.read({ setting: "b", meta: "a", setupLink: true }), {
          setting: { value: "3" },
          meta: { value: "meta" },
          setupLink: { hash: hash("second"), at: NOW + 1 },
        })
        assert.deepEqual([...(await store.settings())].sort(), [
          ["a", "2"],
          ["b", "3"],
        ])
        await write({ change: "settingUnset", key: "b" }, { change: "setupLinkSet", hash: null, at: NOW + 2 })
        assert.deepEqual(await store.read({ setting: "b", setupLink: true }), {
          setting: null,
          setupLink: null,
        })
      })

      it("events, newest first, a page at a time and by kind", async () => {
        const recorded = Array.from({ length: 7 }, (_, i) =>
          event(i % 2 === 0 ? "signed-in" : "consented", NOW + i, {
            detail: String(i),
            address: "192.0.2.1",
          }),
        )
        await write(...recorded.map((one): Change => ({ change: "eventRecorded", event: one })))
        const page = await store.events({}, { limit: 3 })
        assert.deepEqual(
          page.map(({ id: _, ...one }) => one),
          [recorded[6], recorded[5], recorded[4]],
        )
        const next = await store.events({}, { limit: 9, after: String(page[2]?.id) })
        assert.deepEqual(
          next.map(({ detail }) => detail),
          ["3", "2", "1", "0"],
        )
        const ofKind = await store.events({ kinds: ["consented"] }, { limit: 2 })
        assert.deepEqual(
          ofKind.map(({ detail }) => detail),
          ["5", "3"],
        )
      })

      it("nothing for a null key, and nothing for a key that is not there", async () => {
        await write(...people(), { change: "credentialAdded", credential: active() })
        const none = { client: null, credential: null, ownerOf: null, session: null, setting: null }
        assert.deepEqual(await store.read(none), none)
        const unknown = id<TokenId>("t", 99)
        const load = { credential: unknown, tokensOf: unknown, ownerOf: unknown, appOf: unknown }
        assert.deepEqual(await store.read(load), {
          credential: null,
          tokensOf: null,
          ownerOf: null,
          appOf: null,
        })
      })
    })

    describe("credentials", () => {
      it("GRANT CRED a credential of any state comes back as it was written, and leads any other life", async () => {
        await write(...people())
        let number = 0
        await fc.assert(
          fc.asyncProperty(aCredential, async ({ credential: sample, next }) => {
            const tokenId = id<TokenId>("t", number++)
            const added: Credential = { ...sample, consent: { ...sample.consent, tokenId } }
            await write({ change: "credentialAdded", credential: added })
            const load = { credential: tokenId, tokensOf: tokenId, ownerOf: tokenId, appOf: tokenId }
            assert.deepEqual(await store.read(load), {
              credential: asKept(added),
              tokensOf: { ...asKept(added), code: null },
              ownerOf: account(),
              appOf: client(),
            })
            const changed: Credential = { ...added, life: next }
            await store.change({ credential: tokenId }, () =>
              decided(null, { change: "credentialChanged", credential: changed }),
            )
            const expected = asKept({ ...asKept(added), life: next })
            assert.deepEqual((await store.read({ credential: tokenId })).credential, expected)
            const { tokensOf } = await store.read({ tokensOf: tokenId, ownerOf: tokenId })
            assert.deepEqual(tokensOf, { ...expected, code: null })
          }),
          { numRuns: 200 },
        )
      })

      it("GRANT a change leaves the consent and the code as they were settled", async () => {
        await write(...people(), { change: "credentialAdded", credential: issued() })
        const widened = active(0, { installationName: "other", endsAt: NOW })
        await write({ change: "credentialChanged", credential: { ...widened, code: null } })
        assert.deepEqual(await credential(0), asKept({ ...issued(), life: widened.life }))
      })

      it("CRED-3 all live ones of an account or an app are revoked, and no other", async () => {
        const over: Credential = {
          ...active(2),
          life: { state: "ended", family: null, endedAt: NOW - 9, because: "idle" },
        }
        const foreign = active(3, { userId: id("a", 7) })
        const otherApp = active(4, { clientId: id("c", 7), userId: id("a", 7) })
        await write(
          ...people(),
          ...[issued(0), active(1), over, foreign, otherApp].map((one): Change => ({
            change: "credentialAdded",
            credential: one,
          })),
        )
        const byAccount = { of: { userId: account().userId }, at: NOW, because: "account-removed" } as const
        await write({ change: "credentialsRevoked", ...byAccount })
        const revokedAt = NOW
        const because = "account-removed"
        assert.deepEqual((await credential(0))?.life, { state: "revoked", family: null, revokedAt, because })
        assert.deepEqual((await credential(1))?.life, {
          state: "revoked",
          family: family(),
          revokedAt,
          because,
        })
        assert.deepEqual(await credential(2), over)
        assert.deepEqual(await credential(3), foreign)

        const byApp = { of: { clientId: client().clientId }, at: NOW + 1, because: "app-removed" } as const
        await write({ change: "credentialsRevoked", ...byApp })
        assert.equal((await credential(3))?.life.state, "revoked")
        assert.deepEqual(await credential(4), otherApp)
      })

      it("are listed by account and by app, a page at a time, with both as they are now", async () => {
        await write(
          ...people(),
          { change: "accountAdded", account: account(1) },
          { change: "clientAdded", client: client(1) },
        )
        // The consents are given in another order than the ids were created.
        for (const number of [5, 0, 3, 1, 4, 2]) {
          const of = { userId: account(number % 2).userId, clientId: client(number % 3).clientId }
          await write({ change: "credentialAdded", credential: active(number, of) })
        }
        const numbers = async (filter: Parameters<Store["credentials"]>[0], after?: number) => {
          const page = { limit: 2, after: after === undefined ? undefined : id<TokenId>("t", after) }
          return (await store.credentials(filter, page)).map((held) =>
            Number(held.credential.consent.tokenId.slice(-15)),
          )
        }
        assert.deepEqual(
          [await numbers({}), await numbers({}, 1), await numbers({}, 3)],
          [
            [0, 1],
            [2, 3],
            [4, 5],
          ],
        )
        const userId = account(1).userId
        assert.deepEqual([await numbers({ userId }), await numbers({ userId }, 3)], [[1, 3], [5]])
        assert.deepEqual(await numbers({ clientId: client(1).clientId }), [1, 4])
        assert.deepEqual(await numbers({ userId, clientId: client(1).clientId }), [1])

        const [first, second, third] = await store.credentials({}, { limit: 3 })
        assert.deepEqual([first?.account, first?.client], [account(), client()])
        assert.deepEqual([second?.account, second?.client], [account(1), client(1)])
        assert.deepEqual([third?.account, third?.client], [account(), null])
      })
    })

    describe("device grants", () => {
      const grant = (number: number) =>
        store.read({ deviceGrant: id<GrantId>("g", number) }).then((found) => found.deviceGrant)

      it("DEV-7, DG-1…DG-7 a grant of any state comes back as it was written, and gets any other answer", async () => {
        await write(...people())
        let number = 0
        await fc.assert(
          fc.asyncProperty(aDeviceGrant, async ({ grant: { request, answer }, next }) => {
            const grantId = id<GrantId>("g", number++)
            const userCodeHash = hash(`code${number}`)
            const added = { request: { ...request, grantId, userCodeHash }, answer }
            await write({ change: "deviceGrantAdded", grant: added })
            const load = { deviceGrant: grantId, deviceGrantByCode: userCodeHash, approverOf: grantId }
            const approverOf = (of: typeof answer) => (of.state === "approved" ? account() : null)
            assert.deepEqual(await store.read(load), {
              deviceGrant: added,
              deviceGrantByCode: added,
              approverOf: approverOf(answer),
            })
            const changed = { ...added, answer: next }
            await write({ change: "deviceGrantChanged", grant: changed })
            assert.deepEqual(await store.read(load), {
              deviceGrant: changed,
              deviceGrantByCode: changed,
              approverOf: approverOf(next),
            })
          }),
          { numRuns: 200 },
        )
      })

      it("DEV-7 an answer leaves the request as it was settled", async () => {
        await write(...people(), { change: "deviceGrantAdded", grant: deviceGrant() })
        const asked = { purpose: "access", asked: [], installationName: "other", resources: [] } as const
        const altered = deviceGrant(0, approval(), {
          purpose: asked,
          expiresAt: NOW + 9,
          userCodeHash: hash("x"),
        })
        await write({ change: "deviceGrantChanged", grant: altered })
        assert.deepEqual(await grant(0), deviceGrant(0, approval()))
      })

      it("DEV-2 no two grants have one user code, and a grant that is not there is not answered", async () => {
        await write(...people(), { change: "deviceGrantAdded", grant: deviceGrant() })
        const { userCodeHash } = deviceGrant().request
        await assert.rejects(
          write({
            change: "deviceGrantAdded",
            grant: deviceGrant(1, { state: "pending" }, { userCodeHash }),
          }),
        )
        await assert.rejects(write({ change: "deviceGrantAdded", grant: deviceGrant() }))
        await assert.rejects(write({ change: "deviceGrantChanged", grant: deviceGrant(1) }))
        assert.deepEqual(
          await store.read({ deviceGrantByCode: hash("code9"), approverOf: id<GrantId>("g", 9) }),
          {
            deviceGrantByCode: null,
            approverOf: null,
          },
        )
      })

      it("DG-6 all that an account approved and no device fetched is denied, and nothing else", async () => {
        const { userId } = account()
        const redeemed = { state: "redeemed", redeemedAt: NOW, userId } as const
        const refused = { state: "denied", deniedAt: NOW, userId } as const
        const answers = [
          approval(),
          approval(1),
          { state: "pending" } as const,
          redeemed,
          refused,
          approval(),
        ]
        await write(
          ...people(),
          { change: "accountAdded", account: account(1) },
          ...answers.map((answer, i): Change => ({
            change: "deviceGrantAdded",
            grant: deviceGrant(i, answer),
          })),
        )
        await write({ change: "approvalsDenied", userId, at: NOW + 60 })
        const voided = { state: "denied", deniedAt: NOW + 60, userId: null } as const
        const after = [voided, approval(1), { state: "pending" } as const, redeemed, refused, voided]
        assert.deepEqual(
          await Promise.all(after.map((_, i) => grant(i))),
          after.map((answer, i) => deviceGrant(i, answer)),
        )
      })

      it("DG-3 of 100 that fetch one approved grant at once, one wins", async () => {
        const second = await opened.another()
        await write(...people(), { change: "deviceGrantAdded", grant: deviceGrant(0, approval()) })
        const fetch = (from: Store) =>
          from.change({ deviceGrant: id<GrantId>("g") }, ({ deviceGrant: found }) => {
            if (found?.answer.state !== "approved") return decided("lost")
            const answer = { state: "redeemed", redeemedAt: NOW, userId: account().userId } as const
            return decided("won", { change: "deviceGrantChanged", grant: { ...found, answer } })
          })
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, i) => fetch(i % 2 === 0 ? store : second)),
        )
        assert.equal(answers.filter((answer) => answer === "won").length, 1)
        await second.close()
      })

      it("LOAD-4, DG-6 an unanswered grant goes an hour after its end, a refused one after a day, others after a week", async () => {
        const { userId } = account()
        const approvedAt = NOW + 500
        const approved = { ...approval(), approvedAt }
        const [end, week] = [NOW + 600, KEPT_AFTER_END_SECONDS]
        const cases: readonly (readonly [before: DeviceState, after: DeviceState | null, goneAt: number])[] =
          [
            [{ state: "pending" }, null, end + HOUR],
            [{ state: "pending" }, { state: "expired" }, end + HOUR],
            [{ state: "pending" }, { state: "denied", deniedAt: NOW + 9, userId }, NOW + 9 + DAY],
            [approved, null, approvedAt + 600 + week],
            [approved, { state: "expired" }, approvedAt + 600 + week],
            [approved, { state: "redeemed", redeemedAt: NOW + 700, userId }, NOW + 700 + week],
            [approved, { state: "denied", deniedAt: NOW + 700, userId: null }, NOW + 700 + DAY],
          ]
        await write(...people())
        for (const [i, [before, after]] of cases.entries()) {
          const added = deviceGrant(i, before)
          await write({ change: "deviceGrantAdded", grant: added })
          if (after !== null)
            await write({ change: "deviceGrantChanged", grant: { ...added, answer: after } })
        }
        assert.deepEqual(await store.verify(), [])
        const left = async () => {
          const grants = await Promise.all(cases.map((_, i) => grant(i)))
          return grants.flatMap((found, i) => (found === null ? [] : [i]))
        }
        for (const now of [...new Set(cases.map(([, , goneAt]) => goneAt))].toSorted((a, b) => a - b)) {
          await store.sweep(now - 1, 9)
          assert.deepEqual(
            await left(),
            cases.flatMap(([, , goneAt], i) => (goneAt >= now ? [i] : [])),
          )
          await store.sweep(now, 9)
          assert.deepEqual(
            await left(),
            cases.flatMap(([, , goneAt], i) => (goneAt > now ? [i] : [])),
          )
        }
      })

      it("LOAD-4 what an account approved goes a day after it was voided with the account", async () => {
        await write(...people(), { change: "deviceGrantAdded", grant: deviceGrant(0, approval()) })
        await write({ change: "approvalsDenied", userId: account().userId, at: NOW + 60 })
        assert.deepEqual(await store.verify(), [])
        assert.equal(await store.sweep(NOW + 60 + DAY - 1, 9), 0)
        assert.equal(await store.sweep(NOW + 60 + DAY, 9), 1)
      })

      it("at most as many grants go at a time as were asked for", async () => {
        await write(
          ...people(),
          ...[0, 1, 2].map((i): Change => ({ change: "deviceGrantAdded", grant: deviceGrant(i) })),
        )
        assert.equal(await store.sweep(NOW + DAY, 2), 2)
        assert.equal(await store.sweep(NOW + DAY, 2), 1)
      })
    })

    it("accounts and apps are listed a page at a time, oldest first", async () => {
      const changes = [3, 1, 2].flatMap((number): Change[] => [
        { change: "accountAdded", account: account(number) },
        { change: "clientAdded", client: client(number) },
      ])
      await write(...changes)
      assert.deepEqual(await store.accounts({ limit: 2 }), [account(1), account(2)])
      assert.deepEqual(await store.accounts({ limit: 2, after: account(2).userId }), [account(3)])
      assert.deepEqual(await store.clients({ limit: 2 }), [client(1), client(2)])
      assert.deepEqual(await store.clients({ limit: 2, after: client(2).clientId }), [client(3)])
    })

    describe("changes", () => {
      const consume = (from: Store, winner: number) =>
        from.change({ credential: id<TokenId>("t") }, (found) => {
          if (found.credential?.life.state !== "issued") return decided("lost")
          const life = {
            state: "active",
            family: family({ key: String(winner) }),
            elevatedUntil: null,
          } as const
          return decided("won", { change: "credentialChanged", credential: { ...found.credential, life } })
        })
      const increment = (from: Store) =>
        from.change({ setting: "counter" }, ({ setting }) => {
          const value = String(Number(setting?.value ?? 0) + 1)
          return decided(value, { change: "settingSet", key: "counter", value })
        })
      const counter = async () => (await store.read({ setting: "counter" })).setting?.value

      it("CODE-1 of 100 that consume one code at once, one wins", async () => {
        const second = await opened.another()
        await write(...people(), { change: "credentialAdded", credential: issued() })
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, i) => consume(i % 2 === 0 ? store : second, i)),
        )
        assert.equal(answers.filter((answer) => answer === "won").length, 1)
        const life = (await credential(0))?.life
        assert.equal(life?.state === "active" && life.family.key, String(answers.indexOf("won")))
        await second.close()
      })

      it("300 increments lose none, and each sees the one before", async () => {
        const answers = await Promise.all(Array.from({ length: 300 }, () => increment(store)))
        assert.equal(new Set(answers).size, 300)
        assert.equal(await counter(), "300")
      })

      it("two stores on one database lose no increment", async () => {
        const second = await opened.another()
        const answers: string[] = []
        for (let round = 0; round < 20; round++) {
          answers.push(
            ...(await Promise.all([
              increment(store),
              increment(second),
              increment(store),
              increment(second),
            ])),
          )
        }
        assert.equal(new Set(answers).size, 80)
        assert.equal(await counter(), "80")
        await second.close()
      })

      it("a rule that throws writes nothing and does not fail others", async () => {
        const mistake = new Error("a mistake in a rule")
        const failing = store.change({ setting: "counter" }, () => {
          throw mistake
        })
        const settled = await Promise.allSettled([increment(store), failing, increment(store)])
        assert.deepEqual(settled, [
          { status: "fulfilled", value: "1" },
          { status: "rejected", reason: mistake },
          { status: "fulfilled", value: "2" },
        ])
        assert.equal(await counter(), "2")
      })

      it("a write that fails undoes the writes before it in its own change only", async () => {
        const twice = store.change({}, () =>
          decided(
            null,
            { change: "settingSet", key: "half", value: "written" },
            { change: "accountAdded", account: account(1) },
            { change: "accountAdded", account: account(2, { usernameKey: account(1).usernameKey }) },
          ),
        )
        const [first, failed, second] = await Promise.allSettled([increment(store), twice, increment(store)])
        assert.deepEqual([first.status, failed.status, second.status], ["fulfilled", "rejected", "fulfilled"])
        assert.ok(failed.status === "rejected" && !(failed.reason instanceof StoreUnavailable))
        assert.deepEqual(await store.read({ setting: "half", anyAccount: true }), {
          setting: null,
          anyAccount: null,
        })
        assert.equal(await counter(), "2")
      })

      it("a change of a row that is not there is a fault", async () => {
        await assert.rejects(write({ change: "credentialChanged", credential: active() }))
        await assert.rejects(write({ change: "clientChanged", client: client() }))
        await assert.rejects(write({ change: "accountChanged", account: account() }))
      })

      it("an account's name and every id are unique", async () => {
        await write(...people(), { change: "credentialAdded", credential: active() })
        await assert.rejects(write({ change: "accountAdded", account: account(1, { usernameKey: "ada 0" }) }))
        await assert.rejects(write({ change: "accountAdded", account: account(0, { usernameKey: "other" }) }))
        await assert.rejects(write({ change: "clientAdded", client: client() }))
        await assert.rejects(write({ change: "credentialAdded", credential: active() }))
      })

      it("a session of an account that is gone is not begun", async () => {
        await assert.rejects(write({ change: "sessionAdded", session: session() }))
      })

      it("an acknowledged change is visible through another connection", async () => {
        const second = await opened.another()
        for (let round = 0; round < 20; round++) {
          const together = await Promise.all(
            [0, 1, 2].map(async () => {
              const mine = Number(await increment(store))
              return Number((await second.read({ setting: "counter" })).setting?.value) >= mine
            }),
          )
          assert.deepEqual(together, [true, true, true])
        }
        await second.close()
      })

      it("what was answered is there after the database is opened again", async () => {
        await write(...people(), { change: "credentialAdded", credential: active() })
        await increment(store)
        store = await opened.reopen()
        assert.deepEqual((await store.read({ credential: id<TokenId>("t") })).credential, active())
        assert.equal(await counter(), "1")
      })

      it("a closed store answers what it was asked before, and refuses the rest", async () => {
        const last = increment(store)
        await store.close()
        assert.equal(await last, "1")
        await assert.rejects(increment(store), StoreUnavailable)
        await assert.rejects(store.read({ setting: "counter" }), StoreUnavailable)
        await store.close()
      })
    })

    describe("sweeping", () => {
      const kept = async (numbers: readonly number[]) => {
        const there = await Promise.all(numbers.map(credential))
        return numbers.filter((_, i) => there[i] !== null)
      }
      const sweepAll = async (now: number) => {
        let rounds = 0
        while ((await store.sweep(now, 2)) > 0) assert.ok(++rounds < 100)
      }

      it("CODE-2 CRED-3 CRED-4 a credential goes seven days after its end, and within the day then", async () => {
        const over = (number: number, life: Credential["life"]): Credential => ({ ...active(number), life })
        const ends: readonly [Credential, number][] = [
          [issued(0), NOW + 600],
          [active(1), NOW + 90 * DAY],
          [active(2, { endsAt: NOW + 5 * DAY }), NOW + 5 * DAY],
          [
            over(3, { state: "revoked", family: family(), revokedAt: NOW + 2 * DAY, because: "app" }),
            NOW + 2 * DAY,
          ],
          [
            over(4, { state: "ended", family: null, endedAt: NOW - 3 * DAY, because: "lifetime" }),
            NOW - 3 * DAY,
          ],
        ]
        await write(
          ...people(),
          ...ends.map(([one]): Change => ({ change: "credentialAdded", credential: one })),
        )
        const numbers = ends.map((_, i) => i)
        for (const [, end] of [...ends].sort(([, a], [, b]) => a - b)) {
          const isKept = (until: number) => numbers.filter((i) => (ends[i]?.[1] ?? 0) + until > end)
          await sweepAll(end + KEPT_AFTER_END_SECONDS - 1)
          const before = await kept(numbers)
          assert.ok(
            isKept(1).every((i) => before.includes(i)),
            "gone too early",
          )
          await sweepAll(end + KEPT_AFTER_END_SECONDS + DAY)
          const after = await kept(numbers)
          assert.ok(!after.some((i) => ends[i]?.[1] === end), "kept too long")
        }
        assert.deepEqual(await kept(numbers), [])
      })

      it("CRED-1 a rotation moves the day", async () => {
        await write(...people(), { change: "credentialAdded", credential: active() })
        const later = NOW + 60 * DAY
        const life = { state: "active", family: family({ rotatedAt: later }), elevatedUntil: null } as const
        await write({ change: "credentialChanged", credential: { ...active(), life } })
        await sweepAll(NOW + 140 * DAY)
        assert.deepEqual(await kept([0]), [0])
        await sweepAll(later + 98 * DAY)
        assert.deepEqual(await kept([0]), [])
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
        const there = async () => (await store.clients({ limit: 99 })).map(({ clientId }) => clientId)
        const but = (...numbers: readonly number[]) =>
          [0, 1, 2, 3, 4, 5, 6, 7]
            .filter((number) => !numbers.includes(number))
            .map((number) => client(number).clientId)
            .toSorted()
        const at = NOW + HOUR
        assert.equal(await store.sweepUnusedApps(at, 5, 9), 0)
        assert.equal(await store.sweepUnusedApps(at - 1, 0, 9), 0)
        assert.equal(await store.sweepUnusedApps(at, 3, 1), 1)
        assert.deepEqual(await there(), but(0))
        assert.equal(await store.sweepUnusedApps(at, 3, 9), 1)
        assert.deepEqual(await there(), but(0, 1))
        assert.equal(await store.sweepUnusedApps(at + 9, 0, 9), 1)
        assert.deepEqual(await there(), but(0, 1, 6))
        assert.equal(await store.sweepUnusedApps(NOW + 900 * DAY, 0, 9), 2)
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
          (await store.tallies({ grain: "day", since: 0, until: NOW + DAY, clientId })).length
        assert.equal(await store.sweepUnusedApps(NOW + HOUR, 0, 2), 2)
        assert.deepEqual([await left(unused), (await store.clients({ limit: 9 })).length], [1, 2])
        assert.equal(await store.sweepUnusedApps(NOW + HOUR, 0, 2), 2)
        assert.deepEqual([await left(unused), await left(used)], [0, 3])
        const clients = await store.clients({ limit: 9 })
        assert.deepEqual(
          clients.map(({ clientId }) => clientId),
          [used.clientId],
        )
      })

      it("at most a batch of a kind is deleted at a time", async () => {
        const changes = [0, 1, 2, 3, 4].map((number): Change => ({
          change: "credentialAdded",
          credential: issued(number),
        }))
        await write(...people(), ...changes)
        assert.equal(await store.sweep(NOW + 30 * DAY, 2), 2)
        assert.equal((await kept([0, 1, 2, 3, 4])).length, 3)
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
        const sessions = async () => (await store.sessions(userId)).map((one) => one.sessionHash)

        await sweepAll(NOW + 7 * DAY - 1)
        assert.ok((await store.read(load)).spentTicket)
        await sweepAll(NOW + SESSION_IDLE_SECONDS - 1)
        assert.equal((await sessions()).length, 2)
        assert.equal((await store.read(load)).spentTicket, null)
        await sweepAll(NOW + SESSION_IDLE_SECONDS + DAY)
        assert.deepEqual(await sessions(), [session(2).sessionHash])
        await sweepAll(NOW + 180 * DAY - 1)
        assert.deepEqual([await sessions(), (await store.read(load)).knownBrowser], [[], { at: NOW }])
        await sweepAll(NOW + 180 * DAY)
        assert.equal((await store.read(load)).knownBrowser, null)
        await sweepAll(NOW + 400 * DAY - 1)
        assert.equal((await store.events({}, { limit: 9 })).length, 1)
        await sweepAll(NOW + 400 * DAY)
        assert.equal((await store.events({}, { limit: 9 })).length, 0)
      })
    })

    it("a database written by the changes has no problem", async () => {
      const changes = [0, 1, 2].map((number): Change => ({
        change: "credentialAdded",
        credential: active(number),
      }))
      const step: DevicePurpose = {
        purpose: "step-up",
        tokenId: id<TokenId>("t", 2),
        userId: account().userId,
        reason: "Remove the laptop",
      }
      await write(
        ...people(),
        { change: "sessionAdded", session: session() },
        ...changes,
        { change: "deviceGrantAdded", grant: deviceGrant(0) },
        { change: "deviceGrantAdded", grant: deviceGrant(1) },
        { change: "deviceGrantAdded", grant: deviceGrant(2, { state: "pending" }, { purpose: step }) },
      )
      await write(
        { change: "deviceGrantChanged", grant: deviceGrant(1, approval()) },
        { change: "deviceGrantChanged", grant: deviceGrant(2, { ...approval(), granted: [] }) },
        { change: "credentialChanged", credential: active(1) },
        { change: "credentialsRevoked", of: { userId: id("a") }, at: NOW + 5, because: "account-holder" },
        { change: "sessionSeen", sessionHash: session().sessionHash, at: NOW + 9 * DAY },
      )
      assert.deepEqual(await store.verify(), [])
    })
  })
}
