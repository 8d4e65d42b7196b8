/**
 * The refresh and access tokens of a credential in one packed column. docs/storage.md has the layout; the first letter is
 * its version, and 0 in its place is room that is kept for a family to come.
 */
import type { Hash, Permission } from "../../core/brand.ts"
import type { AccessToken, Family, Retired, Retirement } from "../../core/credential.ts"
import { namesOf, namesText } from "./names.ts"
import {
  counted,
  countedAt,
  countedLength,
  DIGEST,
  digestLetters,
  letter,
  numberAt,
  pack,
  tailAt,
  unpack,
  WIDE,
  wide,
  wideAt,
} from "./sextets.ts"

const VERSION = 1
const HEAD = 4
const HASH = DIGEST + 1
const RETIREMENT = 2 * WIDE
const ACCESS_TOKEN = HASH + 2 * WIDE

const HAS_RETIRED = 1
/** The `scope` of the last answer is not the consent: it stands behind. */
const HAS_SCOPE = 2
/** Sixty-four retirements more than their letter says. */
const HAS_MANY = 4
const MANY = 64

/** What is packed of a family; the rest has columns of its own. */
export type PackedFamily = Omit<Family, "generation" | "rotatedAt" | "rotatedFrom">

export function familyBytes(family: PackedFamily, consented: readonly Permission[]): Uint8Array {
  const { accessTokens, retired, retirements } = family
  const scopes: string[] = []
  let flags = 0
  let letters = digestLetters(family.currentHash) + "A" + counted(family.key)
  if (retired !== null) {
    flags = HAS_RETIRED
    letters += digestLetters(retired.hash) + "A" + counted(retired.nonce)
    if (!sameNames(retired.answeredScope, consented)) {
      flags |= HAS_SCOPE
      scopes.push(namesText(retired.answeredScope))
    }
  }
  for (const { generation, at } of retirements) letters += wide(generation) + wide(at)
  for (const { hash, issuedAt, expiresAt, narrowedTo } of accessTokens) {
    letters += digestLetters(hash) + (narrowedTo === null ? "A" : "B") + wide(issuedAt) + wide(expiresAt)
    if (narrowedTo !== null) scopes.push(namesText(narrowedTo))
  }
  if (retirements.length >= MANY) flags |= HAS_MANY
  const head =
    letter(VERSION) + letter(accessTokens.length) + letter(retirements.length % MANY) + letter(flags)
  // A line more than there are scopes: nothing behind them is read as one.
  return pack(head + letters, scopes.length === 0 ? "" : `${scopes.join("\n")}\n`)
}

/** Null where the column only keeps room. `consented` is the answered scope of nearly every family. */
export function familyFrom(bytes: Uint8Array, consented: readonly Permission[]): PackedFamily | null {
  const letters = unpack(bytes)
  const version = numberAt(letters, 0)
  if (version === 0) return null
  if (version !== VERSION) throw new Error(`a family is packed as version ${version}, which does not exist`)
  const flags = numberAt(letters, 3)
  let place = HEAD
  const currentHash = letters.slice(place, place + DIGEST) as Hash
  place += HASH
  const key = countedAt(letters, place)
  place += countedLength(letters, place)
  const retiredAt = place
  if ((flags & HAS_RETIRED) !== 0) place += HASH + countedLength(letters, place + HASH)
  const retirementsAt = place
  place += retirementCount(letters) * RETIREMENT
  const tokensAt = place
  place += numberAt(letters, 1) * ACCESS_TOKEN
  if (place > letters.length) throw new Error("a packed family is cut short")
  const scopes = scopesBehind(bytes, letters, place, tokensAt, flags)
  return {
    currentHash,
    key,
    retired: (flags & HAS_RETIRED) === 0 ? null : retiredFrom(letters, retiredAt, flags, scopes, consented),
    retirements: retirementsFrom(letters, retirementsAt),
    accessTokens: accessTokensFrom(letters, tokensAt, scopes),
  }
}

function retiredFrom(
  letters: string,
  place: number,
  flags: number,
  scopes: string[],
  consented: readonly Permission[],
): Retired {
  return {
    hash: letters.slice(place, place + DIGEST) as Hash,
    nonce: countedAt(letters, place + HASH),
    answeredScope: (flags & HAS_SCOPE) === 0 ? consented : namesOf(scopes.shift() ?? ""),
  }
}

function retirementsFrom(letters: string, from: number): readonly Retirement[] {
  const retirements: Retirement[] = []
  for (let i = retirementCount(letters), place = from; i > 0; i--, place += RETIREMENT) {
    retirements.push({ generation: wideAt(letters, place), at: wideAt(letters, place + WIDE) })
  }
  return retirements
}

function accessTokensFrom(letters: string, from: number, scopes: string[]): readonly AccessToken[] {
  const tokens: AccessToken[] = []
  for (let i = numberAt(letters, 1), place = from; i > 0; i--, place += ACCESS_TOKEN) {
    tokens.push({
      hash: letters.slice(place, place + DIGEST) as Hash,
      issuedAt: wideAt(letters, place + HASH),
      expiresAt: wideAt(letters, place + HASH + WIDE),
      narrowedTo: isNarrowed(letters, place) ? namesOf(scopes.shift() ?? "") : null,
    })
  }
  return tokens
}

function retirementCount(letters: string): number {
  return numberAt(letters, 2) + ((numberAt(letters, 3) & HAS_MANY) === 0 ? 0 : MANY)
}

/** The scopes that stand behind the letters, in the order in which they are asked for. */
function scopesBehind(
  bytes: Uint8Array,
  letters: string,
  end: number,
  tokensAt: number,
  flags: number,
): string[] {
  let count = (flags & HAS_SCOPE) === 0 ? 0 : 1
  for (let place = tokensAt; place < end; place += ACCESS_TOKEN) if (isNarrowed(letters, place)) count++
  return count === 0 ? [] : tailAt(bytes, end).split("\n", count)
}

function isNarrowed(letters: string, token: number): boolean {
  return numberAt(letters, token + DIGEST) !== 0
}

function sameNames(some: readonly Permission[], others: readonly Permission[]): boolean {
  return some === others || (some.length === others.length && some.every((name, i) => name === others[i]))
}
