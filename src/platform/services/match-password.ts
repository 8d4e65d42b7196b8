/** Compares a password with a stored hash of any form. The caller limits how many comparisons run at a time. */
import { argon2, pbkdf2, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import {
  isImportedHash,
  parsePasswordHash,
  type PasswordHash,
} from "../../model/moved/password-hash.rules.ts"

const deriveArgon2 = promisify(argon2)
const derivePbkdf2 = promisify(pbkdf2)
const deriveScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt)

/**
 * Whether `password` matches `stored`. An own hash has the NFC form of the password. Other services hashed the text as
 * it was typed, or its NFKC form, so both are tried. Some of them hash with the parameters of this service.
 */
export async function matchesHash(password: string, stored: string): Promise<boolean> {
  const hash = parsePasswordHash(stored)
  if (hash === null) throw new Error("a stored password hash has an unknown form")
  const forms = isImportedHash(stored)
    ? [password, password.normalize("NFKC")]
    : [password.normalize("NFC"), password]
  for (const form of new Set(forms)) if (await matches(form, hash)) return true
  return false
}

async function matches(password: string, hash: PasswordHash): Promise<boolean> {
  if (hash.scheme === "bcrypt") return (await import("./bcrypt.ts")).matchesBcrypt(password, hash.text)
  const tag = Buffer.from(hash.tag, "base64")
  return timingSafeEqual(await tagOf(password, hash, Buffer.from(hash.salt, "base64"), tag.length), tag)
}

function tagOf(
  password: string,
  hash: Exclude<PasswordHash, { scheme: "bcrypt" }>,
  salt: Buffer,
  tagLength: number,
): Promise<Buffer> {
  switch (hash.scheme) {
    case "pbkdf2":
      return derivePbkdf2(password, salt, hash.iterations, tagLength, hash.digest)
    case "scrypt": {
      const { costBits, blockSize, parallelism } = hash
      const cost = 2 ** costBits
      // Node counts a little more than 128 · N · r bytes.
      const maxmem = 128 * cost * blockSize + 128 * blockSize * parallelism + (1 << 20)
      return deriveScrypt(password, salt, tagLength, { N: cost, r: blockSize, p: parallelism, maxmem })
    }
    default: {
      const { scheme, memory, passes, parallelism } = hash
      return deriveArgon2(scheme, {
        message: Buffer.from(password),
        nonce: salt,
        tagLength,
        memory,
        passes,
        parallelism,
      })
    }
  }
}
