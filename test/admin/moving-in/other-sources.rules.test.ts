/** What the exports of Hydra, Kratos and Auth0 say. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { JsonObject } from "../../../src/kernel/json.ts"
import type { Moved } from "../../../src/admin/moving-in/moved.rules.ts"
import { auth0User, hydraClient, kratosIdentity } from "../../../src/admin/moving-in/other-sources.rules.ts"
import { BCRYPT, jsonObject } from "./objects.ts"

const account = (parse: (value: JsonObject) => Moved) => (value: object) => {
  const moved = parse(jsonObject(value))
  return moved.kind === "account" ? moved : assert.fail(moved.kind)
}
const kratos = account(kratosIdentity)
const auth0 = account(auth0User)

test("MOVE-6 a client of Hydra is an app; scopes with a meaning of their own are no permissions", () => {
  const app = (more: object) => {
    const moved = hydraClient(jsonObject({ client_id: "a", ...more }))
    return moved.kind === "app" ? moved.app : assert.fail(moved.kind)
  }
  const members = {
    client_name: "A",
    client_secret: "s".repeat(32),
    redirect_uris: ["https://a.example/cb"],
    scope: "openid offline offline_access  files:read",
    token_endpoint_auth_method: "client_secret_basic",
  }
  assert.deepEqual(app(members), {
    clientId: "a",
    name: "A",
    type: "confidential",
    secret: "s".repeat(32),
    secretDigest: null,
    redirectUris: ["https://a.example/cb"],
    permissions: ["files:read"],
    enabled: true,
  })
  const { name, type, secret, permissions } = app({ client_secret: "", token_endpoint_auth_method: "none" })
  assert.deepEqual([name, type, secret, permissions], ["a", "public", null, []])
})

test("MOVE-2 an identity of Kratos is named by its identifier, else by its traits", () => {
  const password = { identifiers: ["first", "second"], config: { hashed_password: BCRYPT } }
  const identity = {
    id: "k-1",
    state: "active",
    created_at: "2024-02-29T23:59:59.9Z",
    traits: { username: "trait", email: "k@example.org" },
    credentials: { password },
  }
  assert.deepEqual(kratos(identity), {
    kind: "account",
    account: {
      userId: "k-1",
      username: "first",
      passwordHash: BCRYPT,
      enabled: true,
      createdAt: Date.parse("2024-02-29T23:59:59Z") / 1000,
      otpSecrets: [],
    },
    skipped: [],
  })
  const named = (more: object) => kratos({ ...identity, credentials: {}, ...more }).account.username
  assert.equal(named({}), "trait")
  assert.equal(named({ traits: { email: "k@example.org" } }), "k@example.org")
  assert.equal(named({ traits: "k" }), "")
  assert.equal(kratos({ ...identity, state: "inactive" }).account.enabled, false)
})

test("MOVE-8 a secret of Kratos moves in, and each second factor that stays behind is reported", () => {
  const url = "otpauth://totp/X:k?secret=GEZDGNBVGY3TQOJQ&issuer=X"
  const totp = (totp_url: string) => ({ totp: { config: { totp_url } } })
  const password = { config: { hashed_password: BCRYPT } }
  const read = (credentials: object) =>
    kratos({ id: "k", traits: { username: "k" }, credentials: { password, ...credentials } })
  assert.deepEqual(read(totp(url)).account.otpSecrets, ["GEZDGNBVGY3TQOJQ"])
  assert.deepEqual(read(totp(url)).skipped, [])
  const reasons = (credentials: object) =>
    read(credentials).skipped.map(({ reason }) => reason.split(" ", 2).join(" "))
  assert.deepEqual(reasons(totp(`${url}&digits=8`)), ["Only six"])
  assert.deepEqual(reasons({ webauthn: {} }), ["A passkey"])
  assert.deepEqual(reasons({ passkey: {}, webauthn: {}, ...totp("x") }), ["Only six", "A passkey"])
  assert.deepEqual(reasons({ password: {} }), ["The file"])
})

test("MOVE-2, MOVE-4 a user of Auth0 keeps the id that its apps know", () => {
  const id = (members: object) => auth0(members).account.userId
  assert.equal(id({ user_id: "google-oauth2|7", _id: "abc" }), "google-oauth2|7")
  assert.equal(id({ _id: { $oid: "abc" } }), "auth0|abc")
  assert.equal(id({ _id: "abc" }), "auth0|abc")
  assert.equal(id({}), "")
  const { account: user, skipped } = auth0({ email: "a@example.org", passwordHash: BCRYPT, created_at: 1999 })
  assert.deepEqual(
    [user.username, user.passwordHash, user.enabled, user.createdAt, skipped],
    ["a@example.org", BCRYPT, true, 1, []],
  )
  assert.equal(auth0({ username: "a", email: "b" }).account.username, "a")
  assert.equal(auth0({ password_hash: BCRYPT }).account.passwordHash, BCRYPT)
  assert.equal(auth0({ blocked: true }).account.enabled, false)
  assert.deepEqual(
    auth0({ passwordHash: "x" }).skipped.map(({ what }) => what),
    ["password"],
  )
})
