/**
 * Encodes packed columns. Random values are stored as bytes in place of text, which saves a quarter. One conversion
 * reads a column.
 *
 * In memory, a packed column is base64url text with six bits in each letter, because every digest and key already has
 * this form. Values begin at multiples of four letters, so that reading a value only takes a slice of the text. Free
 * text follows the letters as UTF-8.
 */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

const VALUES = new Uint8Array(128)
for (let i = 0; i < LETTERS.length; i++) VALUES[LETTERS.charCodeAt(i)] = i

/** Encodes a number below 64 as one letter. */
export function encodeUint6(number: number): string {
  if (!(number >= 0 && number < 64)) throw new Error(`${number} does not fit six bits`)
  return LETTERS.charAt(number)
}

/** Decodes the letter at `place`. */
export function decodeUint6(text: string, place: number): number {
  return VALUES[text.charCodeAt(place)] ?? 0
}

/** A time or a count takes this many letters. It is less than 2^36. */
export const UINT36_LETTERS = 6

const THREE_LETTERS = 64 ** 3

export function encodeUint36(number: number): string {
  return encodeUint18(Math.floor(uint36(number) / THREE_LETTERS)) + encodeUint18(number % THREE_LETTERS)
}

export function decodeUint36(text: string, place: number): number {
  return decodeUint18(text, place) * THREE_LETTERS + decodeUint18(text, place + 3)
}

/** Two numbers that follow each other in twelve letters, which are nine bytes. */
export const PAIR_LETTERS = 2 * UINT36_LETTERS
/** Stands for two numbers until `writePair` writes them. Letters of many numbers would take several times as long. */
export const PAIR_LATER = "A".repeat(PAIR_LETTERS)

/** Writes two numbers below 2^36 into packed bytes. `place` counts letters and is a multiple of four. */
export function writePair(bytes: Uint8Array, place: number, first: number, second: number): void {
  const at = byteOf(place)
  // The fifth byte has the last four bits of the first number and the first four bits of the second.
  writeUint32(bytes, at, Math.floor(uint36(first) / 16))
  bytes[at + 4] = ((first % 16) << 4) | Math.floor(uint36(second) / 2 ** 32)
  writeUint32(bytes, at + 5, second)
}

function byteOf(place: number): number {
  return (place / 4) * 3
}

/** Returns a number below 2^36. Throws for any other number. */
function uint36(number: number): number {
  if (number >= 0 && number < THREE_LETTERS * THREE_LETTERS) return number
  throw new Error(`${number} does not fit six letters`)
}

/** Writes the last 32 bits of a number. */
function writeUint32(bytes: Uint8Array, at: number, number: number): void {
  bytes[at] = number / 2 ** 24
  bytes[at + 1] = number >>> 16
  bytes[at + 2] = number >>> 8
  bytes[at + 3] = number
}

function encodeUint18(number: number): string {
  return LETTERS.charAt(number >> 12) + LETTERS.charAt((number >> 6) & 63) + LETTERS.charAt(number & 63)
}

function decodeUint18(text: string, place: number): number {
  return (decodeUint6(text, place) << 12) | (decodeUint6(text, place + 1) << 6) | decodeUint6(text, place + 2)
}

/** A digest takes this many letters. */
export const DIGEST_LETTERS = 43

/** Checks that `hash` is a digest of 43 letters. The caller appends the 44th letter of the group. */
export function digestLetters(hash: string): string {
  if (hash.length !== DIGEST_LETTERS) throw new Error("the value is not a digest")
  return hash
}

/** Encodes a base64url text of at most 63 letters. Its length comes first, and padding fills its group of four. */
export function counted(text: string): string {
  return encodeUint6(text.length) + text + "AAA".slice(0, 3 - (text.length % 4))
}

/** Returns how many letters `counted` wrote at `place`. */
export function countedLength(text: string, place: number): number {
  return (decodeUint6(text, place) + 4) & ~3
}

export function countedAt(text: string, place: number): string {
  return text.slice(place + 1, place + 1 + decodeUint6(text, place))
}

/** Packs `letters`, which are whole groups of four, and appends `tail` as UTF-8. */
export function pack(letters: string, tail = ""): Uint8Array {
  const packed = Buffer.from(letters, "base64url")
  return tail === "" ? packed : Buffer.concat([packed, Buffer.from(tail)])
}

/** Returns all bytes as letters. The letters of the tail have no meaning, because only `tailAt` reads the tail. */
export function unpack(bytes: Uint8Array): string {
  return bufferOf(bytes).base64urlSlice(0, bytes.length)
}

/** Returns the UTF-8 text after `letters` letters. */
export function tailAt(bytes: Uint8Array, letters: number): string {
  return bufferOf(bytes).utf8Slice(byteOf(letters), bytes.length)
}

type Slices = {
  base64urlSlice(start: number, end: number): string
  utf8Slice(start: number, end: number): string
}

function bufferOf(bytes: Uint8Array): Slices {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer as unknown as Slices
}
