/** Device grants on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import * as fc from "fast-check"
import type { GrantId } from "../../../src/kernel/ids.ts"
import { KEPT_AFTER_END_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY, HOUR } from "../../../src/kernel/time.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import type { DeviceState } from "../../../src/model/device-grant.rules.ts"
import type { Store } from "../../../src/store/store.ts"
import { account, aDeviceGrant, approval, client, deviceGrant, hash, id, NOW } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function deviceGrantContract(name: string, open: Open): void {
  describe(`device grants on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db
    const people = (): Change[] => [
      { change: "accountAdded", account: account() },
      { change: "clientAdded", client: client() },
    ]

    describe("device grants", () => {
      const grant = (number: number) =>
        db.store.read({ deviceGrant: id<GrantId>("g", number) }).then((found) => found.deviceGrant)

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
            assert.deepEqual(await db.store.read(load), {
              deviceGrant: added,
              deviceGrantByCode: added,
              approverOf: approverOf(answer),
            })
            const changed = { ...added, answer: next }
            await write({ change: "deviceGrantChanged", grant: changed })
            assert.deepEqual(await db.store.read(load), {
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
          await db.store.read({ deviceGrantByCode: hash("code9"), approverOf: id<GrantId>("g", 9) }),
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
        const second = await db.opened.another()
        await write(...people(), { change: "deviceGrantAdded", grant: deviceGrant(0, approval()) })
        const fetch = (from: Store) =>
          from.change({ deviceGrant: id<GrantId>("g") }, ({ deviceGrant: found }) => {
            if (found?.answer.state !== "approved") return decided("lost")
            const answer = { state: "redeemed", redeemedAt: NOW, userId: account().userId } as const
            return decided("won", { change: "deviceGrantChanged", grant: { ...found, answer } })
          })
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, i) => fetch(i % 2 === 0 ? db.store : second)),
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
        assert.deepEqual(await db.store.verify(), [])
        const left = async () => {
          const grants = await Promise.all(cases.map((_, i) => grant(i)))
          return grants.flatMap((found, i) => (found === null ? [] : [i]))
        }
        for (const now of [...new Set(cases.map(([, , goneAt]) => goneAt))].toSorted((a, b) => a - b)) {
          await db.store.sweep(now - 1, 9)
          assert.deepEqual(
            await left(),
            cases.flatMap(([, , goneAt], i) => (goneAt >= now ? [i] : [])),
          )
          await db.store.sweep(now, 9)
          assert.deepEqual(
            await left(),
            cases.flatMap(([, , goneAt], i) => (goneAt > now ? [i] : [])),
          )
        }
      })

      it("LOAD-4 what an account approved goes a day after it was voided with the account", async () => {
        await write(...people(), { change: "deviceGrantAdded", grant: deviceGrant(0, approval()) })
        await write({ change: "approvalsDenied", userId: account().userId, at: NOW + 60 })
        assert.deepEqual(await db.store.verify(), [])
        assert.equal(await db.store.sweep(NOW + 60 + DAY - 1, 9), 0)
        assert.equal(await db.store.sweep(NOW + 60 + DAY, 9), 1)
      })

      it("at most as many grants go at a time as were asked for", async () => {
        await write(
          ...people(),
          ...[0, 1, 2].map((i): Change => ({ change: "deviceGrantAdded", grant: deviceGrant(i) })),
        )
        assert.equal(await db.store.sweep(NOW + DAY, 2), 2)
        assert.equal(await db.store.sweep(NOW + DAY, 2), 1)
      })
    })
  })
}
