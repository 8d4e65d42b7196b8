import { test } from "node:test"
import assert from "node:assert/strict"
import { credentialRecord } from "../../../src/oauth/credential/credential-record.rules.ts"
import { IDLE_SECONDS } from "../../../src/kernel/limits.ts"
import {
  account,
  consent,
  credential,
  lives,
  NOW,
  permissions,
  publicClient,
  sampleCatalog,
} from "../../support/core-sample.ts"

const record = (
  life: Parameters<typeof credential>[0],
  {
    client = publicClient as typeof publicClient | null,
    holder = account as typeof account | null,
    now = NOW,
  } = {},
) =>
  credentialRecord(
    { catalog: sampleCatalog, providers: new Map() },
    { credential: credential(life), client, account: holder },
    now,
  )

test("PERM-5: scope is the consent, reach what of it holds now", () => {
  assert.deepEqual(record(lives.active), {
    token_id: consent.tokenId,
    client_id: consent.clientId,
    user_id: consent.userId,
    username: "Ada",
    installation_name: null,
    scope: "files:read workers:read",
    reach: "files:read workers:read",
    state: "active",
    consented_at: NOW,
    rotated_at: NOW,
    ends_at: consent.endsAt,
    elevated_until: null,
  })
  const lowered = record(lives.active, { client: { ...publicClient, ceiling: permissions("workers:read") } })
  assert.equal(lowered.scope, "files:read workers:read")
  assert.equal(lowered.reach, "workers:read")
})

test("the state is the state now, and what cannot be used reaches nothing", () => {
  const late = record(lives.active, { now: NOW + IDLE_SECONDS + 1 })
  assert.deepEqual([late.state, late.reach], ["ended", ""])
  assert.equal(record(lives.revoked).reach, "")
  assert.equal(record(lives.active, { holder: { ...account, enabled: false } }).reach, "")
  assert.equal(record(lives.active, { client: { ...publicClient, enabled: false } }).reach, "")
  const orphan = record(lives.revoked, { client: null, holder: null })
  assert.deepEqual([orphan.username, orphan.reach, orphan.client_id], [null, "", consent.clientId])
})

test("before the exchange nothing was rotated; an elevation that is over is not shown", () => {
  assert.equal(record(lives.issued).rotated_at, null)
  const elevated = { ...lives.active, elevatedUntil: NOW + 900 }
  assert.equal(record(elevated).elevated_until, NOW + 900)
  assert.equal(record(elevated, { now: NOW + 901 }).elevated_until, null)
})
