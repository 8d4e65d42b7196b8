/**
 * Reads responses from a connection as strictly as RFC 9112 demands. Everything that a tolerant reader might understand
 * in two ways is an error.
 */

export type Answer = {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly cookies: readonly string[]
  /** The head as it arrived. Each character is one byte. */
  readonly head: string
  readonly body: string
  /** Whether the response is an endless stream of which only the beginning was read. */
  readonly isEndless: boolean
}

export class Malformed extends Error {}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]*$/
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\x20-\x7e]*)$/

type Head = Pick<Answer, "status" | "headers" | "cookies" | "head">

export class AnswerReader {
  #pending: Buffer = Buffer.alloc(0)
  #head: Head | null = null

  feed(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
  }

  /** The bytes that arrived and belong to no response yet. */
  get rest(): string {
    return (this.#head?.head ?? "") + this.#pending.toString("latin1")
  }

  get isAtStart(): boolean {
    return this.#head === null && this.#pending.length === 0
  }

  /**
   * Returns the next final response to a request with `method`. Returns null until it is complete. Throws `Malformed`.
   */
  next(method: string): Answer | null {
    for (;;) {
      this.#head ??= this.#takeHead()
      if (this.#head === null) return null
      // An interim response comes before the final response.
      if (this.#head.status < 200) {
        this.#head = null
        continue
      }
      const taken = this.#takeBody(this.#head, method)
      if (taken === null) return null
      const answer = { ...this.#head, ...taken }
      this.#head = null
      return answer
    }
  }

  #takeHead(): Head | null {
    const end = this.#pending.indexOf("\r\n\r\n")
    if (end < 0) return null
    const head = this.#pending.toString("latin1", 0, end)
    this.#pending = this.#pending.subarray(end + 4)
    return parseHead(head)
  }

  #takeBody({ status, headers }: Head, method: string): Pick<Answer, "body" | "isEndless"> | null {
    if (method === "HEAD" || status === 204 || status === 304) return { body: "", isEndless: false }
    if (
      !["content-length", "transfer-encoding"].some((name) => headers.has(name)) &&
      headers.get("connection") !== "close"
    )
      throw new Malformed("a body without an end")
    if (headers.get("content-type") === "text/event-stream")
      return { body: this.#takeStream(), isEndless: true }
    const length = headers.get("content-length")
    const body = length === undefined ? this.#takeChunks() : this.#takeLength(Number(length))
    return body === null ? null : { body, isEndless: false }
  }

  /** Takes what has arrived of a stream. All further bytes of the connection belong to it. */
  #takeStream(): string {
    const [body] = this.#chunks()
    this.#pending = Buffer.alloc(0)
    return body
  }

  #takeLength(length: number): string | null {
    if (this.#pending.length < length) return null
    const body = this.#pending.toString("latin1", 0, length)
    this.#pending = this.#pending.subarray(length)
    return body
  }

  #takeChunks(): string | null {
    const [body, end] = this.#chunks()
    if (end === null) return null
    this.#pending = this.#pending.subarray(end)
    return body
  }

  /**
   * Returns the content of the complete chunks and the position of their end. The end is null if more chunks must
   * follow.
   */
  #chunks(): readonly [body: string, end: number | null] {
    let body = ""
    for (let at = 0; ;) {
      const end = this.#pending.indexOf("\r\n", at)
      if (end < 0) return [body, null]
      const size = this.#pending.toString("latin1", at, end)
      if (!/^[0-9a-f]{1,8}$/i.test(size)) throw new Malformed(`a chunk of size ${JSON.stringify(size)}`)
      const length = Number.parseInt(size, 16)
      const next = end + 2 + length
      if (this.#pending.length < next + 2) return [body, null]
      if (this.#pending.toString("latin1", next, next + 2) !== "\r\n")
        throw new Malformed("a chunk without an end")
      body += this.#pending.toString("latin1", end + 2, next)
      at = next + 2
      if (length === 0) return [body, at]
    }
  }
}

function parseHead(head: string): Head {
  const [first = "", ...lines] = head.split("\r\n")
  const status = Number(STATUS_LINE.exec(first)?.[1] ?? 0)
  if (status === 0) throw new Malformed(`a status line ${JSON.stringify(first)}`)
  const headers = new Map<string, string>()
  const cookies: string[] = []
  for (const line of lines) {
    const [, name, value = ""] = HEADER.exec(line) ?? []
    if (name === undefined) throw new Malformed(`a header line ${JSON.stringify(line)}`)
    const key = name.toLowerCase()
    if (key === "set-cookie") cookies.push(value)
    else if (headers.has(key)) throw new Malformed(`${name} twice`)
    else headers.set(key, value)
  }
  if (status >= 200) checkFraming(status, headers)
  return { status, headers, cookies, head }
}

/** Checks that there is at most one way to find the end of the body. RFC 9112 §6.3. */
function checkFraming(status: number, headers: ReadonlyMap<string, string>): void {
  const length = headers.get("content-length")
  const coding = headers.get("transfer-encoding")
  if (status === 204 && (length !== undefined || coding !== undefined))
    throw new Malformed("a length with 204")
  if (length !== undefined && coding !== undefined) throw new Malformed("two ways to end a body")
  if (length !== undefined && !/^\d{1,9}$/.test(length)) throw new Malformed(`a length of ${length}`)
  if (coding !== undefined && coding !== "chunked") throw new Malformed(`an encoding ${coding}`)
}
