/** Tokens with a right checksum over whatever a test made of them, so that only that is wrong. */
import { crc32 } from "node:zlib"

export function withChecksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return text + bytes.toString("base64url")
}

/** The same body under another prefix, or with other changes, its checksum right again. */
export function resealed(token: string, change: (text: string) => string): string {
  return withChecksum(change(token.slice(0, -6)))
}
