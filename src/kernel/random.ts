/** The source of all secrets and ids: Node's CSPRNG, read in blocks of 8 KiB. */
import { randomFillSync } from "node:crypto"

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

const pool = Buffer.alloc(8192)
let used = pool.length

/** Returns new random bytes and erases them from the pool. `bytes` is at most the size of the pool. */
export function randomBytes(bytes: number): Buffer {
  const start = reserve(bytes)
  const taken = Buffer.from(pool.subarray(start, start + bytes))
  pool.fill(0, start, start + bytes)
  return taken
}

/** Reserves `bytes` unused bytes of the pool and returns their offset. */
function reserve(bytes: number): number {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return used - bytes
}

/** Returns a random secret of 256 bits in base64url, 43 characters. */
export function randomSecret(): string {
  return randomText(32)
}

/** Returns a random value of 128 bits in base64url, 22 characters. Use it for keys and nonces that grant no access. */
export function randomKey(): string {
  return randomText(16)
}

/** Encodes bytes inside the pool, so that no second buffer holds the secret. */
function randomText(bytes: number): string {
  const start = reserve(bytes)
  const text = pool.toString("base64url", start, start + bytes)
  pool.fill(0, start, start + bytes)
  return text
}

/**
 * Creates an identifier of 48 bits of time and 80 random bits, written as 26 characters of lower-case Crockford base32.
 * Later ids sort after earlier ones, so that the database appends rows. `now` is in seconds. The milliseconds count the
 * ids of this second, up to 999.
 */
export function newId<Id extends string>(now: number): Id {
  place = now === second ? Math.min(place + 1, 999) : 0
  second = now
  return (time(now * 1000 + place) + entropy()) as Id
}

let second = 0
let place = 0

function time(milliseconds: number): string {
  let text = ""
  let rest = milliseconds
  for (let i = 0; i < 10; i++) {
    text = ALPHABET.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Returns 16 random characters of five bits each. All characters are equally likely, because 32 divides 256. */
function entropy(): string {
  let text = ""
  for (const byte of randomBytes(16)) text += ALPHABET.charAt(byte & 31)
  return text
}

/** Skips bytes that would favor the first letters, so all letters are equally likely. */
export function randomLetters(alphabet: string, length: number): string {
  const whole = 256 - (256 % alphabet.length)
  let text = ""
  while (text.length < length) {
    const [byte = whole] = randomBytes(1)
    if (byte < whole) text += alphabet.charAt(byte % alphabet.length)
  }
  return text
}
