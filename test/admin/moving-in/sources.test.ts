import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { pbkdf2Sync, argon2Sync, scryptSync } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { betterAuthHash, importedHash } from "../../../src/admin/moving-in/password-dialect.rules.ts"
import { JsonElements } from "../../../src/admin/moving-in/json-elements.rules.ts"
import type { Moved } from "../../../src/admin/moving-in/moved.rules.ts"
import { NotTheFile } from "../../../src/admin/moving-in/not-the-file.ts"
import { base32Of, otpauthSecret } from "../../../src/admin/moving-in/otp.rules.ts"
import { type SourceName, sources } from "../../../src/admin/moving-in/source.ts"
import { matchesHash } from "../../../src/platform/services/match-password.ts"

type Made = {
  readonly library: string
  readonly version: string
  readonly how: string
  readonly password: string
  readonly hash: string
}

/** Hashes that each library made itself. `npm run prove -- --only moving-in` makes new ones. */
const made = JSON.parse(readFileSync(join(import.meta.dirname, "hashes.json"), "utf8")) as Made[]

async function read(source: SourceName, ...pieces: readonly string[]): Promise<Moved[]> {
  const all: Moved[] = []
  const given = (async function* () {
    for (const piece of pieces) yield await Promise.resolve(piece)
  })()
  for await (const moved of sources[source](given) as AsyncIterable<Moved>) all.push(moved)
  return all
}

describe("MOVE-4 hashes of other libraries", () => {
  for (const { library, version, how, password, hash } of made)
    test(`${library} ${version}: ${how}: ${password}`, async () => {
      const stored = library === "better-auth" ? betterAuthHash(hash) : importedHash(hash)
      assert.ok(stored !== null, hash)
      assert.equal(await matchesHash(password, stored), true)
      assert.equal(await matchesHash(`${password}x`, stored), false)
    })

  test("Kratos names rounds and lengths", async () => {
    const salt = Buffer.from("a salt of Kratos")
    const padded = (bytes: Buffer) => bytes.toString("base64")
    const pbkdf2 = pbkdf2Sync("secret word", salt, 1000, 32, "sha256")
    const scrypt = scryptSync("secret word", salt, 32, { N: 1024, r: 8, p: 1 })
    for (const hash of [
      `$pbkdf2-sha256$i=1000,l=32$${padded(salt)}$${padded(pbkdf2)}`,
      `$scrypt$ln=1024,r=8,p=1$${padded(salt)}$${padded(scrypt)}`,
      `$scrypt$ln=10,r=8,p=1$${padded(salt)}$${padded(scrypt)}`,
    ]) {
      const stored = importedHash(hash)
      assert.ok(stored !== null, hash)
      assert.equal(await matchesHash("secret word", stored), true, hash)
    }
  })

  test("a hash that costs too much, or is of another kind, is not taken", () => {
    const [salt, tag] = ["c2FsdHNhbHRzYWx0c2FsdA", "A".repeat(43)]
    for (const hash of [
      `$2b$15$${"a".repeat(53)}`,
      `$2b$31$${"a".repeat(53)}`,
      `$argon2id$v=19$m=1048576,t=1,p=1$${salt}$${tag}`,
      `$argon2id$v=19$m=65536,t=60,p=1$${salt}$${tag}`,
      `$argon2id$v=16$m=65536,t=2,p=1$${salt}$${tag}`,
      `$pbkdf2-sha256$i=2000001,l=32$${salt}$${tag}`,
      `$scrypt$ln=20,r=8,p=1$${salt}$${tag}`,
      `$scrypt$ln=3,r=0,p=1$${salt}$${tag}`,
      `$pbkdf2-sha256$i=1,l=1$${salt}$AA`,
      // Each 20 bytes of a SHA-1 tag take all rounds again.
      `$pbkdf2-sha1$i=2000000,l=256$${salt}$${"A".repeat(342)}`,
      `$pbkdf2-sha256$i=1000000000,l=32$${salt}$${tag}`,
      "$1$salt$hash",
      "5f4dcc3b5aa765d61d8327deb882cf99",
      "",
    ])
      assert.equal(importedHash(hash), null, hash)
  })

  test("a hash whose parameters no library accepts is not taken, so that no check of it fails", () => {
    const tag = "A".repeat(43)
    for (const hash of [
      // RFC 7914 §2: N is below 2^(16 r).
      `$scrypt$ln=16,r=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$${tag}`,
      // RFC 9106 §3.1: at least eight bytes of salt, as argon2 of Node demands.
      `$argon2id$v=19$m=8192,t=2,p=1$c2FsdHNhb$${tag}`,
    ])
      assert.equal(importedHash(hash), null, hash)
    assert.notEqual(importedHash(`$scrypt$ln=15,r=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$${tag}`), null)
    assert.notEqual(importedHash(`$argon2id$v=19$m=8192,t=2,p=1$c2FsdHNhbHQ$${tag}`), null)
  })

  test("a hash with the parameters of this service: its password is tried as typed too", async () => {
    const [nonce, typed] = [Buffer.from("sixteen bytes ok"), "ca\u0303o e gato".normalize("NFD")]
    const cost = { memory: 19_456, passes: 2, parallelism: 1 }
    const tag = argon2Sync("argon2id", { message: typed, nonce, ...cost, tagLength: 32 })
    const base64 = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "")
    const stored = importedHash(`$argon2id$v=19$m=19456,t=2,p=1$${base64(nonce)}$${base64(tag)}`) ?? ""
    assert.equal(await matchesHash(typed, stored), true)
    assert.equal(await matchesHash(`${typed}x`, stored), false)
  })

  test("a hash of the least and of the greatest cost can be checked", async () => {
    const [salt, tag] = ["c2FsdHNhbHRzYWx0c2FsdA", "A".repeat(43)]
    for (const hash of [
      `$argon2i$v=19$m=8,t=1,p=1$${salt}$${tag}`,
      `$argon2d$v=19$m=131072,t=4,p=16$${salt}$${tag}`,
      `$scrypt$ln=1,r=1,p=1$${salt}$${tag}`,
      `$scrypt$ln=1,r=1,p=1048576$${salt}$${tag}`,
      `$scrypt$ln=17,r=8,p=2$${salt}$${tag}`,
      `$pbkdf2-sha256$i=1,l=32$A$${tag}`,
      `$2b$04$${"a".repeat(53)}`,
    ]) {
      const stored = importedHash(hash)
      assert.ok(stored !== null, hash)
      assert.equal(await matchesHash("secret word", stored), false)
    }
  })
})

describe("MOVE-1, MOVE-6, MOVE-8: the sources", () => {
  const salt = Buffer.from("sixteen bytes ok")
  const text = (bytes: Buffer) => bytes.toString("base64")
  const keycloakCredential = (secretData: object, credentialData: object, type = "password") => ({
    type,
    secretData: JSON.stringify(secretData),
    credentialData: JSON.stringify(credentialData),
  })
  const pbkdf2 = pbkdf2Sync("old password", salt, 1000, 64, "sha512")
  const argon2 = argon2Sync("argon2id", {
    message: "old password",
    nonce: salt,
    memory: 7168,
    passes: 5,
    parallelism: 1,
    tagLength: 32,
  })
  const realm = {
    realm: "demo",
    roles: { realm: [{ name: "x" }], client: { a: [] } },
    users: [
      {
        id: "6b1c0f4e-0000-4000-8000-000000000001",
        createdTimestamp: 1_700_000_000_123,
        username: "ada",
        enabled: false,
        credentials: [
          keycloakCredential(
            { value: text(pbkdf2), salt: text(salt), additionalParameters: {} },
            { hashIterations: 1000, algorithm: "pbkdf2-sha512", additionalParameters: {} },
          ),
          keycloakCredential(
            { value: "12345678901234567890" },
            { subType: "totp", digits: 6, counter: 0, period: 30, algorithm: "HmacSHA1" },
            "otp",
          ),
        ],
      },
      {
        id: "2",
        username: "bob",
        credentials: [
          keycloakCredential(
            { value: text(argon2), salt: text(salt), additionalParameters: {} },
            {
              hashIterations: 5,
              algorithm: "argon2",
              additionalParameters: {
                hashLength: ["32"],
                memory: ["7168"],
                type: ["id"],
                version: ["1.3"],
                parallelism: ["1"],
              },
            },
          ),
          keycloakCredential({ value: "x" }, { subType: "hotp", digits: 8 }, "otp"),
          { type: "webauthn" },
        ],
      },
      { id: "3", username: "service-account-x", serviceAccountClientId: "x" },
    ],
    clients: [
      { clientId: "account-console", publicClient: true },
      {
        clientId: "my-app",
        name: "",
        secret: "**********",
        redirectUris: ["https://a.example/*"],
        protocol: "openid-connect",
        defaultClientScopes: ["profile", "files:read"],
      },
      { clientId: "saml", protocol: "saml" },
    ],
  }

  test("a realm of Keycloak, however it is cut into pieces", async () => {
    const whole = JSON.stringify(realm, null, 2)
    const moved = await read("keycloak", whole)
    assert.deepEqual(await read("keycloak", ...(whole.match(/[^]{1,7}/g) ?? [])), moved)
    const [ada, bob, service, own, app, saml] = moved
    assert.ok(ada?.kind === "account" && bob?.kind === "account" && app?.kind === "app")
    assert.deepEqual([ada.account.enabled, ada.account.createdAt], [false, 1_700_000_000])
    assert.equal(await matchesHash("old password", ada.account.passwordHash ?? ""), true)
    assert.equal(await matchesHash("old password", bob.account.passwordHash ?? ""), true)
    // RFC 6238, appendix B: the secret of the test vectors.
    assert.deepEqual(ada.account.otpSecrets, ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"])
    assert.deepEqual(
      bob.skipped.map(({ what }) => what),
      ["one-time password", "one-time password"],
    )
    assert.deepEqual([service?.kind, service?.skipped.length, own?.skipped.length], ["skipped", 1, 0])
    assert.deepEqual(app.app, {
      clientId: "my-app",
      name: "my-app",
      type: "confidential",
      secret: null,
      secretDigest: null,
      redirectUris: ["https://a.example/*"],
      permissions: ["files:read"],
      enabled: true,
    })
    assert.match(saml?.skipped[0]?.reason ?? "", /SAML/)
  })

  test("identities of Kratos, users of Auth0", async () => {
    const hash = made[0]?.hash ?? ""
    const identity = {
      id: "kratos-1",
      state: "active",
      traits: { email: "k@example.org" },
      created_at: "2024-02-29T23:59:59.9Z",
      credentials: {
        password: { identifiers: ["k@example.org"], config: { hashed_password: hash } },
        totp: { config: { totp_url: "otpauth://totp/X:k?secret=GEZDGNBVGY3TQOJQ&issuer=X" } },
      },
    }
    const [kratos] = await read("kratos", JSON.stringify([identity]))
    assert.ok(kratos?.kind === "account")
    assert.deepEqual(kratos.account, {
      userId: "kratos-1",
      username: "k@example.org",
      passwordHash: hash,
      enabled: true,
      createdAt: Date.parse("2024-02-29T23:59:59Z") / 1000,
      otpSecrets: ["GEZDGNBVGY3TQOJQ"],
    })
    const passkeys = { id: "kratos-2", traits: { username: "k2" }, credentials: { webauthn: {} } }
    const [withPasskey] = await read("kratos", JSON.stringify([passkeys]))
    assert.deepEqual(
      withPasskey?.skipped.map(({ what }) => what),
      ["password", "one-time password"],
    )
    const lines = [
      { _id: { $oid: "abc" }, email: "a@example.org", passwordHash: hash },
      { user_id: "google-oauth2|7", email: "b@example.org", blocked: true },
    ]
    const [first, second] = await read("auth0", lines.map((one) => JSON.stringify(one)).join("\n"))
    assert.ok(first?.kind === "account" && second?.kind === "account")
    assert.deepEqual([first.account.userId, second.account.userId], ["auth0|abc", "google-oauth2|7"])
    assert.deepEqual([second.account.enabled, second.skipped.length], [false, 1])
  })

  test("another document is refused", async () => {
    const refused: readonly (readonly [SourceName, string])[] = [
      ["keycloak", "{}"],
      ["keycloak", '{"users": [1]}'],
      ["keycloak", '{"users": [{"id": "1"}'],
      ["keycloak", '{"users": [{"id": "1"}]} {}'],
      ["keycloak", "id,name\n1,2"],
      ["kratos", '[{"id": "1", "id": "2"}]'],
      ["hydra", '"text"'],
      ["auth0", "not json"],
      ["auth0", "[]"],
      ["better-auth", "[]"],
      ["kratos", `[{"id": "${"x".repeat(1 << 21)}`],
      ["csv", `user_id,username,password_hash\n${",".repeat(1 << 21)}`],
    ]
    for (const [source, document] of refused)
      await assert.rejects(read(source, document), NotTheFile, `${source} ${document.slice(0, 40)}`)
  })

  test("a record that does not end is refused before it fills the memory", async () => {
    const endless = async function* (piece: string) {
      yield await Promise.resolve("user_id,username,password_hash\n")
      for (let taken = 0; ; taken += piece.length) {
        assert.ok(taken < 1 << 22, "it was still read")
        yield piece
      }
    }
    for (const written of [",", '""', "x"])
      await assert.rejects(async () => {
        for await (const _ of sources.csv(endless(written.repeat(1 << 17)))) continue
      }, NotTheFile)
  })

  test("a list is split at its commas, not at those in texts, lists and objects", () => {
    const elements = new JsonElements()
    const document =
      '{"a": {"b": [1, 2]}, "l": [{"x": "],}\\\\\\"", "y": [1, {"z": {}}]}, 2], "m": 3, "n": []}'
    assert.deepEqual(elements.add(document), [
      { list: "l", text: '{"x":"],}\\\\\\"","y":[1,{"z":{}}]}' },
      { list: "l", text: "2" },
    ])
    assert.equal(elements.isWhole, true)
  })

  test("base32 and addresses of authenticator apps", () => {
    for (const [plain, encoded] of [
      ["f", "MY"],
      ["fo", "MZXQ"],
      ["foo", "MZXW6"],
      ["foob", "MZXW6YQ"],
      ["fooba", "MZXW6YTB"],
      ["foobar", "MZXW6YTBOI"],
    ])
      assert.equal(base32Of(plain ?? ""), encoded)
    assert.equal(otpauthSecret("otpauth://totp/X?secret=GEZDGNBVGY3TQOJQ&digits=8"), null)
    assert.equal(otpauthSecret("otpauth://hotp/X?secret=GEZDGNBVGY3TQOJQ"), null)
  })
})
