/**
 * The service secrets that a process holds: the one in force, and one that replaces it or was replaced. Everything is
 * sealed with the secret in force. Only that one opens what a browser brings back, because a former one may have leaked.
 * What the database stores opens with any of them, until it is sealed again.
 */
import { deriveKeys, type Keys } from "../../../kernel/keys.ts"
import { sameCharacters } from "../../../kernel/constant-time.ts"

export class KeyRing implements Keys {
  readonly #held = new Map<string, Keys>()
  #current: Keys

  constructor(secrets: readonly [Buffer, ...Buffer[]]) {
    const [first, ...others] = secrets
    this.#current = this.hold(first)
    for (const secret of others) this.hold(secret)
  }

  get checkValue(): string {
    return this.#current.checkValue
  }

  /** The check values of all secrets of this process. */
  get holds(): readonly string[] {
    return [...this.#held.keys()]
  }

  hold(secret: Buffer): Keys {
    const keys = deriveKeys(secret)
    const known = this.#held.get(keys.checkValue)
    if (known !== undefined) return known
    this.#held.set(keys.checkValue, keys)
    return keys
  }

  /** Takes the secret with this check value. Returns false if the process does not hold it. */
  take(checkValue: string): boolean {
    const keys = [...this.#held.values()].find((one) => sameCharacters(one.checkValue, checkValue))
    if (keys === undefined) return false
    this.#current = keys
    return true
  }

  seal(purpose: string, content: string): string {
    return this.#current.seal(purpose, content)
  }

  /** Removes every secret but the one in force and `next`. */
  forgetReplaced(next: Buffer | null): void {
    const kept = next === null ? null : this.hold(next).checkValue
    for (const checkValue of this.holds)
      if (checkValue !== this.checkValue && checkValue !== kept) this.#held.delete(checkValue)
  }

  open(purpose: string, text: string): string | null {
    return this.#current.open(purpose, text)
  }

  openStored(purpose: string, text: string): string | null {
    const opened = this.#current.open(purpose, text)
    if (opened !== null || this.#held.size === 1) return opened
    for (const keys of this.#held.values()) {
      const content = keys === this.#current ? null : keys.open(purpose, text)
      if (content !== null) return content
    }
    return null
  }
}
