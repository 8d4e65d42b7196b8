/**
 * Encodes lists in PostgreSQL's binary format, which needs no quoting or parsing. The manual does not describe this
 * format, but the server's function `array_recv` reads it.
 */
import type { Value } from "../../codecs/value.ts"

/** The server's catalog has fixed ids for these types. */
const OID = { text: 25, bigint: 20, bytea: 17, integer: 23 } as const

export type ElementType = keyof typeof OID

/** Encodes a list as one parameter. */
export function binaryArray(type: ElementType, values: readonly Value[]): Buffer {
  const width = type === "bigint" ? 8 : type === "integer" ? 4 : null
  let length = 20
  for (const value of values) length += 4 + (value === null ? 0 : (width ?? lengthOf(value)))
  const bytes = Buffer.allocUnsafe(length)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  bytes.writeInt32BE(OID[type], 8)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = 20
  for (const value of values) {
    if (value === null) at = bytes.writeInt32BE(-1, at)
    else at = width === null ? writeBytes(bytes, at, value) : writeNumber(bytes, at, Number(value), width)
  }
  return bytes
}

function lengthOf(value: Value): number {
  return typeof value === "string" ? Buffer.byteLength(value) : (value as Uint8Array).length
}

function writeNumber(bytes: Buffer, at: number, number: number, width: number): number {
  bytes.writeInt32BE(width, at)
  if (width === 4) return bytes.writeInt32BE(number, at + 4)
  const high = Math.floor(number / 0x1_0000_0000)
  bytes.writeInt32BE(high, at + 4)
  return bytes.writeUInt32BE(number - high * 0x1_0000_0000, at + 8)
}

function writeBytes(bytes: Buffer, at: number, value: Value): number {
  const isText = typeof value === "string"
  const length = isText ? bytes.write(value, at + 4) : (value as Uint8Array).length
  bytes.writeInt32BE(length, at)
  if (!isText) bytes.set(value as Uint8Array, at + 4)
  return at + 4 + length
}
