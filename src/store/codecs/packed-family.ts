/**
 * Encodes the refresh and access tokens of a credential as one packed column. docs/storage.md describes the layout. The
 * first letter is the version. Version 0 means that the column only reserves bytes.
 */
import type { Hash, Permission } from "../../kernel/ids.ts"
import {
  type AccessToken,
  type Family,
  NO_REPEATS,
  type Repeats,
  type Retired,
  type Retirement,
} from "../../model/credential.rules.ts"
import { namesOf, namesText } from "./names.ts"
import {
  counted,
  countedAt,
  countedLength,
  DIGEST_LETTERS,
  digestLetters,
  encodeUint6,
  decodeUint6,
  pack,
  PAIR_LATER,
  PAIR_LETTERS,
  tailAt,
  unpack,
  UINT36_LETTERS,
  encodeUint36,
  decodeUint36,
  writePair,
} from "./sextets.ts"

const VERSION = 1
const HEAD = 4
const HASH = DIGEST_LETTERS + 1
const RETIREMENT = PAIR_LETTERS
/** Earlier versions stored a nonce at this place. Its bytes are skipped. */
const NO_NONCE = counted("")
const ACCESS_TOKEN = HASH + PAIR_LETTERS

/** The letter after the digest of an access token. It says which texts of the token are stored, in this order. */
const IS_NARROWED = 1
const HAS_RESOURCES = 2

const HAS_RETIRED = 1
/**
 * Set if the last response had a different `scope` than the consent. This `scope` is stored as text after the letters.
 */
const HAS_SCOPE = 2
/** Set if the family has 64 retirements more than the letter of the count says. */
const HAS_MANY = 4
const MANY = 64
/** Set if refreshes were repeated. Their count and the repeats from other networks follow the access tokens. */
const HAS_REPEATS = 8
const REPEATS_HEAD = UINT36_LETTERS + 2
const ELSEWHERE = PAIR_LETTERS
/** Set if the access token of the last response was a JWT. Its end follows the retired token, and its API is a text. */
const HAS_JWT = 16
const JWT = UINT36_LETTERS + 2

/** The packed part of a family. The other members have columns of their own. */
export type PackedFamily = Omit<Family, "generation" | "rotatedAt" | "rotatedFrom">

export function familyBytes(family: PackedFamily, consented: readonly Permission[]): Uint8Array {
  const { accessTokens, retired, retirements, repeats } = family
  const texts: string[] = []
  let flags = 0
  let letters = digestLetters(family.currentHash) + "A" + counted(family.key)
  if (retired !== null) {
    flags = HAS_RETIRED
    letters += digestLetters(retired.hash) + "A" + NO_NONCE
    if (!sameNames(retired.answeredScope, consented)) {
      flags |= HAS_SCOPE
      texts.push(namesText(retired.answeredScope))
    }
    if (retired.jwt !== undefined) {
      flags |= HAS_JWT
      letters += `${encodeUint36(retired.jwt.expiresAt)}AA`
      texts.push(retired.jwt.resource)
    }
  }
  const retirementsAt = HEAD + letters.length
  letters += PAIR_LATER.repeat(retirements.length)
  for (const { hash, narrowedTo, resources } of accessTokens) {
    letters +=
      digestLetters(hash) +
      encodeUint6((narrowedTo === null ? 0 : IS_NARROWED) + (resources === undefined ? 0 : HAS_RESOURCES)) +
      PAIR_LATER
    if (narrowedTo !== null) texts.push(namesText(narrowedTo))
    if (resources !== undefined) texts.push(resourcesText(resources))
  }
  if (repeats.count > 0) {
    flags |= HAS_REPEATS
    letters += encodeUint36(repeats.count) + encodeUint6(repeats.elsewhere.length) + "A"
    for (const { generation, at, from, firstFrom } of repeats.elsewhere) {
      letters += encodeUint36(generation) + encodeUint36(at)
      texts.push(`${from} ${firstFrom}`)
    }
  }
  if (retirements.length >= MANY) flags |= HAS_MANY
  const head =
    encodeUint6(VERSION) +
    encodeUint6(accessTokens.length) +
    encodeUint6(retirements.length % MANY) +
    encodeUint6(flags)
  // The last line ends with a line break, because reserved bytes may follow it.
  const bytes = pack(head + letters, texts.length === 0 ? "" : `${texts.join("\n")}\n`)
  writeTimes(bytes, retirementsAt, family)
  return bytes
}

/** An empty list would mean that the token is valid everywhere. No request can ask for one. */
function resourcesText(resources: readonly string[]): string {
  if (resources.length === 0) throw new Error("an access token has an empty list of resources")
  return resources.join(" ")
}

function writeTimes(bytes: Uint8Array, from: number, { retirements, accessTokens }: PackedFamily): void {
  let place = from
  for (const { generation, at } of retirements) {
    writePair(bytes, place, generation, at)
    place += RETIREMENT
  }
  for (const { issuedAt, expiresAt } of accessTokens) {
    writePair(bytes, place + HASH, issuedAt, expiresAt)
    place += ACCESS_TOKEN
  }
}

/**
 * Decodes a family. Returns null if the column only reserves bytes. A `scope` that is not stored is replaced by
 * `consented`.
 */
export function familyFrom(bytes: Uint8Array, consented: readonly Permission[]): PackedFamily | null {
  const letters = unpack(bytes)
  const version = decodeUint6(letters, 0)
  if (version === 0) return null
  if (version !== VERSION) throw new Error(`a family is packed as version ${version}, which does not exist`)
  const flags = decodeUint6(letters, 3)
  let place = HEAD
  const currentHash = letters.slice(place, place + DIGEST_LETTERS) as Hash
  place += HASH
  const key = countedAt(letters, place)
  place += countedLength(letters, place)
  const retiredAt = place
  if ((flags & HAS_RETIRED) !== 0) place += HASH + countedLength(letters, place + HASH)
  if ((flags & HAS_JWT) !== 0) place += JWT
  const retirementsAt = place
  place += retirementCount(letters) * RETIREMENT
  const tokensAt = place
  place += decodeUint6(letters, 1) * ACCESS_TOKEN
  const repeatsAt = place
  if ((flags & HAS_REPEATS) !== 0) place += REPEATS_HEAD + elsewhereCount(letters, repeatsAt) * ELSEWHERE
  if (place > letters.length) throw new Error("a packed family is cut short")
  const texts = textsBehind(bytes, letters, place, tokensAt, repeatsAt, flags)
  return {
    currentHash,
    key,
    retired: (flags & HAS_RETIRED) === 0 ? null : retiredFrom(letters, retiredAt, flags, texts, consented),
    retirements: retirementsFrom(letters, retirementsAt),
    accessTokens: accessTokensFrom(letters, tokensAt, texts),
    repeats: (flags & HAS_REPEATS) === 0 ? NO_REPEATS : repeatsFrom(letters, repeatsAt, texts),
  }
}

function retiredFrom(
  letters: string,
  place: number,
  flags: number,
  texts: string[],
  consented: readonly Permission[],
): Retired {
  const answeredScope = (flags & HAS_SCOPE) === 0 ? consented : namesOf(texts.shift() ?? "")
  const jwtAt = place + HASH + countedLength(letters, place + HASH)
  return {
    hash: letters.slice(place, place + DIGEST_LETTERS) as Hash,
    answeredScope,
    ...((flags & HAS_JWT) !== 0 && {
      jwt: { resource: texts.shift() ?? "", expiresAt: decodeUint36(letters, jwtAt) },
    }),
  }
}

function retirementsFrom(letters: string, from: number): readonly Retirement[] {
  const retirements: Retirement[] = []
  for (let i = retirementCount(letters), place = from; i > 0; i--, place += RETIREMENT) {
    retirements.push({
      generation: decodeUint36(letters, place),
      at: decodeUint36(letters, place + UINT36_LETTERS),
    })
  }
  return retirements
}

function accessTokensFrom(letters: string, from: number, texts: string[]): readonly AccessToken[] {
  const tokens: AccessToken[] = []
  for (let i = decodeUint6(letters, 1), place = from; i > 0; i--, place += ACCESS_TOKEN) {
    const has = textsOf(letters, place)
    tokens.push({
      hash: letters.slice(place, place + DIGEST_LETTERS) as Hash,
      issuedAt: decodeUint36(letters, place + HASH),
      expiresAt: decodeUint36(letters, place + HASH + UINT36_LETTERS),
      narrowedTo: (has & IS_NARROWED) === 0 ? null : namesOf(texts.shift() ?? ""),
      ...((has & HAS_RESOURCES) !== 0 && { resources: (texts.shift() ?? "").split(" ") }),
    })
  }
  return tokens
}

function retirementCount(letters: string): number {
  return decodeUint6(letters, 2) + ((decodeUint6(letters, 3) & HAS_MANY) === 0 ? 0 : MANY)
}

function elsewhereCount(letters: string, repeatsAt: number): number {
  return decodeUint6(letters, repeatsAt + UINT36_LETTERS)
}

function repeatsFrom(letters: string, from: number, texts: string[]): Repeats {
  const elsewhere = Array.from({ length: elsewhereCount(letters, from) }, (_, i) => {
    const place = from + REPEATS_HEAD + i * ELSEWHERE
    const [address = "", firstFrom = ""] = (texts.shift() ?? "").split(" ")
    return {
      generation: decodeUint36(letters, place),
      at: decodeUint36(letters, place + UINT36_LETTERS),
      from: address,
      firstFrom,
    }
  })
  return { count: decodeUint36(letters, from), elsewhere }
}

/** Reads the lines after the letters. The lines are in the order in which they are needed. */
function textsBehind(
  bytes: Uint8Array,
  letters: string,
  end: number,
  tokensAt: number,
  repeatsAt: number,
  flags: number,
): string[] {
  let count = ((flags & HAS_SCOPE) === 0 ? 0 : 1) + ((flags & HAS_JWT) === 0 ? 0 : 1)
  for (let place = tokensAt; place < repeatsAt; place += ACCESS_TOKEN) {
    const has = textsOf(letters, place)
    count += (has & IS_NARROWED) + ((has & HAS_RESOURCES) === 0 ? 0 : 1)
  }
  if ((flags & HAS_REPEATS) !== 0) count += elsewhereCount(letters, repeatsAt)
  return count === 0 ? [] : tailAt(bytes, end).split("\n", count)
}

function textsOf(letters: string, token: number): number {
  return decodeUint6(letters, token + DIGEST_LETTERS)
}

function sameNames(some: readonly Permission[], others: readonly Permission[]): boolean {
  return some === others || (some.length === others.length && some.every((name, i) => name === others[i]))
}
