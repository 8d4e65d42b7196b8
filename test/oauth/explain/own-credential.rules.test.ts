import { test } from "node:test"
import assert from "node:assert/strict"
import { IDLE_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { credentialRecord } from "../../../src/oauth/credential/credential-record.rules.ts"
import { explanation } from "../../../src/oauth/explain/explanation.rules.ts"
import { ownExplanation, withoutRotation } from "../../../src/oauth/explain/own-credential.rules.ts"
import {
  account,
  credential,
  firstFamily,
  hash,
  lives,
  NOW,
  publicClient,
  sampleCatalog,
} from "../../support/core-sample.ts"

const record = credentialRecord(
  { catalog: sampleCatalog, providers: new Map() },
  { credential: credential(lives.active), client: publicClient, account },
  NOW,
)

test("CRED-5 an access token does not read when its credential rotated, nor the second at which it ends", () => {
  const { rotated_at: rotatedAt, ends_at: endsAt, ...rest } = record
  assert.equal(rotatedAt, NOW)
  const shown = withoutRotation(record)
  assert.deepEqual(shown, { ...rest, ends_at: (endsAt ?? 0) - ((endsAt ?? 0) % DAY) })
  assert.ok(!("rotated_at" in shown))
})

test("CRED-5 an end that does not exist stays null", () => {
  assert.equal(withoutRotation({ ...record, ends_at: null }).ends_at, null)
})

const token = (name: string) => ({ hash: hash(name), expiresAt: NOW + 3600, issuedAt: NOW, narrowedTo: null })
const [own, other] = [token("own"), token("other")]
const family = {
  ...firstFamily,
  accessTokens: [other, own],
  repeats: { count: 1, elsewhere: [{ generation: 1, at: NOW, from: "192.0.2.9", firstFrom: "192.0.2.1" }] },
}
const explained = explanation(
  sampleCatalog,
  credential({ ...lives.active, family }),
  publicClient,
  account,
  NOW,
  new Map(),
)

test("CRED-5 an access token sees itself, no other one, no repeats and no exact end", () => {
  assert.ok(
    explained.accessTokens.length === 2 && explained.repeats !== null,
    "the sample has what is hidden",
  )
  const shown = ownExplanation(explained, own)
  assert.deepEqual(
    shown.accessTokens.map((one) => one.hash),
    [own.hash],
  )
  assert.equal(shown.repeats, null)
  const end = NOW + IDLE_SECONDS
  assert.deepEqual(shown.comingEnd, { rule: "idle", at: end - (end % DAY) })
  const { accessTokens: _, repeats: _repeats, comingEnd: _end, ...rest } = explained
  const { accessTokens: _a, repeats: _r, comingEnd: _e, ...same } = shown
  assert.deepEqual(same, rest)
})

test("CRED-5 where no end is coming, none is shown", () => {
  assert.equal(ownExplanation({ ...explained, comingEnd: null }, own).comingEnd, null)
})
