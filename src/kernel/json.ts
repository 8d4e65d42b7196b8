/**
 * Strict JSON (RFC 8259), for bodies of strangers. Written out because `JSON.parse` keeps the last of two members with one
 * name, where another reader keeps the first, and makes objects that inherit: here a name twice is no JSON, an object is a
 * `Map`, so that `__proto__` is a name like any other, and depth is bounded. The length is bounded where the body is read.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

const DEPTH_AT_MOST = 16

/** The value that `text` writes; undefined where it is not JSON, names a member twice, or holds half a character. */
export function parseJson(text: string): Json | undefined {
  return readJson(text).value
}

/** The same, with the name that stands twice, if that is what is wrong. */
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

/** Reads on from where it stands. Undefined from any of its methods: this is not JSON. */
class Reader {
  readonly #text: string
  #at = 0
  /** A name that an object has twice; null where none was met. */
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

  /** From the opening bracket to the closing one; `read` takes one entry. */
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
