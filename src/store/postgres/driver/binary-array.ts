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
  const isWide = type === "bigint"
  const isNumber = isWide || type === "integer"
  let length = 20
  for (const value of values) length += 4 + lengthOf(value, isNumber ? (isWide ? 8 : 4) : null)
  const bytes = Buffer.allocUnsafe(length)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  bytes.writeInt32BE(OID[type], 8)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  let at = 20
  for (const value of values)
    at = isNumber ? writeNumber(bytes, at, value, isWide) : writeBytes(bytes, at, value)
  return bytes
}

function lengthOf(value: Value, ofNumber: number | null): number {
  if (value === null) return 0
  if (ofNumber !== null) return ofNumber
  return typeof value === "string" ? Buffer.byteLength(value) : (value as Uint8Array).length
}

function writeNumber(bytes: Buffer, at: number, value: Value, isWide: boolean): number {
  if (value === null) return bytes.writeInt32BE(-1, at)
  const width = isWide ? 8 : 4
  bytes.writeInt32BE(width, at)
  if (!isWide) return bytes.writeInt32BE(Number(value), at + 4)
  const number = Number(value)
  const high = Math.floor(number / 0x1_0000_0000)
  bytes.writeInt32BE(high, at + 4)
  return bytes.writeUInt32BE(number - high * 0x1_0000_0000, at + 8)
}

function writeBytes(bytes: Buffer, at: number, value: Value): number {
  if (value === null) return bytes.writeInt32BE(-1, at)
  if (typeof value === "string") {
    const written = bytes.write(value, at + 4)
    bytes.writeInt32BE(written, at)
    return at + 4 + written
  }
  const part = value as Uint8Array
  bytes.writeInt32BE(part.length, at)
  bytes.set(part, at + 4)
  return at + 4 + part.length
}
