/** Corrects the checksum of a token that a test has changed, so that only the change is wrong. */
import { crc32 } from "node:zlib"

export function withChecksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return text + bytes.toString("base64url")
}

/** Changes a token, for example its prefix, and corrects its checksum. */
export function resealed(token: string, change: (text: string) => string): string {
  return withChecksum(change(token.slice(0, -6)))
}
