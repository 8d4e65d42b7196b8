/**
 * No nonce of a retired token stays: with that token, a row and a backup would yield its successor. CRED-6. Rows are read
 * as versions 7 to 9 wrote them; nothing here follows later ones.
 */
import type { DatabaseSync } from "node:sqlite"

const ROWS_AT_A_TIME = 1000

/** Head (3 bytes) and digest (33) of a packed family; then the key, the digest of the retired token (33), the nonce. */
const KEY_AT = 36
const HASH_BYTES = 33
const VERSION_1 = 4
const HAS_RETIRED = 1

export function noNonces(database: DatabaseSync): void {
  const read = database.prepare(
    "SELECT id, family FROM credential_row WHERE id > ? AND family IS NOT NULL ORDER BY id LIMIT ?",
  )
  const write = database.prepare("UPDATE credential_row SET family = ? WHERE id = ?")
  let after = -1
  for (;;) {
    const rows = read.all(after, ROWS_AT_A_TIME) as { id: number; family: Uint8Array }[]
    for (const { id, family } of rows) if (clearNonce(family)) write.run(family, id)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Of the same length, it is written over where it is. Answers whether there was one. */
function clearNonce(family: Uint8Array): boolean {
  if (family.length <= KEY_AT || family[0] !== VERSION_1 || ((family[2] ?? 0) & HAS_RETIRED) === 0)
    return false
  const place = KEY_AT + countedBytes(family, KEY_AT) + HASH_BYTES
  const first = family[place] ?? 0
  family.fill(0, place, place + countedBytes(family, place))
  family[place] = first & 0b1111_1100
  return true
}

/** The bytes of a counted text: its length is in the upper six bits of its first byte. */
function countedBytes(family: Uint8Array, place: number): number {
  return ((((family[place] ?? 0) >> 2) + 4) & ~3) * 0.75
}
