import { test } from "node:test"
import assert from "node:assert/strict"
import type { Hash } from "../../../src/kernel/ids.ts"
import { belongsTo } from "../../../src/oauth/credential/presented-token.rules.ts"
import { findAccessToken } from "../../../src/model/credential.rules.ts"
import { rotate } from "../../../src/oauth/credential/family.rules.ts"
import { YEAR } from "../../../src/kernel/time.ts"
import { consent, credential, firstFamily, hash, lives, NOW, pair } from "../../support/core-sample.ts"

const rotation = {
  pair: pair(2),
  narrowedTo: null,
  answeredScope: [],
  accessSeconds: 60,
  from: null,
}
const held = credential({ ...lives.active, family: rotate(consent, firstFamily, rotation, NOW + 10) })
const refresh = (generation: number, digest = pair(generation).refreshHash) => ({
  kind: "refresh" as const,
  token: {
    generation,
    hash: digest,
    isGenuine: (key: string) => key === "family key" && digest !== hash("x"),
  },
})

const access = (digest: Hash, key?: string) => ({
  kind: "access" as const,
  token: { hash: digest, isGenuine: (familyKey: string) => familyKey === key },
})

test("REV-1 a token in full belongs, a retired refresh token too, at any time", () => {
  for (const now of [0, NOW + 10, NOW + 2 * YEAR]) {
    for (const generation of [1, 2]) {
      assert.equal(belongsTo(held, refresh(generation), now), true)
      assert.equal(belongsTo(held, access(pair(generation).accessHash), now), true)
      assert.equal(belongsTo(held, refresh(generation, hash("x")), now), false)
    }
    assert.equal(belongsTo(held, refresh(3), now), false)
    assert.equal(belongsTo(held, access(hash("x")), now), false)
  }
  assert.equal(belongsTo(credential(lives.issued), refresh(1), NOW), false)
})

test("REV-6 an access token whose digest is not stored any more belongs by its MAC, also in what is over", () => {
  const pushedOut = access(hash("pushed out"), "family key")
  for (const now of [0, NOW, NOW + 2 * YEAR]) {
    assert.equal(belongsTo(held, pushedOut, now), true)
    for (const life of [lives.revoked, lives.ended])
      assert.equal(belongsTo(credential(life), pushedOut, now), true)
  }
  assert.equal(belongsTo(held, access(hash("pushed out"), "another key"), NOW), false)
  assert.equal(belongsTo(credential(lives.issued), pushedOut, NOW), false)
  assert.equal(findAccessToken(held, pushedOut.token.hash), null, "and opens nothing")
})
