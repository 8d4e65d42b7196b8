import { describe, test } from "node:test"
import assert from "node:assert/strict"
import {
  betterAuthHash,
  importedHash,
  unusablePassword,
} from "../../../src/admin/moving-in/password-dialect.rules.ts"

const SALT = "c2FsdHNhbHRzYWx0c2FsdA"
const TAG = "A".repeat(43)
const BCRYPT = `$2b$10$${"a".repeat(53)}`

describe("MOVE-4 each library's form becomes the stored one", () => {
  const forms: readonly (readonly [written: string, stored: string])[] = [
    [BCRYPT, BCRYPT],
    [BCRYPT.replace("2b", "2y"), BCRYPT.replace("2b", "2y")],
    [`  ${BCRYPT}\n`, BCRYPT],
    [`bcrypt$${BCRYPT}`, BCRYPT],
    [`argon2$argon2id$v=19$m=8192,t=2,p=1$${SALT}==$${TAG}=`, `$argon2id$v=19$m=8192,t=2,p=1$${SALT}$${TAG}`],
    [`$argon2i$v=19$m=8192,t=2,p=1$${SALT}$${TAG}`, `$argon2i$v=19$m=8192,t=2,p=1$${SALT}$${TAG}`],
    // The text of the salt of Django is the salt: "salt" is c2FsdA in base64.
    [`pbkdf2_sha256$1000$salt$${TAG}=`, `$pbkdf2-sha256$i=1000$c2FsdA$${TAG}`],
    [`pbkdf2_sha1$0100$salts$${TAG}=`, `$pbkdf2-sha1$i=100$c2FsdHM$${TAG}`],
    [`$pbkdf2-sha512$25$ab.d$${".".repeat(43)}`, `$pbkdf2-sha512$i=25$ab+d$${"+".repeat(43)}`],
    [`$pbkdf2$25$abcd$${TAG}`, `$pbkdf2-sha1$i=25$abcd$${TAG}`],
    [`$pbkdf2-sha256$i=1000,l=32$${SALT}==$${TAG}=`, `$pbkdf2-sha256$i=1000$${SALT}$${TAG}`],
    [`$scrypt$ln=14,r=8,p=1$${SALT}==$${TAG}=`, `$scrypt$ln=14,r=8,p=1$${SALT}$${TAG}`],
    [`$scrypt$ln=016384,r=08,p=1,l=32$${SALT}$${TAG}`, `$scrypt$ln=14,r=8,p=1$${SALT}$${TAG}`],
  ]
  for (const [written, stored] of forms)
    test(written.trim(), () => assert.equal(importedHash(written), stored))
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

test("MOVE-4 a cost that is no power of two, and a prehashed bcrypt, are not taken", () => {
  for (const hash of [
    `$scrypt$ln=16385,r=8,p=1$${SALT}$${TAG}`,
    `bcrypt_sha256$${BCRYPT}`,
    `pbkdf2_md5$1000$salt$${TAG}=`,
    `$pbkdf2-sha384$i=1000,l=32$${SALT}$${TAG}`,
    `x${BCRYPT}`,
    `${BCRYPT}x`,
  ])
    assert.equal(importedHash(hash), null, hash)
})

test("MOVE-4 a hash of better-auth is hexadecimal, and its salt is the text of the digits", () => {
  const [salt, key] = ["00ff".repeat(8), "00ff".repeat(32)]
  const stored = betterAuthHash(`${salt}:${key}`) ?? ""
  const [, , cost, saltText = "", tag = ""] = stored.split("$")
  assert.equal(cost, "ln=14,r=16,p=1")
  assert.equal(Buffer.from(saltText, "base64").toString(), salt)
  assert.equal(Buffer.from(tag, "base64").toString("hex"), key)
  assert.equal(importedHash(stored), stored, "it is a stored form")
  for (const text of ["", `${salt}:`, `${salt}${key}`, `${salt}:${key}0`, `${salt.toUpperCase()}:${key}`])
    assert.equal(betterAuthHash(text), null, text)
})

test("MOVE-3 the report says whether a hash is missing or cannot be used, and never shows it", () => {
  assert.match(unusablePassword("ada", "").reason, /^The file has no password hash/)
  const { what, name, reason } = unusablePassword("ada", "5f4dcc3b5aa765d61d8327deb882cf99")
  assert.deepEqual([what, name], ["password", "ada"])
  assert.match(reason, /^The hash is not bcrypt, argon2, pbkdf2 or scrypt/)
  assert.ok(!reason.includes("5f4dcc3b"))
})
