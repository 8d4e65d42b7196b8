/**
 * A refresh that is repeated in the grace period returns the same pair again. The credential counts such repeats. A
 * repeat from another network is recorded, because the token may have been copied. Interface CRED-5.
 */
import { type Change, eventRecorded } from "../../../model/change.rules.ts"
import type { Credential, Family, RepeatElsewhere } from "../../../model/credential.rules.ts"
import { REPEATS_ELSEWHERE_KEPT } from "../../../kernel/limits.ts"

export type Repeat = {
  readonly now: number
  readonly address: string
  /** Returns the network of an address: an IPv4 address itself, or the /64 prefix of an IPv6 address. */
  readonly networkOf: (address: string) => string
}

/** Counts a repeat. Records an event once for each retirement and network. */
export function repeated(credential: Credential, repeat: Repeat): readonly Change[] {
  const { life, consent } = credential
  if (life.state !== "active") return []
  const { family } = life
  const entry = newEntry(family, repeat)
  const { count, elsewhere } = family.repeats
  const repeats = {
    count: count + 1,
    elsewhere: entry === null ? elsewhere : [entry, ...elsewhere].slice(0, REPEATS_ELSEWHERE_KEPT),
  }
  const stored: Change = {
    change: "credentialChanged",
    credential: { ...credential, life: { ...life, family: { ...family, repeats } } },
  }
  if (entry === null) return [stored]
  const { userId, clientId, tokenId } = consent
  const facts = { userId, clientId, tokenId, address: entry.from, detail: `first from ${entry.firstFrom}` }
  return [stored, eventRecorded("refresh-repeated-elsewhere", repeat.now, facts)]
}

/** Null for the network of the rotation, for a recorded or unknown network, and above the limit. */
function newEntry(
  { generation, rotatedFrom, repeats }: Family,
  { now, address, networkOf }: Repeat,
): RepeatElsewhere | null {
  if (address === "" || rotatedFrom === null || rotatedFrom === "") return null
  const known = repeats.elsewhere.filter((one) => one.generation === generation).map(({ from }) => from)
  const network = networkOf(address)
  const isKnown = [rotatedFrom, ...known].some((one) => networkOf(one) === network)
  if (isKnown || known.length >= REPEATS_ELSEWHERE_KEPT) return null
  return { generation, at: now, from: address, firstFrom: rotatedFrom }
}
