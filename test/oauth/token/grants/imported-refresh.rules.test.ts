import { test } from "node:test"
import assert from "node:assert/strict"
import { CREDENTIAL_SECONDS } from "../../../../src/kernel/limits.ts"
import type { Change } from "../../../../src/model/change.rules.ts"
import { event } from "../../../../src/model/event.rules.ts"
import { NO_REPEATS } from "../../../../src/model/credential.rules.ts"
import type { ImportedToken } from "../../../../src/model/moved/import.rules.ts"
import {
  decideExchangeOfImported,
  importedCredential,
} from "../../../../src/oauth/token/grants/imported-refresh.rules.ts"
import { tokenResponse } from "../../../../src/oauth/credential/token-response.rules.ts"
import {
  account,
  CLIENT_ID,
  consent,
  firstFamily,
  hash,
  NOW,
  pair,
  permissions,
  TOKEN_ID,
  USER_ID,
} from "../../../support/core-sample.ts"

const token: ImportedToken = {
  hash: hash("imported"),
  importId: 1,
  tokenId: TOKEN_ID,
  clientId: CLIENT_ID,
  userId: USER_ID,
  scope: permissions("files:read workers:read"),
  endsAt: NOW + 1000,
  usedAt: null,
}
const credential = importedCredential(token, "family key", NOW)

test("MOVE-7 the credential has the scope of the line and ends when the token would have", () => {
  assert.deepEqual(credential, {
    consent: {
      tokenId: TOKEN_ID,
      clientId: CLIENT_ID,
      userId: USER_ID,
      installationName: null,
      scope: token.scope,
      resources: [],
      consentedAt: token.endsAt - CREDENTIAL_SECONDS,
      endsAt: token.endsAt,
      openid: null,
    },
    code: null,
    life: {
      state: "active",
      elevatedUntil: null,
      family: {
        generation: 1,
        currentHash: token.hash,
        retired: null,
        retirements: [],
        key: "family key",
        rotatedAt: NOW,
        rotatedFrom: null,
        accessTokens: [],
        repeats: NO_REPEATS,
      },
    },
  })
})

const response = tokenResponse(pair(1), consent, firstFamily, account, token.scope, NOW)
const answer = { ok: true, value: { response, isRepeat: false } } as const

test("MOVE-7 the first refresh adds the credential, uses the token up and is recorded", () => {
  const quiet: Change = { change: "settingUnset", key: "a" }
  const changes: readonly Change[] = [{ change: "credentialChanged", credential }, quiet]
  const decision = decideExchangeOfImported(token, { answer, changes }, NOW, "192.0.2.1")
  assert.equal(decision.answer, answer)
  assert.deepEqual(decision.changes, [
    { change: "credentialAdded", credential },
    quiet,
    { change: "importedTokenUsed", hash: token.hash, at: NOW },
    {
      change: "eventRecorded",
      event: event("imported-token-exchanged", NOW, {
        userId: USER_ID,
        clientId: CLIENT_ID,
        tokenId: TOKEN_ID,
        address: "192.0.2.1",
      }),
    },
  ])
})

test("MOVE-7 a refused refresh writes nothing, so that the token still works", () => {
  const refused = { ok: false, error: { reason: "scopeOverReach" } } as const
  const changes: readonly Change[] = [{ change: "credentialChanged", credential }]
  assert.deepEqual(decideExchangeOfImported(token, { answer: refused, changes }, NOW, "192.0.2.1"), {
    answer: refused,
    changes: [],
  })
})

test("MOVE-7, CRED-4 a token that was reported as ended is used up", () => {
  const refused = { ok: false, error: { reason: "credentialEnded", tokenId: TOKEN_ID } } as const
  const changes: readonly Change[] = [{ change: "credentialChanged", credential }]
  assert.deepEqual(decideExchangeOfImported(token, { answer: refused, changes }, NOW, "192.0.2.1"), {
    answer: refused,
    changes: [{ change: "importedTokenUsed", hash: token.hash, at: NOW }],
  })
})
