/**
 * Packed columns: what is random is kept as bytes instead of text, a quarter smaller, and read in one conversion.
 *
 * A packed column is written and read as base64url text, six bits a letter, because every digest, key and nonce of the
 * service is such a text already: laid out in groups of four letters it is found again as a slice, without a conversion of
 * its own. What is any text stands behind, as UTF-8.
 */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

const VALUES = new Uint8Array(128)
for (let i = 0; i < LETTERS.length; i++) VALUES[LETTERS.charCodeAt(i)] = i

/** A number below 64 as one letter. */
export function encodeUint6(number: number): string {
  if (!(number >= 0 && number < 64)) throw new Error(`${number} does not fit six bits`)
  return LETTERS.charAt(number)
}

/** The number that the letter at `place` stands for. */
export function decodeUint6(text: string, place: number): number {
  return VALUES[text.charCodeAt(place)] ?? 0
}

/** An instant or a count in six letters: up to 2^36 − 1. */
export const UINT36_LETTERS = 6

const THREE_LETTERS = 64 ** 3

export function encodeUint36(number: number): string {
  if (!(number >= 0 && number < THREE_LETTERS * THREE_LETTERS))
    throw new Error(`${number} does not fit six letters`)
  return encodeUint18(Math.floor(number / THREE_LETTERS)) + encodeUint18(number % THREE_LETTERS)
}

export function decodeUint36(text: string, place: number): number {
  return decodeUint18(text, place) * THREE_LETTERS + decodeUint18(text, place + 3)
}

function encodeUint18(number: number): string {
  return LETTERS.charAt(number >> 12) + LETTERS.charAt((number >> 6) & 63) + LETTERS.charAt(number & 63)
}

function decodeUint18(text: string, place: number): number {
  return (decodeUint6(text, place) << 12) | (decodeUint6(text, place + 1) << 6) | decodeUint6(text, place + 2)
}

/** Letters of a digest. */
export const DIGEST_LETTERS = 43

/** A digest as 43 letters, for a 44th to follow. */
export function digestLetters(hash: string): string {
  if (hash.length !== DIGEST_LETTERS) throw new Error("a value to be stored is not a digest")
  return hash
}

/** A base64url text of at most 63 letters after its length, padded to a whole group. */
export function counted(text: string): string {
  return encodeUint6(text.length) + text + "AAA".slice(0, 3 - (text.length % 4))
}

/** How many letters `counted` took at `place`. */
export function countedLength(text: string, place: number): number {
  return (decodeUint6(text, place) + 4) & ~3
}

export function countedAt(text: string, place: number): string {
  return text.slice(place + 1, place + 1 + decodeUint6(text, place))
}

/** The bytes of `letters`, whole groups of four, and behind them `tail` where there is one. */
export function pack(letters: string, tail = ""): Uint8Array {
  const packed = Buffer.from(letters, "base64url")
  return tail === "" ? packed : Buffer.concat([packed, Buffer.from(tail)])
}

/** All bytes as letters. What stands behind the groups comes out as letters too: `tailAt` reads it. */
export function unpack(bytes: Uint8Array): string {
  return bufferOf(bytes).base64urlSlice(0, bytes.length)
}

/** What stands behind `letters` letters. */
export function tailAt(bytes: Uint8Array, letters: number): string {
  return bufferOf(bytes).utf8Slice((letters / 4) * 3, bytes.length)
}

type Slices = {
  base64urlSlice(start: number, end: number): string
  utf8Slice(start: number, end: number): string
}

function bufferOf(bytes: Uint8Array): Slices {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer as unknown as Slices
}
