/** What a realm export of Keycloak says about an account and about an app. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { keycloakClient, keycloakUser } from "../../../src/admin/moving-in/keycloak.rules.ts"
import { BCRYPT, jsonObject } from "./objects.ts"

const SALT = "c2FsdHNhbHRzYWx0c2FsdA=="
const TAG = `${"A".repeat(43)}=`

const credential = (type: string, secretData: object, credentialData: object) => ({
  type,
  secretData: JSON.stringify(secretData),
  credentialData: JSON.stringify(credentialData),
})
const password = (data: object) => credential("password", { value: TAG, salt: SALT }, data)
const pbkdf2 = password({ hashIterations: 1000, algorithm: "pbkdf2-sha256" })
const totp = { subType: "totp", digits: 6, period: 30, algorithm: "HmacSHA1" }
const otp = (data: object, value = "12345678901234567890") =>
  credential("otp", { value }, { ...totp, ...data })

const accountIn = (...credentials: readonly object[]) => {
  const moved = keycloakUser(jsonObject({ id: "1", username: "ada", credentials }))
  return moved.kind === "account" ? moved : assert.fail(moved.kind)
}
const whatIn = (...credentials: readonly object[]) =>
  accountIn(...credentials).skipped.map(({ what }) => what)

test("MOVE-2 a user is an account with its id; what is left out has its default", () => {
  assert.deepEqual(keycloakUser(jsonObject({ id: "1", username: "ada" })), {
    kind: "account",
    account: {
      userId: "1",
      username: "ada",
      passwordHash: null,
      enabled: true,
      createdAt: null,
      otpSecrets: [],
    },
    skipped: [
      {
        what: "password",
        name: "ada",
        reason: "The file has no password hash for this account. Set a password, or link a provider.",
      },
    ],
  })
  const disabled = keycloakUser(jsonObject({ enabled: false, createdTimestamp: 1_700_000_000_999 }))
  assert.ok(disabled.kind === "account")
  assert.deepEqual([disabled.account.enabled, disabled.account.createdAt], [false, 1_700_000_000])
})

test("MOVE-2 the account of a client stays behind", () => {
  const moved = keycloakUser(
    jsonObject({ id: "3", username: "service-account-x", serviceAccountClientId: "x" }),
  )
  assert.deepEqual(
    [moved.kind, moved.skipped.map(({ what, name }) => `${what} ${name}`)],
    ["skipped", ["account service-account-x"]],
  )
})

describe("MOVE-4 a password hash is rewritten by its algorithm", () => {
  const cases: readonly (readonly [data: object, hash: string | null])[] = [
    [{ algorithm: "pbkdf2-sha512", hashIterations: 30 }, `$pbkdf2-sha512$i=30$${SALT}$${TAG}`],
    [{ algorithm: "pbkdf2-sha256", hashIterations: 1 }, `$pbkdf2-sha256$i=1$${SALT}$${TAG}`],
    [{ algorithm: "pbkdf2", hashIterations: 20 }, `$pbkdf2-sha1$i=20$${SALT}$${TAG}`],
    [
      {
        algorithm: "argon2",
        hashIterations: 5,
        additionalParameters: { type: ["id"], memory: ["7168"], parallelism: ["1"], version: ["1.3"] },
      },
      `$argon2id$v=19$m=7168,t=5,p=1$${SALT}$${TAG}`,
    ],
    [{ algorithm: "argon2", hashIterations: 5 }, null],
    [{ algorithm: "pbkdf2-sha256" }, null],
    [{ algorithm: "pbkdf2-md5", hashIterations: 20 }, null],
    [{ algorithm: "", hashIterations: 20 }, null],
    [{}, null],
  ]
  for (const [data, hash] of cases)
    test(JSON.stringify(data), () => {
      const { account, skipped } = accountIn(password(data))
      assert.equal(
        account.passwordHash,
        hash?.replaceAll("=$", "$").replaceAll("=$", "$").replace(/=$/, "") ?? null,
      )
      assert.equal(skipped.length, hash === null ? 1 : 0)
      if (hash === null) assert.match(skipped[0]?.reason ?? "", /^The hash is not bcrypt/)
    })
})

test("MOVE-4 credentials that are not texts of JSON objects are an unusable hash", () => {
  for (const broken of [{ type: "password" }, { type: "password", secretData: "[]", credentialData: "{" }])
    assert.deepEqual(whatIn(broken), ["password"])
})

test("MOVE-4 a bcrypt hash moves in as the provider for Keycloak stored it", () => {
  const data = { algorithm: "bcrypt", hashIterations: 10 }
  for (const hash of [BCRYPT, BCRYPT.replace("$2b$", "$2a$"), BCRYPT.replace("$2b$", "$2y$")]) {
    const { account, skipped } = accountIn(credential("password", { value: hash, salt: "" }, data))
    assert.deepEqual([account.passwordHash, skipped], [hash, []])
  }
  for (const value of ["", "$2b$10$short", BCRYPT.replace("$10$", "$31$")])
    assert.deepEqual(whatIn(credential("password", { value, salt: "" }, data)), ["password"], value)
})

test("MOVE-3 a temporary password and what Keycloak demands at the next sign-in are reported", () => {
  const reported = (members: object) =>
    keycloakUser(jsonObject({ id: "1", username: "ada", credentials: [pbkdf2], ...members })).skipped
  assert.deepEqual(reported({ requiredActions: [], credentials: [{ ...pbkdf2, temporary: false }] }), [])
  const temporary = reported({ credentials: [{ ...pbkdf2, temporary: true }] })
  assert.deepEqual(
    temporary.map(({ what, name }) => `${what} ${name}`),
    ["password ada"],
  )
  assert.match(temporary[0]?.reason ?? "", /the temporary password keeps working until it is changed/)
  assert.deepEqual(reported({ requiredActions: ["UPDATE_PASSWORD", "VERIFY_EMAIL"] }), [
    {
      what: "required action",
      name: "ada",
      reason: "It is not demanded here: UPDATE_PASSWORD, VERIFY_EMAIL.",
    },
  ])
})

test("MOVE-8 secrets of one-time passwords move in, as characters or in base32", () => {
  const secrets = (...credentials: readonly object[]) => accountIn(pbkdf2, ...credentials).account.otpSecrets
  assert.deepEqual(secrets(otp({})), ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"])
  assert.deepEqual(secrets(otp({ secretEncoding: "BASE32" }, "GEZDGNBVGY3TQOJQ")), ["GEZDGNBVGY3TQOJQ"])
  assert.deepEqual(secrets(otp({}), otp({}, "abcdefghij")), [
    "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    "MFRGGZDFMZTWQ2LK",
  ])
})

test("MOVE-8 every second factor that stays behind is reported", () => {
  assert.deepEqual(whatIn(pbkdf2, otp({})), [])
  for (const data of [{ subType: "hotp" }, { digits: 8 }, { period: 60 }, { algorithm: "HmacSHA256" }])
    assert.deepEqual(whatIn(pbkdf2, otp(data)), ["one-time password"], JSON.stringify(data))
  for (const type of ["webauthn", "webauthn-passwordless"])
    assert.deepEqual(whatIn(pbkdf2, { type }, { type }), ["one-time password"], type)
  assert.deepEqual(whatIn(pbkdf2, otp({}), otp({ digits: 8 }), { type: "webauthn" }).length, 2)
  assert.deepEqual(whatIn(pbkdf2, { type: "recovery-authn-codes" }), ["one-time password"])
})

const client = (members: object) => {
  const moved = keycloakClient(jsonObject({ clientId: "my-app", ...members }))
  return moved.kind === "app" ? moved.app : assert.fail(moved.kind)
}

test("MOVE-6 a client is an app; scopes that every realm has are no permissions", () => {
  const members = {
    name: "My app",
    secret: "s".repeat(32),
    redirectUris: ["https://a.example/*", 7],
    defaultClientScopes: ["profile", "files:read", "web-origins"],
    optionalClientScopes: ["offline_access", "files:write"],
  }
  assert.deepEqual(client(members), {
    clientId: "my-app",
    name: "My app",
    type: "confidential",
    secret: "s".repeat(32),
    secretDigest: null,
    redirectUris: ["https://a.example/*"],
    permissions: ["files:read", "files:write"],
    enabled: true,
  })
  assert.deepEqual([client({}).name, client({}).secret], ["my-app", null])
  assert.equal(client({ publicClient: true }).type, "public")
  assert.equal(client({ enabled: false }).enabled, false)
})

test("MOVE-6 a client that signs, or shows a certificate, moves in without a secret and names its method", () => {
  const secret = "s".repeat(32)
  for (const method of ["client-jwt", "client-secret-jwt", "client-x509"]) {
    const moved = client({ secret, clientAuthenticatorType: method })
    assert.deepEqual([moved.secret, moved.otherMethod], [null, method])
  }
  const usual = client({ secret, clientAuthenticatorType: "client-secret" })
  assert.deepEqual([usual.secret, usual.otherMethod], [secret, undefined])
})

test("MOVE-6 a secret that the export hides is not one", () => {
  for (const secret of ["", "*", "**********"]) assert.equal(client({ secret }).secret, null, secret)
  for (const secret of ["*a*", "s"]) assert.equal(client({ secret }).secret, secret)
})

test("MOVE-6 the apps of the realm itself stay behind without a word, SAML and bearer-only with a reason", () => {
  for (const clientId of [
    "account",
    "account-console",
    "admin-cli",
    "broker",
    "realm-management",
    "security-admin-console",
    "demo-realm",
  ])
    assert.deepEqual(keycloakClient(jsonObject({ clientId })), { kind: "skipped", skipped: [] }, clientId)
  const reason = (members: object) => keycloakClient(jsonObject({ clientId: "my-app", ...members })).skipped
  assert.deepEqual(reason({ protocol: "saml" }), [
    { what: "app", name: "my-app", reason: "SAML is not supported." },
  ])
  assert.match(reason({ bearerOnly: true })[0]?.reason ?? "", /^It only checks tokens/)
  for (const clientId of ["accounts", "my-account", "realm", "realm-x"])
    assert.equal(client({ clientId }).clientId, clientId)
})
