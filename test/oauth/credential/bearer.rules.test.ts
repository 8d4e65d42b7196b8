import { test } from "node:test"
import assert from "node:assert/strict"
import { type BearerFacts, decideBearer } from "../../../src/oauth/credential/bearer.rules.ts"
import type { Life } from "../../../src/model/credential.rules.ts"
import { DAY } from "../../../src/kernel/time.ts"
import {
  account,
  credential,
  firstFamily,
  hash,
  lives,
  NOW,
  pair,
  permissions,
  publicClient,
  sampleCatalog,
} from "../../support/core-sample.ts"

const facts: BearerFacts = {
  credential: credential(lives.active),
  client: publicClient,
  account,
  hash: pair(1).accessHash,
  serviceToken: null,
  providers: new Map(),
}
const decide = (changes: Partial<BearerFacts> = {}, now = NOW + 5) =>
  decideBearer(sampleCatalog, { ...facts, ...changes }, now)
const invalid = { ok: false, error: { reason: "accessTokenInvalid" } }

test("AUTH-1, PERM-5 a live token reaches the consent within the ceiling of this moment", () => {
  const { answer, changes } = decide()
  assert.deepEqual(answer.ok && answer.value.reach, permissions("files:read workers:read"))
  assert.deepEqual(changes, [])
  const less = decide({ client: { ...publicClient, ceiling: permissions("workers:read") } })
  assert.deepEqual(less.answer.ok && less.answer.value.reach, permissions("workers:read"))
})

test("AUTH-8 a narrowed token reaches no more than it was narrowed to", () => {
  const narrowedTo = permissions("workers:read")
  const accessTokens = firstFamily.accessTokens.map((token) => ({ ...token, narrowedTo }))
  const life: Life = { ...lives.active, family: { ...firstFamily, accessTokens } }
  const { answer } = decide({ credential: credential(life) })
  assert.deepEqual(answer.ok && answer.value.reach, narrowedTo)
})

test("AUTH-1 what is unknown, revoked, ended, disabled or gone is one and the same: invalid", () => {
  const cases: readonly Partial<BearerFacts>[] = [
    { credential: null },
    { hash: hash("other") },
    { hash: pair(1).refreshHash },
    { credential: credential(lives.issued) },
    { credential: credential(lives.revoked) },
    { credential: credential(lives.ended) },
    { client: null },
    { client: { ...publicClient, enabled: false } },
    { account: null },
    { account: { ...account, enabled: false } },
  ]
  for (const changes of cases) assert.deepEqual(decide(changes), { answer: invalid, changes: [] })
})

test("LIM-7 an expired token is invalid, and its end is stored once, so that a clock set back revives nothing", () => {
  assert.equal(decide({}, NOW + 3600).answer.ok, true)
  const { answer, changes } = decide({}, NOW + 3601)
  assert.deepEqual(answer, invalid)
  const [stored] = changes
  assert.ok(stored?.change === "credentialChanged")
  const expired = { credential: stored.credential }
  assert.deepEqual(decide(expired, NOW + 5), { answer: invalid, changes: [] })
  assert.equal(stored.credential.life.state, "active")
})

test("CRED-4 a token of a credential that has ended by time is invalid, and the end is stored", () => {
  const { answer, changes } = decide({}, NOW + 90 * DAY + 1)
  assert.deepEqual(answer, invalid)
  const [stored] = changes
  assert.ok(stored?.change === "credentialChanged" && stored.credential.life.state === "ended")
})

test("INTRO-1 an elevation is shown while it lasts", () => {
  const elevated = { credential: credential({ ...lives.active, elevatedUntil: NOW + 10 }) }
  const during = decide(elevated, NOW + 10).answer
  const after = decide(elevated, NOW + 11).answer
  assert.equal(during.ok && during.value.elevatedUntil, NOW + 10)
  assert.equal(after.ok && after.value.elevatedUntil, null)
})

test("STEP-2, ERR-14 an elevation answered as over stays over, also with the clock set back", () => {
  const [stored] = decide(
    { credential: credential({ ...lives.active, elevatedUntil: NOW + 10 }) },
    NOW + 11,
  ).changes
  assert.ok(stored?.change === "credentialChanged")
  assert.deepEqual(stored.credential, credential(lives.active))
  const { answer, changes } = decide({ credential: stored.credential }, NOW + 5)
  assert.equal(answer.ok && answer.value.elevatedUntil, null)
  assert.deepEqual(changes, [])
})
