import { test } from "node:test"
import assert from "node:assert/strict"
import { tokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { DAY } from "../../../src/kernel/time.ts"
import {
  account,
  consent,
  firstFamily,
  NOW,
  pair,
  permissions,
  TOKEN_ID,
  USER_ID,
} from "../../support/core-sample.ts"

const scope = permissions("files:read workers:read")

test("TOK-1…TOK-11 every member, with the seconds that remain", () => {
  assert.deepEqual(tokenResponse(pair(1), consent, firstFamily, account, scope, NOW + 100), {
    access_token: "access 1",
    refresh_token: "refresh 1",
    token_type: "Bearer",
    expires_in: 3500,
    refresh_expires_in: 90 * DAY - 100,
    refresh_token_timeout: 90 * DAY - 100,
    authorization_expires_in: 365 * DAY - 100,
    scope: "files:read workers:read",
    token_id: TOKEN_ID,
    user_id: USER_ID,
    username: "Ada",
  })
})

test("TOK-10, TOK-11 the timeout is never longer than the authorization", () => {
  const late = { ...firstFamily, rotatedAt: NOW + 300 * DAY }
  const answer = tokenResponse(pair(1), consent, late, account, scope, NOW + 300 * DAY)
  assert.deepEqual([answer.refresh_token_timeout, answer.authorization_expires_in], [65 * DAY, 65 * DAY])
})

test("TOK-6 a credential that reaches nothing has an empty scope", () => {
  assert.equal(tokenResponse(pair(1), consent, firstFamily, account, [], NOW).scope, "")
})

test("TOK-4 an answer that is repeated after its access token expired has no seconds left, and not fewer", () => {
  const [token] = firstFamily.accessTokens
  const expired = { ...firstFamily, accessTokens: token === undefined ? [] : [{ ...token, expiresAt: 0 }] }
  for (const family of [expired, { ...firstFamily, accessTokens: [] }]) {
    assert.equal(tokenResponse(pair(1), consent, family, account, scope, NOW).expires_in, 0)
  }
  assert.equal(tokenResponse(pair(1), consent, firstFamily, account, scope, NOW + 3601).expires_in, 0)
})
