/**
 * Builds a token that was never issued but looks real. One letter is changed, and in every second case the checksum is
 * corrected.
 */
import { crc32 } from "node:zlib"

const CHECKSUM_LENGTH = 6
/** The position after the prefix and the id. */
const BEHIND_ID = 30

export function altered(token: string, which: number): string {
  const end = token.length - CHECKSUM_LENGTH
  const place = BEHIND_ID + (which % (end - BEHIND_ID))
  const letter = token[place] === "1" ? "2" : "1"
  const body = token.slice(0, place) + letter + token.slice(place + 1, end)
  return body + (which % 2 === 0 ? token.slice(end) : checksum(body))
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return bytes.toString("base64url")
}
