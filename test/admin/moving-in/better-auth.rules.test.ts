/** What the rows of better-auth say. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import {
  betterAuthApp,
  betterAuthClient,
  betterAuthRefreshToken,
  betterAuthToken,
  betterAuthUser,
} from "../../../src/admin/moving-in/better-auth.rules.ts"
import { BCRYPT, jsonObject } from "./objects.ts"

const DIGEST = "-_".repeat(21) + "A"
const HASH = `${"0f".repeat(16)}:${"0f".repeat(64)}`

function user(row: object, password = HASH) {
  const moved = betterAuthUser(jsonObject({ id: "1", email: "ada@example.org", ...row }), password)
  return moved.kind === "account" ? moved : assert.fail(moved.kind)
}

test("MOVE-2 a user has its username, or else its address as the name", () => {
  assert.equal(user({}).account.username, "ada@example.org")
  assert.equal(user({ username: "ada" }).account.username, "ada")
  const { account, skipped } = user({ createdAt: "2026-01-02T03:04:05.678Z" })
  assert.deepEqual(
    [account.userId, account.enabled, account.createdAt, account.otpSecrets, skipped],
    ["1", true, Date.parse("2026-01-02T03:04:05Z") / 1000, [], []],
  )
  for (const banned of [true, 1]) assert.equal(user({ banned }).account.enabled, false)
  for (const banned of [false, 0, null, "true"]) assert.equal(user({ banned }).account.enabled, true)
})

test("MOVE-4, MOVE-8 what cannot move in of a user is reported", () => {
  assert.match(user({}).account.passwordHash ?? "", /^\$scrypt\$ln=14,r=16,p=1\$/)
  assert.equal(user({}, BCRYPT).account.passwordHash, BCRYPT, "an app may have a hash function of its own")
  const left = (row: object, password: string) =>
    user(row, password).skipped.map(({ what, reason }) => [what, reason.slice(0, 13)])
  assert.deepEqual(left({}, ""), [["password", "The file has "]])
  assert.deepEqual(left({}, "x"), [["password", "The hash is n"]])
  assert.deepEqual(left({ twoFactorEnabled: 1 }, HASH), [["one-time password", "better-auth h"]])
})

test("MOVE-6 a row of oauthApplication is an app with its secret, and has no permissions", () => {
  const row = {
    clientId: "a",
    clientSecret: "s".repeat(32),
    redirectURLs: "https://a.example/1,https://a.example/2",
  }
  const app = (more: object) => {
    const moved = betterAuthApp(jsonObject({ ...row, ...more }))
    return moved.kind === "app" ? moved.app : assert.fail(moved.kind)
  }
  assert.deepEqual(app({ name: "A", type: "web" }), {
    clientId: "a",
    name: "A",
    type: "confidential",
    secret: "s".repeat(32),
    secretDigest: null,
    redirectUris: ["https://a.example/1", "https://a.example/2"],
    permissions: [],
    enabled: true,
  })
  const { name, type, secret, enabled } = app({ type: "public", clientSecret: "", disabled: true })
  assert.deepEqual([name, type, secret, enabled], ["a", "public", null, false])
  const { redirectURLs: _, ...older } = row
  const moved = betterAuthApp(jsonObject({ ...older, redirectUrls: "https://a.example/3" }))
  assert.deepEqual(moved.kind === "app" && moved.app.redirectUris, ["https://a.example/3"])
})

test("MOVE-6 a row of oauthClient has the digest of its secret, and scopes as permissions", () => {
  const client = (more: object) => {
    const moved = betterAuthClient(jsonObject({ clientId: "a", ...more }))
    return moved.kind === "app" ? moved.app : assert.fail(moved.kind)
  }
  const members = {
    name: "A",
    clientSecret: DIGEST,
    redirectUris: '["https://a.example/1"]',
    scopes: '["openid","profile","email","offline_access","account:read"]',
  }
  assert.deepEqual(client(members), {
    clientId: "a",
    name: "A",
    type: "confidential",
    secret: null,
    secretDigest: DIGEST,
    redirectUris: ["https://a.example/1"],
    permissions: ["account:read"],
    enabled: true,
  })
  for (const clientSecret of ["", DIGEST.slice(1), `${DIGEST}A`, "+".repeat(43)])
    assert.equal(client({ clientSecret }).secretDigest, null, clientSecret)
  assert.deepEqual([client({ tokenEndpointAuthMethod: "none" }).type, client({}).name], ["public", "a"])
  assert.equal(client({ disabled: 1 }).enabled, false)
})

const row = { clientId: "a", userId: "1", scopes: "openid account:read" }
const token = { signature: null, clientId: "a", userId: "1", scope: ["openid", "account:read"] }
const END = "2026-11-27T00:00:00Z"
const endsAt = Date.parse(END) / 1000

test("MOVE-7 a row of oauthAccessToken is the digest of its refresh token; without one it is nothing", () => {
  const read = (more: object) =>
    betterAuthToken(jsonObject({ ...row, ...more }), (text) => `digest of ${text}`)
  assert.deepEqual(read({ refreshToken: "x", refreshTokenExpiresAt: END }), {
    ...token,
    digest: "digest of x",
    endsAt,
  })
  assert.equal(read({ refreshToken: "x" })?.endsAt, 0, "without an end it has ended")
  for (const refreshToken of ["", null, undefined]) assert.equal(read({ refreshToken }), null)
})

describe("MOVE-7 a row of oauthRefreshToken", () => {
  const read = (more: object) =>
    betterAuthRefreshToken(
      jsonObject({ ...row, token: DIGEST, expiresAt: END, ...more }),
      (text) => `hex of ${text}`,
    )

  test("is a token by its digest", () => {
    const expected = { kind: "token", token: { ...token, digest: `hex of ${DIGEST}`, endsAt }, skipped: [] }
    assert.deepEqual(read({}), expected)
    assert.deepEqual(read({ revoked: null, rotatedAt: null, confirmation: null, resources: "[]" }), expected)
  })

  test("is passed over if it was revoked or rotated", () => {
    for (const used of [{ revoked: END }, { rotatedAt: END }, { revoked: false }])
      assert.deepEqual(read({ ...used, token: "x" }), { kind: "skipped", skipped: [] })
  })

  test("is reported if it cannot move in", () => {
    const reasons: readonly (readonly [object, RegExp])[] = [
      [{ token: "plain" }, /^It is not stored as a SHA-256 digest\.$/],
      [{ token: undefined }, /^It is not stored as a SHA-256 digest\.$/],
      [{ confirmation: '{"jkt":"x"}' }, /^It is bound to a key of the app\.$/],
      [{ resources: '["https://api.example"]' }, /^It is for one API alone\./],
      [{ resources: ["https://api.example"] }, /^It is for one API alone\./],
    ]
    for (const [more, reason] of reasons) {
      const { kind, skipped } = read(more)
      const [only, ...others] = skipped
      assert.deepEqual([kind, only?.what, only?.name, others], ["skipped", "token", "1 a", []])
      assert.match(only?.reason ?? "", reason)
    }
  })
})
