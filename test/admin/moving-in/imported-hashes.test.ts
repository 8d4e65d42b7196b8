/** Imported hashes open with their passwords, and with no other. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { pbkdf2Sync, argon2Sync, scryptSync } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { betterAuthHash, importedHash } from "../../../src/admin/moving-in/password-dialect.rules.ts"
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
