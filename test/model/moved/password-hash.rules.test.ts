import { describe, it, test } from "node:test"
import assert from "node:assert/strict"
import { isImportedHash, parsePasswordHash } from "../../../src/model/moved/password-hash.rules.ts"

/** Base64 without padding that stands for this number of bytes. */
const base64 = (bytes: number) => "A".repeat(Math.ceil((bytes * 4) / 3))
const SALT = base64(16)
const TAG = base64(32)

const argon2 = (
  facts: { scheme?: string; m?: number; t?: number; p?: number; salt?: string; tag?: string } = {},
) => {
  const { scheme = "argon2id", m = 19_456, t = 2, p = 1, salt = SALT, tag = TAG } = facts
  return `$${scheme}$v=19$m=${m},t=${t},p=${p}$${salt}$${tag}`
}
const bcrypt = (cost: string, version = "2b") => `$${version}$${cost}$${"./Az09".repeat(8)}abcde`
const pbkdf2 = (digest: string, iterations: number, tag = TAG, salt = SALT) =>
  `$pbkdf2-${digest}$i=${iterations}$${salt}$${tag}`
const scrypt = (ln: number, r: number, p: number, salt = SALT, tag = TAG) =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${salt}$${tag}`

const good = (...texts: readonly string[]) => {
  for (const text of texts) assert.notEqual(parsePasswordHash(text), null, text)
}
const bad = (...texts: readonly string[]) => {
  for (const text of texts) assert.equal(parsePasswordHash(text), null, text)
}

describe("MOVE-4: the forms of a password hash", () => {
  it("each has its parts", () => {
    const [salt, tag] = [SALT, TAG]
    for (const scheme of ["argon2id", "argon2i", "argon2d"])
      assert.deepEqual(parsePasswordHash(argon2({ scheme })), {
        scheme,
        memory: 19_456,
        passes: 2,
        parallelism: 1,
        salt,
        tag,
      })
    for (const version of ["2a", "2b", "2y"]) {
      const text = bcrypt("12", version)
      assert.deepEqual(parsePasswordHash(text), { scheme: "bcrypt", cost: 12, text })
    }
    assert.deepEqual(parsePasswordHash(pbkdf2("sha512", 210_000)), {
      scheme: "pbkdf2",
      digest: "sha512",
      iterations: 210_000,
      salt,
      tag,
    })
    assert.deepEqual(parsePasswordHash(scrypt(14, 8, 1)), {
      scheme: "scrypt",
      costBits: 14,
      blockSize: 8,
      parallelism: 1,
      salt,
      tag,
    })
  })

  it("an argon2 hash is bounded in memory, passes, lanes and their product", () => {
    good(argon2({ m: 131_072, t: 4 }), argon2({ m: 8, t: 64 }), argon2({ t: 1 }), argon2({ m: 128, p: 16 }))
    bad(
      argon2({ m: 131_073, t: 1 }),
      argon2({ m: 131_072, t: 5 }),
      argon2({ m: 8, t: 65 }),
      argon2({ t: 0 }),
      argon2({ p: 0 }),
      argon2({ m: 1000, p: 17 }),
      argon2({ m: 127, p: 16 }),
    )
    good(argon2({ salt: base64(8) }))
    bad(argon2({ salt: base64(7) }), argon2().replace("v=19", "v=16"), argon2({ scheme: "argon2" }))
  })

  it("a bcrypt hash costs from 4 to 14", () => {
    good(bcrypt("04"), bcrypt("14"))
    bad(bcrypt("03"), bcrypt("15"), bcrypt("4"), bcrypt("12", "2x"), bcrypt("12", "2"), `${bcrypt("12")}a`)
    bad(bcrypt("12").slice(0, -1), bcrypt("12").replace("./", "+/"))
  })

  it("a PBKDF2 hash counts its iterations for each digest in its tag", () => {
    good(pbkdf2("sha256", 2_000_000), pbkdf2("sha1", 1, base64(20)), pbkdf2("sha256", 1_000_000, base64(64)))
    bad(
      pbkdf2("sha256", 2_000_001),
      pbkdf2("sha256", 0),
      pbkdf2("sha256", 1_000_001, base64(64)),
      pbkdf2("sha1", 1_000_001, base64(21)),
      pbkdf2("md5", 1000),
      pbkdf2("sha384", 1000),
    )
  })

  it("a scrypt hash is bounded in memory and in work", () => {
    good(scrypt(17, 8, 1), scrypt(17, 8, 2), scrypt(1, 1, 1), scrypt(15, 1, 1))
    bad(scrypt(17, 9, 1), scrypt(18, 8, 1), scrypt(17, 8, 3), scrypt(21, 1, 1), scrypt(0, 8, 1))
    bad(scrypt(16, 1, 1), scrypt(14, 0, 1), scrypt(14, 8, 0))
  })

  it("a salt has up to 256 bytes, a tag 16 to 256", () => {
    const salts = (salt: string) => [argon2({ salt }), pbkdf2("sha256", 1, TAG, salt), scrypt(14, 8, 1, salt)]
    const tags = (tag: string) => [argon2({ tag }), pbkdf2("sha256", 1, tag), scrypt(14, 8, 1, SALT, tag)]
    good(...salts(base64(256)), ...tags(base64(16)), ...tags(base64(256)))
    bad(...salts(base64(257)), ...tags(base64(15)), ...tags(base64(257)))
  })

  it("any other text is refused", () => {
    bad("", "none", "password", "$", "$argon2id$", "$1$salt$hash", "{SSHA}abc", "pbkdf2_sha256$1$salt$hash")
    for (const text of [argon2(), bcrypt("12"), pbkdf2("sha256", 1000), scrypt(14, 8, 1)])
      bad(` ${text}`, `${text}\n`, `${text} `, `${text}$`, text.toUpperCase(), `\u0000${text}`)
    for (const text of [argon2(), pbkdf2("sha256", 1000), scrypt(14, 8, 1)]) bad(`${text}=`)
    bad(argon2().replace("t=2", "t=-2"), argon2().replace("t=2", "t=2e0"), argon2().replace("t=2", "t="))
    bad(argon2().replace("m=19456", `m=${"9".repeat(400)}`), scrypt(14, 8, 1).replace("ln=14", "ln=999999"))
  })
})

test("MOVE-4 every hash but one of this service's own form is replaced at the next sign-in", () => {
  assert.equal(isImportedHash(argon2()), false)
  for (const text of [argon2({ m: 19_457 }), argon2({ t: 3 }), argon2({ scheme: "argon2i" }), bcrypt("12")])
    assert.equal(isImportedHash(text), true, text)
})
