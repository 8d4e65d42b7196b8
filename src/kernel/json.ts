/**
 * A strict JSON parser (RFC 8259) for untrusted request bodies. It rejects a repeated member name, because other
 * parsers keep different values. An object becomes a `Map`, so that `__proto__` is an ordinary name. The parser limits
 * the nesting. Its caller limits the length.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

const DEPTH_AT_MOST = 16

/** Returns undefined for invalid JSON, a repeated member name, a lone surrogate, or nesting that is too deep. */
export function parseJson(text: string): Json | undefined {
  return readJson(text).value
}

/** Parses `text` like `parseJson`. Also returns the member name that is repeated. */
export function readJson(text: string): {
  readonly value: Json | undefined
  readonly repeated: string | null
} {
  const reader = new Reader(text)
  const value = reader.value(DEPTH_AT_MOST)
  const isWhole = value !== undefined && reader.isAtEnd()
  return { value: isWhole ? value : undefined, repeated: reader.repeated }
}

const SPACE = /[\t\n\r ]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const STRING = /"[^"\\\p{Cc}]*(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\p{Cc}]*)*"/uy
const WORD = /true|false|null/y

const words: ReadonlyMap<string, Json> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
])

/** A recursive-descent parser. Its methods return undefined for invalid JSON. */
class Reader {
  readonly #text: string
  #at = 0
  repeated: string | null = null

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    this.#token(SPACE)
    return this.#at === this.#text.length
  }

  value(depth: number): Json | undefined {
    this.#token(SPACE)
    switch (this.#text.charAt(this.#at)) {
      case "{":
        return depth === 0 ? undefined : this.#object(depth - 1)
      case "[":
        return depth === 0 ? undefined : this.#array(depth - 1)
      case '"':
        return this.#string()
      case "t":
      case "f":
      case "n":
        return words.get(this.#token(WORD) ?? "")
    }
    const number = this.#token(NUMBER)
    return number === undefined ? undefined : Number(number)
  }

  #object(depth: number): JsonObject | undefined {
    const members = new Map<string, Json>()
    const read = () => {
      const name = this.#string()
      if (name === undefined || !this.#sign(":")) return false
      if (members.has(name)) {
        this.repeated = name
        return false
      }
      const value = this.value(depth)
      if (value === undefined) return false
      members.set(name, value)
      return true
    }
    return this.#list("}", read) ? members : undefined
  }

  #array(depth: number): readonly Json[] | undefined {
    const items: Json[] = []
    const read = () => {
      const item = this.value(depth)
      if (item === undefined) return false
      items.push(item)
      return true
    }
    return this.#list("]", read) ? items : undefined
  }

  #list(end: string, read: () => boolean): boolean {
    this.#at += 1
    if (this.#sign(end)) return true
    do {
      this.#token(SPACE)
      if (!read()) return false
    } while (this.#sign(","))
    return this.#sign(end)
  }

  #string(): string | undefined {
    const token = this.#token(STRING)
    if (token === undefined) return undefined
    const text = token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1)
    return text.isWellFormed() ? text : undefined
  }

  #sign(sign: string): boolean {
    this.#token(SPACE)
    if (this.#text[this.#at] !== sign) return false
    this.#at += 1
    return true
  }

  #token(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const token = pattern.exec(this.#text)?.[0]
    if (token !== undefined) this.#at += token.length
    return token
  }
}
