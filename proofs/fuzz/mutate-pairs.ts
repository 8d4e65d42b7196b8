/** Spoils parameters of a query, of a form or of cookies. */
import type { Choice } from "../choice.ts"
import { escaped, type Pair } from "./draft.ts"
import { forgeJwt } from "./mutate-jwt.ts"
import { BROKEN_ESCAPES, escapedWord, long, PROTOTYPE_NAMES, spoiled, word } from "./words.ts"

/** The share of changes to a JWT that forge it. The others treat it like any text. */
export const FORGED = 0.7
/** A form may not have this many parameters. */
const MANY = 101

/** `foreign` are parameters of other requests. */
export function mutatePairs(
  choice: Choice,
  pairs: readonly Pair[],
  separator: "&" | ";",
  foreign: readonly Pair[] = [],
): readonly Pair[] {
  const at = pairs.length === 0 ? 0 : choice.below(pairs.length)
  const [name, value] = pairs[at] ?? ["client_id", ""]
  const instead = (...these: readonly Pair[]) => pairs.toSpliced(at, 1, ...these)
  const jwt = forgeJwt(choice, value)
  if (jwt !== null && choice.chance(FORGED)) return instead([name, jwt])
  switch (choice.below(18)) {
    case 0:
      return instead()
    case 1:
      return [...pairs, [name, value]]
    case 2:
      return [[name, escapedWord(choice)], ...pairs]
    case 3:
      return [...pairs, [name, escapedWord(choice)]]
    case 4:
      return instead([spoiled(choice, name), value])
    case 5:
      return [...pairs, [escaped(choice.one(PROTOTYPE_NAMES)), escapedWord(choice)]]
    case 6:
      return instead([choice.one([`${name}[]`, `${name}[0]`, `${name}%00`, `%${name}`, `%20${name}`]), value])
    case 7:
    case 8:
    case 9:
    case 10:
      return instead([name, escapedWord(choice)])
    case 11:
    case 12:
      return instead([name, spoiled(choice, value)])
    case 13:
      return instead([name, value + choice.one(BROKEN_ESCAPES)])
    case 14: {
      const [, other] = choice.one(pairs.length === 0 ? [["", ""] as const] : pairs)
      return instead([name, other])
    }
    case 15:
      return choice.chance(0.2)
        ? [...pairs, ...Array.from({ length: MANY }, (_, of): Pair => [`n${of}`, "1"])]
        : [...pairs, ...foreign]
    case 16:
      return instead([name, `${value}${separator}${name}=${escapedWord(choice)}`])
    default:
      return choice.chance(0.3)
        ? instead([name, escaped(long(choice))])
        : [...pairs, [escaped(word(choice)), escapedWord(choice)]]
  }
}
