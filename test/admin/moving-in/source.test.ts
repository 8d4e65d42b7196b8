import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { pbkdf2Sync, argon2Sync } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Moved } from "../../../src/admin/moving-in/moved.rules.ts"
import { NotTheFile } from "../../../src/admin/moving-in/not-the-file.ts"
import { type SourceName, sources } from "../../../src/admin/moving-in/source.ts"
import { matchesHash } from "../../../src/platform/services/match-password.ts"

/** A hash that a library made itself. */
const [{ hash = "" } = {}] = JSON.parse(
  readFileSync(join(import.meta.dirname, "hashes.json"), "utf8"),
) as readonly { readonly hash?: string }[]

async function read(source: SourceName, ...pieces: readonly string[]): Promise<Moved[]> {
  const all: Moved[] = []
  const given = (async function* () {
    for (const piece of pieces) yield await Promise.resolve(piece)
  })()
  for await (const moved of sources[source](given) as AsyncIterable<Moved>) all.push(moved)
  return all
}

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
})
