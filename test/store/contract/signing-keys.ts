/** Signing keys on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { KeyId } from "../../../src/kernel/ids.ts"
import type { SignatureAlgorithm, SigningKey } from "../../../src/model/signing-key.rules.ts"
import { decideTurn } from "../../../src/oauth/keys/key-turn.rules.ts"
import { id, NOW } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

const made = (kid: string, algorithm: SignatureAlgorithm = "RS256") => ({
  kid: id<KeyId>(kid),
  algorithm,
  publicJwk: `{"kty":"RSA","n":"${kid}"}`,
  sealedPrivate: `sealed ${kid}`,
})

const key = (kid: string, more: Partial<SigningKey> = {}): SigningKey => ({
  ...made(kid),
  state: "signing",
  madeAt: NOW,
  signsFrom: NOW,
  endedAt: null,
  ...more,
})

export function signingKeyContract(name: string, open: Open): void {
  describe(`signing keys on ${name}`, () => {
    const db = eachStore(open)
    const all = async () => (await db.store.read({ signingKeys: true })).signingKeys

    it("SIGN-1 come back in the order in which they were made, and are replaced and removed", async () => {
      const [first, second] = [key("b"), key("a", { madeAt: NOW + 1, state: "next", signsFrom: NOW + 9 })]
      const other = key("c", { algorithm: "ES256", madeAt: NOW + 2 })
      await db.write(...[other, second, first].map((of) => ({ change: "signingKeySet", key: of }) as const))
      assert.deepEqual(await all(), [first, second, other])
      const ended = { ...first, state: "former", sealedPrivate: null, endedAt: NOW + 5 } as const
      await db.write(
        { change: "signingKeySet", key: ended },
        { change: "signingKeySet", key: { ...second, state: "signing" } },
        { change: "signingKeyRemoved", kid: other.kid },
      )
      assert.deepEqual(await all(), [ended, { ...second, state: "signing" }])
    })

    it("SIGN-3 of many that make the first key at once, one makes it", async () => {
      const turn = async (kid: string) =>
        db.store.change({ signingKeys: true }, ({ signingKeys }) =>
          decideTurn(signingKeys ?? [], "RS256", made(kid), NOW),
        )
      await Promise.all(Array.from({ length: 10 }, async (_, at) => turn(`kid${at}`)))
      assert.equal((await all())?.length, 1)
    })

    it("SIGN-3 two keys of one algorithm never sign, and one key never lacks its private part", async () => {
      await db.write({ change: "signingKeySet", key: key("a") })
      await assert.rejects(db.write({ change: "signingKeySet", key: key("b") }))
      await assert.rejects(db.write({ change: "signingKeySet", key: key("a", { sealedPrivate: null }) }))
      assert.deepEqual(await all(), [key("a")])
    })
  })
}
