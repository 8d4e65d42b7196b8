/** Tests factors, failed codes and proofs of browsers on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { FactorId } from "../../../src/kernel/ids.ts"
import { type Change, decided } from "../../../src/model/change.rules.ts"
import type { Passkey, Recovery, Totp } from "../../../src/model/factor.rules.ts"
import { account, client, factors, hash, id, NOW, session } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function factorContract(name: string, open: Open): void {
  describe(`factors on ${name}`, () => {
    const db = eachStore(
      open,
      { change: "accountAdded", account: account() },
      { change: "accountAdded", account: account(1) },
      { change: "clientAdded", client: client() },
    )
    const { write } = db

    const { userId } = account()
    const add = (...all: readonly (Totp | Passkey | Recovery)[]) =>
      write(...all.map((factor): Change => ({ change: "factorAdded", factor })))
    const ofAccount = async () => (await db.store.read({ factors: userId })).factors

    it("FACTOR-7 of every kind are found by account, by id and by credential, changed and removed", async () => {
      const [totp, passkey, recovery] = factors()
      assert.deepEqual(await ofAccount(), [])
      await add(recovery, passkey, totp)
      assert.deepEqual(await ofAccount(), [totp, passkey, recovery])
      assert.deepEqual(await db.store.read({ factor: totp.factorId, passkey: passkey.credentialId }), {
        factor: totp,
        passkey,
      })
      const changed = [
        { ...totp, name: "Phone", usedAt: NOW + 1, usedStep: 7 },
        { ...passkey, usedAt: NOW + 2, counter: 9, isBackedUp: true },
        { ...recovery, usedAt: NOW + 3, codes: [hash("two")] },
      ] as const
      await write(...changed.map((factor): Change => ({ change: "factorChanged", factor })))
      assert.deepEqual(await ofAccount(), changed)
      await write({ change: "factorRemoved", factorId: passkey.factorId })
      assert.deepEqual(await ofAccount(), [changed[0], changed[2]])
      assert.deepEqual(await db.store.read({ factor: passkey.factorId, passkey: passkey.credentialId }), {
        factor: null,
        passkey: null,
      })
      await assert.rejects(write({ change: "factorChanged", factor: passkey }))
    })

    it("FACTOR-1 a change leaves the secret and the key as they were settled", async () => {
      const [totp, passkey] = factors()
      await add(totp, passkey)
      await write(
        { change: "factorChanged", factor: { ...totp, sealedSecret: "other" } },
        { change: "factorChanged", factor: { ...passkey, publicKey: "other", credentialId: "other" } },
      )
      assert.deepEqual(await ofAccount(), [totp, passkey])
    })

    it("FACTOR-9 a reset takes those of one account, a removal of the account its own", async () => {
      const [totp, passkey] = factors()
      const other = account(1).userId
      await add(totp, { ...passkey, userId: other })
      await write({ change: "factorsReset", userId })
      assert.deepEqual(await ofAccount(), [])
      assert.equal((await db.store.read({ factors: other })).factors?.length, 1)
      await write({ change: "accountRemoved", userId: other })
      assert.deepEqual(await db.store.read({ passkey: passkey.credentialId }), { passkey: null })
    })

    it("FACTOR-2, FACTOR-6 a passkey is one account's, and recovery codes are one set", async () => {
      const [, passkey, recovery] = factors()
      await add(passkey, recovery)
      for (const factor of [passkey, recovery])
        await assert.rejects(add({ ...factor, factorId: id<FactorId>("f", 9) }))
    })

    it("FACTOR-8 what a browser has proven stays with its session", async () => {
      const { sessionHash } = session()
      const proof = { by: "second-factor", at: NOW + 5, amr: ["pwd", "otp"] } as const
      await write({ change: "sessionAdded", session: session() })
      await write({ change: "sessionProven", sessionHash, proof })
      assert.deepEqual(await db.store.read({ session: sessionHash }), { session: { ...session(), proof } })
      const password = session(1, { proof: { by: "password", at: NOW } })
      await write({ change: "sessionAdded", session: password })
      assert.deepEqual(await db.store.sessions(userId), [{ ...session(), proof }, password])
    })

    it("which application vouched for a session stays with it, and when it did last", async () => {
      const { sessionHash } = session()
      const vouched = { by: "shop", at: NOW }
      await write({ change: "sessionAdded", session: session(0, { vouched }) })
      await write({ change: "sessionVouched", sessionHash, at: NOW + 600 })
      const renewed = session(0, { vouched: { by: "shop", at: NOW + 600 } })
      assert.deepEqual(await db.store.read({ session: sessionHash }), { session: renewed })
      assert.deepEqual(await db.store.sessions(userId), [renewed])
    })

    it("FACTOR-11 the codes of an account that failed, exactly, until they are unset or the account goes", async () => {
      const load = { account: userId, codeTries: userId } as const
      const fail = () =>
        db.store.change(load, ({ codeTries }) => {
          const unknownFailures = (codeTries?.unknownFailures ?? 0) + 1
          return decided(null, {
            change: "codeTriesSet",
            userId,
            tries: { userId, unknownFailures, knownFailures: 2 },
          })
        })
      await Promise.all(Array.from({ length: 20 }, fail))
      const tries = { userId, unknownFailures: 20, knownFailures: 2 }
      assert.deepEqual((await db.store.read({ codeTries: userId })).codeTries, tries)
      await write({ change: "codeTriesSet", userId, tries: null })
      assert.equal((await db.store.read({ codeTries: userId })).codeTries, null)
      await fail()
      await write({ change: "accountRemoved", userId })
      assert.equal((await db.store.read({ codeTries: userId })).codeTries, null)
    })

    it("the check of a database that the changes wrote finds nothing", async () => {
      await add(...factors())
      assert.deepEqual(await db.store.verify(), [])
    })
  })
}
