import type { TokenIssueInput } from "../../../../src/oauth/credential/token-response.rules.ts"
import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId, Hash } from "../../../../src/kernel/ids.ts"
import type { Life } from "../../../../src/model/credential.rules.ts"
import {
  decideExchange,
  type Exchange,
  type ExchangeProof,
} from "../../../../src/oauth/token/grants/exchange.rules.ts"
import { type Result, err, ok } from "../../../../src/kernel/result.ts"
import type { Refusal } from "../../../../src/model/refusals/refusal.rules.ts"
import {
  account,
  CLIENT_ID,
  credential,
  hash,
  lives,
  NOW,
  pair,
  publicClient,
  sampleCatalog,
  TOKEN_ID,
} from "../../../support/core-sample.ts"

const client = { ...publicClient, clientId: CLIENT_ID }
const minting: TokenIssueInput = {
  now: NOW + 5,
  address: "192.0.2.1",
  accessSeconds: 3600,
  familyKey: "family key",
  pair: pair(1),
}

function exchange(changes: Partial<Exchange> = {}, life: Life = lives.issued): Exchange {
  return {
    client,
    credential: credential(life),
    account,
    codeHash: hash("code"),
    proof: proof(),
    ...changes,
  }
}

function proof(changes: Partial<ExchangeProof> = {}): Result<ExchangeProof, Refusal> {
  const right = { redirectUri: "http://127.0.0.1:5000/callback", verifierHash: "c".repeat(43) as Hash }
  return ok({ ...right, ...changes })
}

/** Returns why an exchange was refused, and the kinds of changes that are still written. */
function refusal(of: Exchange, now = NOW + 5): readonly string[] {
  const { answer, changes } = decideExchange(sampleCatalog, of, { ...minting, now })
  assert.equal(answer.ok, false)
  return [answer.ok ? "" : answer.error.reason, ...changes.map((change) => change.change)]
}

test("CODE-1, GRANT-2 a right exchange mints: the pair is stored, and everything else is the grant's", () => {
  const { answer, changes } = decideExchange(sampleCatalog, exchange(), minting)
  assert.ok(answer.ok)
  assert.equal(answer.value.scope, "files:read workers:read")
  assert.equal(answer.value.token_id, TOKEN_ID)
  assert.equal(answer.value.access_token, pair(1).accessToken)
  const [stored, recorded] = changes
  assert.ok(stored?.change === "credentialChanged" && stored.credential.life.state === "active")
  assert.equal(stored.credential.life.family.currentHash, pair(1).refreshHash)
  assert.ok(recorded?.change === "eventRecorded" && recorded.event.kind === "code-exchanged")
  assert.equal(changes.length, 2)
})

test("PERM-5, TOK-6 what is answered is reached now, not what was consented to then", () => {
  const { answer } = decideExchange(sampleCatalog, exchange({ client: { ...client, ceiling: [] } }), minting)
  assert.equal(answer.ok && answer.value.scope, "")
})

test("CODE-1 a wrong exchange writes nothing: the code stays usable", () => {
  assert.deepEqual(refusal(exchange({ proof: proof({ redirectUri: "http://127.0.0.1:5001/callback" }) })), [
    "redirectUriDiffers",
  ])
  assert.deepEqual(refusal(exchange({ proof: proof({ verifierHash: "d".repeat(43) as Hash }) })), [
    "verifierWrong",
  ])
  assert.deepEqual(refusal(exchange({ proof: proof({ verifierHash: null }) })), ["verifierWrong"])
  assert.deepEqual(refusal(exchange({ account: null })), ["accountUnavailable"])
  assert.deepEqual(refusal(exchange({ account: { ...account, enabled: false } })), ["accountUnavailable"])
})

test("CODE-1 a code that is not this one, or of nothing, is unknown", () => {
  assert.deepEqual(refusal(exchange({ credential: null })), ["codeUnknown"])
  assert.deepEqual(refusal(exchange({ codeHash: hash("other") })), ["codeUnknown"])
  assert.deepEqual(refusal(exchange({ credential: { ...credential(lives.issued), code: null } })), [
    "codeUnknown",
  ])
  assert.deepEqual(refusal(exchange({ codeHash: hash("other") }, lives.active)), ["codeUnknown"])
})

test("CODE-2 an expired code is refused, and its end is stored with the first answer that tells it", () => {
  assert.deepEqual(refusal(exchange(), NOW + 601), ["codeExpired", "credentialChanged"])
  const ended: Life = { state: "ended", family: null, endedAt: NOW + 600, because: "code-expired" }
  assert.deepEqual(refusal(exchange({}, ended), NOW), ["codeExpired"])
})

test("CODE-3 a replay by the code's own app revokes, right or wrong in everything else", () => {
  for (const changes of [
    {},
    { proof: proof({ redirectUri: "x" }) },
    { proof: proof({ verifierHash: null }) },
    { account: null },
  ]) {
    assert.deepEqual(refusal(exchange(changes, lives.active)), [
      "codeReplayed",
      "credentialChanged",
      "eventRecorded",
    ])
  }
  const { changes } = decideExchange(sampleCatalog, exchange({}, lives.active), minting)
  const [stored] = changes
  assert.ok(stored?.change === "credentialChanged" && stored.credential.life.state === "revoked")
  assert.equal(stored.credential.life.because, "code-replayed")
})

test("CODE-4 a malformed request is answered as malformed; a replay in it revokes all the same", () => {
  const malformed = { proof: err({ reason: "parameterMissing", parameter: "code_verifier" }) }
  const revoked = ["parameterMissing", "credentialChanged", "eventRecorded"]
  assert.deepEqual(refusal(exchange(malformed, lives.active)), revoked)
  for (const life of [lives.issued, lives.revoked, lives.ended])
    assert.deepEqual(refusal(exchange(malformed, life)), ["parameterMissing"])
  const other = { ...client, clientId: "01kb3w5f6y8m2q4r7t9v1x3z5z" as ClientId }
  assert.deepEqual(refusal(exchange({ ...malformed, client: other }, lives.active)), ["parameterMissing"])
  assert.deepEqual(refusal(exchange({ ...malformed, credential: null })), ["parameterMissing"])
})

test("CODE-3 a replay on what is over changes nothing more", () => {
  for (const life of [lives.revoked, lives.ended])
    assert.deepEqual(refusal(exchange({}, life)), ["codeReplayed"])
})

test("CODE-3 another app's replay is refused and revokes nothing", () => {
  const other = { ...client, clientId: "01kb3w5f6y8m2q4r7t9v1x3z5z" as ClientId }
  for (const life of [lives.issued, lives.active]) {
    assert.deepEqual(refusal(exchange({ client: other }, life)), ["codeOfAnotherClient"])
  }
})

test("GROUP-6 a code of an app that the account may not connect now is refused for good", () => {
  const forTeam = { ...client, groups: ["team"] }
  const left = exchange({ client: forTeam })
  assert.deepEqual(refusal(left), ["appNotForAccount", "credentialChanged", "eventRecorded"])
  const [ended] = decideExchange(sampleCatalog, left, minting).changes
  assert.ok(ended?.change === "credentialChanged" && ended.credential.life.state === "revoked")
  assert.equal(ended.credential.life.because, "not-for-account")
  const wrong = proof({ verifierHash: "d".repeat(43) as Hash })
  assert.deepEqual(refusal(exchange({ client: forTeam, proof: wrong })), ["verifierWrong"])
  const member = { ...account, groups: ["team"] }
  const { answer } = decideExchange(sampleCatalog, exchange({ client: forTeam, account: member }), minting)
  assert.equal(answer.ok && answer.value.scope, "files:read workers:read")
})
