/** Counts the forms of the imported hashes. A failed sign-in then imitates the most frequent one. MOVE-4. */
import { NO_PASSWORD } from "../../model/account.rules.ts"
import { isImportedHash } from "../../model/moved/password-hash.rules.ts"
import { randomBytes } from "../../kernel/random.ts"

export class HashCensus {
  readonly #counts = new Map<string, number>()

  add(hash: string | null): void {
    if (hash === null || hash === NO_PASSWORD || !isImportedHash(hash)) return
    const form = formOf(hash)
    this.#counts.set(form, (this.#counts.get(form) ?? 0) + 1)
  }

  /** Returns a hash of the most frequent form that no password matches. Returns null if no hash was counted. */
  imitation(): string | null {
    const [first] = [...this.#counts].toSorted(([, a], [, b]) => b - a)
    if (first === undefined) return null
    return first[0].replace(/\d+#/g, (length) => randomLetters(Number.parseInt(length, 10)))
  }
}

/** Replaces salt and tag by their lengths. The rest is what a check costs. */
function formOf(hash: string): string {
  const parts = hash.split("$")
  const kept = parts[1]?.startsWith("2") === true ? 3 : parts.length - 2
  return parts.map((part, at) => (at < kept ? part : `${part.length}#`)).join("$")
}

/** Letters of every alphabet of base64. */
function randomLetters(length: number): string {
  return randomBytes(length).toString("base64").replace(/[+/=]/g, "A").slice(0, length)
}
