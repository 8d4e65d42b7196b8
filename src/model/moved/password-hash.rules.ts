/**
 * The forms of a stored password hash. `platform/services/password.ts` writes one form of argon2id. The other forms come
 * with an import, and the first sign-in replaces them. A hash above these limits is refused at import (MOVE-4).
 */

export const pbkdf2Digests = ["sha1", "sha256", "sha512"] as const

type Pbkdf2Digest = (typeof pbkdf2Digests)[number]

const DIGEST_BYTES: Readonly<Record<Pbkdf2Digest, number>> = { sha1: 20, sha256: 32, sha512: 64 }

export type PasswordHash =
  | {
      readonly scheme: "argon2id" | "argon2i" | "argon2d"
      readonly memory: number
      readonly passes: number
      readonly parallelism: number
      readonly salt: Bytes
      readonly tag: Bytes
    }
  | { readonly scheme: "bcrypt"; readonly cost: number; readonly text: string }
  | {
      readonly scheme: "pbkdf2"
      readonly digest: Pbkdf2Digest
      readonly iterations: number
      readonly salt: Bytes
      readonly tag: Bytes
    }
  | {
      readonly scheme: "scrypt"
      readonly costBits: number
      readonly blockSize: number
      readonly parallelism: number
      readonly salt: Bytes
      readonly tag: Bytes
    }

/** Bytes in base64 without padding. */
type Bytes = string

/** One check takes at most about a second and 128 MiB on a machine of today. */
const LIMITS = {
  argon2: { memoryKib: 131_072, memoryTimesPasses: 524_288, passes: 64, parallelism: 16, saltLeast: 8 },
  bcrypt: { least: 4, most: 14 },
  pbkdf2: { iterations: 2_000_000 },
  scrypt: { bytes: 134_217_728, costBits: 20, blocks: 2_097_152 },
  bytes: { salt: 256, tagLeast: 16, tagMost: 256 },
} as const

const BYTES = "[A-Za-z0-9+/]+"
const ARGON2 = new RegExp(
  `^\\$(argon2(?:id|i|d))\\$v=19\\$m=(\\d+),t=(\\d+),p=(\\d+)\\$(${BYTES})\\$(${BYTES})$`,
)
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const PBKDF2 = new RegExp(`^\\$pbkdf2-(sha1|sha256|sha512)\\$i=(\\d+)\\$(${BYTES})\\$(${BYTES})$`)
const SCRYPT = new RegExp(`^\\$scrypt\\$ln=(\\d+),r=(\\d+),p=(\\d+)\\$(${BYTES})\\$(${BYTES})$`)

/** Parses a stored hash. Returns null for another form, and for a hash that costs too much to check. */
export function parsePasswordHash(text: string): PasswordHash | null {
  const hash = argon2Of(text) ?? bcryptOf(text) ?? pbkdf2Of(text) ?? scryptOf(text)
  return hash !== null && (hash.scheme === "bcrypt" || hasUsualBytes(hash)) ? hash : null
}

/** Whether a hash comes from an import and is replaced at the next sign-in. */
export function isImportedHash(text: string): boolean {
  return !text.startsWith("$argon2id$v=19$m=19456,t=2,p=1$")
}

function argon2Of(text: string): PasswordHash | null {
  const [, scheme, memory, passes, parallelism, salt = "", tag = ""] = ARGON2.exec(text) ?? []
  const hash = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), salt, tag }
  const { argon2: most } = LIMITS
  const isBounded =
    hash.memory >= 8 * hash.parallelism &&
    hash.memory <= most.memoryKib &&
    hash.passes >= 1 &&
    hash.passes <= most.passes &&
    hash.memory * hash.passes <= most.memoryTimesPasses &&
    hash.parallelism >= 1 &&
    hash.parallelism <= most.parallelism &&
    bytesIn(salt) >= most.saltLeast
  return isBounded && isArgon2(scheme) ? { scheme, ...hash } : null
}

function isArgon2(scheme: string | undefined): scheme is "argon2id" | "argon2i" | "argon2d" {
  return scheme === "argon2id" || scheme === "argon2i" || scheme === "argon2d"
}

function bcryptOf(text: string): PasswordHash | null {
  const cost = Number(BCRYPT.exec(text)?.[1])
  const { least, most } = LIMITS.bcrypt
  return cost >= least && cost <= most ? { scheme: "bcrypt", cost, text } : null
}

function pbkdf2Of(text: string): PasswordHash | null {
  const [, name, rounds, salt = "", tag = ""] = PBKDF2.exec(text) ?? []
  const digest = pbkdf2Digests.find((one) => one === name)
  const iterations = Number(rounds)
  // Each part of the tag that is as long as a digest takes all iterations. RFC 8018 §5.2.
  const parts = digest === undefined ? 0 : Math.ceil(bytesIn(tag) / DIGEST_BYTES[digest])
  const isBounded = iterations >= 1 && iterations * parts <= LIMITS.pbkdf2.iterations
  return isBounded && digest !== undefined ? { scheme: "pbkdf2", digest, iterations, salt, tag } : null
}

function scryptOf(text: string): PasswordHash | null {
  const [, bits, blockSize, parallelism, salt = "", tag = ""] = SCRYPT.exec(text) ?? []
  const hash = { costBits: Number(bits), blockSize: Number(blockSize), parallelism: Number(parallelism) }
  const { scrypt: most } = LIMITS
  const blocks = 2 ** hash.costBits * hash.blockSize
  const isBounded =
    hash.costBits >= 1 &&
    hash.costBits <= most.costBits &&
    // RFC 7914 §2. Without this, the check of the hash fails.
    hash.costBits < 16 * hash.blockSize &&
    hash.blockSize >= 1 &&
    hash.parallelism >= 1 &&
    128 * blocks <= most.bytes &&
    blocks * hash.parallelism <= most.blocks
  return isBounded ? { scheme: "scrypt", ...hash, salt, tag } : null
}

function hasUsualBytes({ salt, tag }: { readonly salt: Bytes; readonly tag: Bytes }): boolean {
  const { bytes } = LIMITS
  return bytesIn(salt) <= bytes.salt && bytesIn(tag) >= bytes.tagLeast && bytesIn(tag) <= bytes.tagMost
}

function bytesIn(text: Bytes): number {
  return Math.floor((text.length * 3) / 4)
}
