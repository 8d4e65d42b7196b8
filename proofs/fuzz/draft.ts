/**
 * A request in parts, so that one part can be spoiled while the others stay valid. Each character of a text is one byte
 * (Latin 1), as it is sent. `utf8` converts an ordinary text to this form.
 */
export type Pair = readonly [name: string, value: string]

/** A part of a form with a file. Its head is written as it is sent. */
export type Part = { readonly head: string; readonly content: string }

export type Body =
  | { readonly kind: "none" }
  | { readonly kind: "form"; readonly pairs: readonly Pair[] }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "parts"; readonly boundary: string; readonly parts: readonly Part[] }
  | { readonly kind: "bytes"; readonly bytes: string }

export type Draft = {
  readonly name: string
  readonly method: string
  /** The path up to the question mark. */
  readonly path: string
  /** Parameters as they appear in the query, in cookies and in forms. They are already escaped. */
  readonly query: readonly Pair[]
  readonly cookies: readonly Pair[]
  /** The headers, except those that `encode` adds: Host, the request id, cookies and the length. */
  readonly headers: readonly Pair[]
  readonly body: Body
  readonly isChunked: boolean
  readonly version: string
  /** The weight with which this request is chosen. A weight of 0 means that it is sent only once. */
  readonly weight: number
}

export type Encoded = {
  readonly head: string
  readonly body: string
  /** Whether HTTP allows every part of the request. It then gets one response, and the connection continues. */
  readonly isSound: boolean
}

export function utf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1")
}

/** Escapes bytes as `application/x-www-form-urlencoded` does. */
export function escaped(bytes: string): string {
  return bytes.replaceAll(
    /[^A-Za-z0-9._~-]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  )
}

export function pairsOf(fields: Readonly<Record<string, string>>): readonly Pair[] {
  return Object.entries(fields).map(([name, value]) => [escaped(utf8(name)), escaped(utf8(value))])
}

export function joined(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => (value === "" ? `${name}=` : `${name}=${value}`)).join("&")
}

export const FORM = "application/x-www-form-urlencoded"

export function bodyText(body: Body): string {
  switch (body.kind) {
    case "none":
      return ""
    case "form":
      return joined(body.pairs)
    case "json":
      return utf8(JSON.stringify(body.value) ?? "")
    case "parts":
      return `${body.parts.map(({ head, content }) => `--${body.boundary}\r\n${head}\r\n\r\n${content}\r\n`).join("")}--${body.boundary}--\r\n`
    case "bytes":
      return body.bytes
  }
}

/** Builds the bytes of a request. `always` are the headers that every request of the run has. */
export function encode(draft: Draft, always: readonly Pair[]): Encoded {
  const { query, cookies, version, body } = draft
  const target = draft.path + (query.length === 0 ? "" : `?${joined(query)}`)
  const text = bodyText(body)
  const jar = cookies.map(([name, value]) => `${name}=${value}`).join("; ")
  const headers: Pair[] = [...always, ...draft.headers]
  if (cookies.length > 0) headers.push(["Cookie", jar])
  if (body.kind !== "none")
    headers.push(draft.isChunked ? ["Transfer-Encoding", "chunked"] : ["Content-Length", String(text.length)])
  const head = `${draft.method} ${target} HTTP/${version}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`
  return {
    head,
    body: body.kind !== "none" && draft.isChunked ? chunked(text) : text,
    isSound: isSound(draft, target, headers, head.length),
  }
}

/** Encodes a text in chunks of different sizes. */
export function chunked(text: string): string {
  let written = ""
  for (let at = 0, size = 7; at < text.length; at += size, size = Math.min(size * 3, 16_384)) {
    const piece = text.slice(at, at + size)
    written += `${piece.length.toString(16)}\r\n${piece}\r\n`
  }
  return `${written}0\r\n\r\n`
}

/** A longer head may be refused for its size. Node accepts 16 KiB. */
const HEAD_BYTES_SURELY_TAKEN = 15_000

const METHODS: ReadonlySet<string> = new Set(
  "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND SEARCH REPORT LINK COPY LOCK MKCOL".split(" "),
)
/** These headers affect HTTP itself and often close the connection. */
const FRAMING = /^(?:host|connection|upgrade|expect|content-length|transfer-encoding|trailer|te|keep-alive)$/i

function isSound(
  { method, version, headers: given }: Draft,
  target: string,
  headers: readonly Pair[],
  bytes: number,
): boolean {
  return (
    METHODS.has(method) &&
    version === "1.1" &&
    bytes < HEAD_BYTES_SURELY_TAKEN &&
    /^(?:\/|https?:\/\/[a-z0-9.:]+(?:[/?]|$))[\x21-\x7e]*$/.test(target) &&
    headers.every(
      ([name, value]) =>
        /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
    ) &&
    !given.some(([name]) => FRAMING.test(name))
  )
}
