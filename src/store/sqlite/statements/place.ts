/**
 * Where the row of a credential is stored: its rowid comes from its identifier, so that one descent of one tree finds it,
 * and rows lie in the order of time.
 *
 * The rowid is the second in which the identifier was made, and within it 65,000 numbers in the order of its milliseconds
 * and its first random bits. On a collision the row gets another rowid, recorded in `credential_aside`.
 */
import type { TokenId } from "../../../kernel/ids.ts"
import { isIdentifier } from "../../../kernel/identifier.ts"
import type { Connection } from "../engine/connection.ts"

const PLACES_OF_A_MILLISECOND = 65
const PLACES_OF_A_SECOND = 65_536
/** Keeps the number below 2^47, which SQLite stores in six bytes. Identifiers reach it in the year 2038. */
const SECONDS = 2 ** 31
const MILLISECONDS = 1000

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
const VALUES = new Map([...DIGITS].map((digit, value) => [digit.charCodeAt(0), value]))

/** Ten digits of time, and two of sixteen random ones: 32 times 32 of them share 65 places. */
const TIME_DIGITS = 10
const RANDOM = 1024

/** Of places aside. The stride is odd, so that it comes to every place of a second. */
const LAST_DIGITS = 4
const STRIDE = 257
const TRIES_IN_A_SECOND = 64

/** No place: what is no identifier. */
const INVALID_ROWID = -1

/** The place that a credential has unless it is taken. */
export function homeOf(tokenId: string): number {
  const milliseconds = valueOf(tokenId, 0, TIME_DIGITS)
  const random = valueOf(tokenId, TIME_DIGITS, TIME_DIGITS + 2)
  if (Number.isNaN(milliseconds + random)) return INVALID_ROWID
  const second = Math.floor(milliseconds / MILLISECONDS) % SECONDS
  const within = (milliseconds % MILLISECONDS) * PLACES_OF_A_MILLISECOND
  return second * PLACES_OF_A_SECOND + within + Math.floor((random * PLACES_OF_A_MILLISECOND) / RANDOM)
}

function valueOf(tokenId: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) value = value * 32 + (VALUES.get(tokenId.charCodeAt(i)) ?? NaN)
  return value
}

const TAKEN = "SELECT token_id FROM credential_row WHERE id = ?"
const ASIDE = "SELECT id FROM credential_aside WHERE token_id = ?"

/** The place of a row that is not at home; null where there is no such row. */
export function asideOf(connection: Connection, tokenId: string): number | null {
  return connection.one<{ id: number }>(ASIDE, tokenId)?.id ?? null
}

/** The place of a row; its home, where there is no such row. Lists go on from there. */
export function positionOf(connection: Connection, tokenId: string): number {
  return asideOf(connection, tokenId) ?? homeOf(tokenId)
}

/** A free place for a new row. Throws where the credential is there already. */
export function freePlaceFor(connection: Connection, tokenId: TokenId): number {
  const home = homeOf(tokenId)
  if (!isIdentifier(tokenId)) throw new Error(`${tokenId} is no identifier of a credential`)
  let place = home
  for (let tries = 0; ; tries++) {
    const taken = at(connection, place)
    if (taken === tokenId) throw new Error(`there is a credential ${tokenId} already`)
    if (taken === null) break
    place = placeAside(tokenId, home, tries)
  }
  if (asideOf(connection, tokenId) !== null) throw new Error(`there is a credential ${tokenId} already`)
  return place
}

/** Where a row that finds its home taken is put: anywhere in the same second, by its last random bits; then ever later. */
function placeAside(tokenId: string, home: number, tries: number): number {
  const own = valueOf(tokenId, tokenId.length - LAST_DIGITS, tokenId.length)
  const second = Math.floor(home / PLACES_OF_A_SECOND) + Math.floor(tries / TRIES_IN_A_SECOND)
  return second * PLACES_OF_A_SECOND + ((own + tries * STRIDE) % PLACES_OF_A_SECOND)
}

function at(connection: Connection, place: number): string | null {
  return connection.one<{ token_id: string }>(TAKEN, place)?.token_id ?? null
}
