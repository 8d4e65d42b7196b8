/**
 * Computes the rowid of a credential from its identifier. One lookup in a tree then finds the row, and rows are stored
 * in the order of time.
 *
 * The rowid combines two values: the second in which the identifier was created, and one of 65,000 numbers from its
 * millisecond and first random bits. If two rowids are equal, the later row gets another rowid, which
 * `credential_aside` stores.
 */
import type { TokenId } from "../../../kernel/ids.ts"
import { isIdentifier } from "../../../kernel/identifier.ts"
import type { Connection } from "../engine/connection.ts"

const ROWIDS_PER_MILLISECOND = 65
const ROWIDS_PER_SECOND = 65_536
/** This number keeps the rowid below 2^47, which SQLite stores in six bytes. The seconds start again in 2038. */
const SECONDS = 2 ** 31
const MILLISECONDS = 1000

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
const VALUES: number[] = Array.from({ length: 128 }, () => NaN)
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value

/** The first ten digits of an identifier are its time. The next two digits are random and have 1,024 values. */
const TIME_DIGITS = 10
const RANDOM = 1024

/**
 * If two rowids are equal, the last digits of the identifier choose another one. An odd step reaches every rowid of a
 * second.
 */
const LAST_DIGITS = 4
const STRIDE = 257
const TRIES_IN_A_SECOND = 64

/** The rowid for a text that is not an identifier. */
const INVALID_ROWID = -1

/** Returns the rowid that a credential has if no other row took it first. */
export function homeRowid(tokenId: string): number {
  const milliseconds = valueOf(tokenId, 0, TIME_DIGITS)
  const random = valueOf(tokenId, TIME_DIGITS, TIME_DIGITS + 2)
  if (Number.isNaN(milliseconds + random)) return INVALID_ROWID
  const second = Math.floor(milliseconds / MILLISECONDS) % SECONDS
  const within = (milliseconds % MILLISECONDS) * ROWIDS_PER_MILLISECOND
  return second * ROWIDS_PER_SECOND + within + Math.floor((random * ROWIDS_PER_MILLISECOND) / RANDOM)
}

function valueOf(tokenId: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) value = value * 32 + (VALUES[tokenId.charCodeAt(i)] ?? NaN)
  return value
}

const TOKEN_AT = "SELECT token_id FROM credential_row WHERE id = ?"
const COLLISION = "SELECT id FROM credential_aside WHERE token_id = ?"

/**
 * Returns the other rowid of a credential whose first rowid was taken. Returns null if the first was free or the
 * credential does not exist.
 */
export function collisionRowid(connection: Connection, tokenId: string): number | null {
  return connection.one<{ id: number }>(COLLISION, tokenId)?.id ?? null
}

/**
 * Returns the rowid of a credential. If the credential is missing, returns its home rowid, so that a list can continue
 * there.
 */
export function rowidOf(connection: Connection, tokenId: string): number {
  return collisionRowid(connection, tokenId) ?? homeRowid(tokenId)
}

/** Returns a free rowid for a new credential. Throws if the credential exists. */
export function freeRowid(connection: Connection, tokenId: TokenId): number {
  const home = homeRowid(tokenId)
  if (!isIdentifier(tokenId)) throw new Error(`${tokenId} is not an identifier`)
  let rowid = home
  for (let tries = 0; ; tries++) {
    const taken = tokenIdAt(connection, rowid)
    if (taken === tokenId) throw new Error(`there is a credential ${tokenId} already`)
    if (taken === null) break
    rowid = otherRowid(tokenId, home, tries)
  }
  if (collisionRowid(connection, tokenId) !== null)
    throw new Error(`there is a credential ${tokenId} already`)
  return rowid
}

/**
 * Returns the next rowid to try if one is taken. The first attempts are in the same second, and later attempts in later
 * seconds.
 */
function otherRowid(tokenId: string, home: number, tries: number): number {
  const own = valueOf(tokenId, tokenId.length - LAST_DIGITS, tokenId.length)
  const second = Math.floor(home / ROWIDS_PER_SECOND) + Math.floor(tries / TRIES_IN_A_SECOND)
  return second * ROWIDS_PER_SECOND + ((own + tries * STRIDE) % ROWIDS_PER_SECOND)
}

function tokenIdAt(connection: Connection, rowid: number): string | null {
  return connection.one<{ token_id: string }>(TOKEN_AT, rowid)?.token_id ?? null
}
