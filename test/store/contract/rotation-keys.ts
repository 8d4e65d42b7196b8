/** Tests how every engine keeps rotation keys: CRED-6. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { eachStore, type Open } from "./fixture.ts"

const key = (of: string) => of.repeat(43).slice(0, 43)
const keys = (...halves: readonly number[]) => new Map(halves.map((half) => [half, key(String(half % 10))]))

export function rotationKeyContract(name: string, open: Open): void {
  describe(`rotation keys on ${name}`, () => {
    const db = eachStore(open)

    it("CRED-6 what is proposed is kept, and found by another node and after a restart", async () => {
      const span = { first: 3, last: 9 }
      assert.deepEqual(await db.store.keepRotationKeys(span, keys(4, 5)), keys(4, 5))
      assert.deepEqual(await (await db.opened.another()).keepRotationKeys(span, new Map()), keys(4, 5))
      assert.deepEqual(await (await db.opened.reopen()).keepRotationKeys(span, new Map()), keys(4, 5))
    })

    it("CRED-6 the first key of a half minute stays, and what is missing is added", async () => {
      await db.store.keepRotationKeys({ first: 3, last: 9 }, keys(4))
      const kept = await db.store.keepRotationKeys(
        { first: 3, last: 9 },
        new Map([[4, key("x")], ...keys(5)]),
      )
      assert.deepEqual(kept, keys(4, 5))
    })

    it("CRED-6 keys outside the span are removed for good, past and far ahead", async () => {
      await db.store.keepRotationKeys({ first: 0, last: 100 }, keys(1, 4, 9, 50))
      assert.deepEqual(await db.store.keepRotationKeys({ first: 3, last: 9 }, keys()), keys(4, 9))
      assert.deepEqual(await db.store.keepRotationKeys({ first: 0, last: 100 }, keys()), keys(4, 9))
    })

    it("CRED-6 of many that propose at once one wins, and all hear the same", async () => {
      const others = await Promise.all([db.opened.another(), db.opened.another()])
      const kept = await Promise.all(
        Array.from({ length: 30 }, (_, n) => {
          const proposed = new Map([7, 8, 9].map((half) => [half, key(String.fromCharCode(97 + (n % 26)))]))
          return ([db.store, ...others][n % 3] ?? db.store).keepRotationKeys({ first: 3, last: 9 }, proposed)
        }),
      )
      assert.deepEqual(kept, Array(30).fill(kept[0]))
      assert.equal(kept[0]?.size, 3)
    })
  })
}
