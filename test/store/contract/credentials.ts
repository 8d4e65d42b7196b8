/** Credentials on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import * as fc from "fast-check"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { KEPT_AFTER_END_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import type { Credential } from "../../../src/model/credential.rules.ts"
import type { Store } from "../../../src/store/store.ts"
import { aCredential, account, active, client, family, id, issued, asKept, NOW } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

/** What the check of an access token reads: neither the code nor the facts of the sign-in. */
function asSeen({ consent, life }: Credential): Credential {
  return { consent: { ...consent, openid: null }, code: null, life }
}

export function credentialContract(name: string, open: Open): void {
  describe(`credentials on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db
    const credential = (number: number) =>
      db.store.read({ credential: id<TokenId>("t", number) }).then((found) => found.credential)
    const people = (): Change[] => [
      { change: "accountAdded", account: account() },
      { change: "clientAdded", client: client() },
    ]

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
            assert.deepEqual(await db.store.read(load), {
              credential: asKept(added),
              tokensOf: asSeen(asKept(added)),
              ownerOf: account(),
              appOf: client(),
            })
            const changed: Credential = { ...added, life: next }
            await db.store.change({ credential: tokenId }, () =>
              decided(null, { change: "credentialChanged", credential: changed }),
            )
            const expected = asKept({ ...asKept(added), life: next })
            assert.deepEqual((await db.store.read({ credential: tokenId })).credential, expected)
            const { tokensOf } = await db.store.read({ tokensOf: tokenId, ownerOf: tokenId })
            assert.deepEqual(tokensOf, asSeen(expected))
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
          return (await db.store.credentials(filter, page)).map((held) =>
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

        const [first, second, third] = await db.store.credentials({}, { limit: 3 })
        assert.deepEqual([first?.account, first?.client], [account(), client()])
        assert.deepEqual([second?.account, second?.client], [account(1), client(1)])
        assert.deepEqual([third?.account, third?.client], [account(), null])
      })
    })

    describe("sweeping", () => {
      const kept = async (numbers: readonly number[]) => {
        const there = await Promise.all(numbers.map(credential))
        return numbers.filter((_, i) => there[i] !== null)
      }
      const sweepAll = async (now: number) => {
        let rounds = 0
        while ((await db.store.sweep(now, 2)) > 0) assert.ok(++rounds < 100)
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

      it("at most a batch of a kind is deleted at a time", async () => {
        const changes = [0, 1, 2, 3, 4].map((number): Change => ({
          change: "credentialAdded",
          credential: issued(number),
        }))
        await write(...people(), ...changes)
        assert.equal(await db.store.sweep(NOW + 30 * DAY, 2), 2)
        assert.equal((await kept([0, 1, 2, 3, 4])).length, 3)
      })
    })
  })
}
