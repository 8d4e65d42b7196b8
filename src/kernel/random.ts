/** Everything unpredictable comes from here: node's CSPRNG, read ahead in blocks. */
import { randomFillSync } from "node:crypto"

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

const pool = Buffer.alloc(8192)
let used = pool.length

/** `bytes` fresh random bytes, at most 1024 at a time. A byte handed out once is wiped from the pool. */
export function randomBytes(bytes: number): Buffer {
  const start = reserve(bytes)
  const taken = Buffer.from(pool.subarray(start, start + bytes))
  pool.fill(0, start, start + bytes)
  return taken
}

/** The offset of this many unused bytes. */
function reserve(bytes: number): number {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return used - bytes
}

/** A random value of 256 bits in base64url: 43 characters. */
export function randomSecret(): string {
  return randomText(32)
}

/** A random value of 128 bits in base64url, 22 characters: for keys and nonces that open nothing by themselves. */
export function randomKey(): string {
  return randomText(16)
}

/** Straight from the pool: only the text leaves it. */
function randomText(bytes: number): string {
  const start = reserve(bytes)
  const text = pool.toString("base64url", start, start + bytes)
  pool.fill(0, start, start + bytes)
  return text
}

/**
 * A new identifier: 48 bits of time, then 80 random bits, as 26 characters of lower-case Crockford base32.
 * Later ones sort after earlier ones, so that rows are appended. `now` is in seconds; each id of
 * a process takes the next millisecond of that second; from the thousandth on, all take the last.
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

/** 16 characters of five bits each: 32 divides 256, so no character is likelier than another. */
function entropy(): string {
  let text = ""
  for (const byte of randomBytes(16)) text += ALPHABET.charAt(byte & 31)
  return text
}

/** `length` letters of `alphabet`, each as likely as any other: bytes past the last whole multiple are thrown away. */
export function randomLetters(alphabet: string, length: number): string {
  const whole = 256 - (256 % alphabet.length)
  let text = ""
  while (text.length < length) {
    const [byte = whole] = randomBytes(1)
    if (byte < whole) text += alphabet.charAt(byte % alphabet.length)
  }
  return text
}
