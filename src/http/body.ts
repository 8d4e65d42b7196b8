/** Reading the body of a request: all of it, and never more than its address takes. */
import type { IncomingMessage } from "node:http"

const EMPTY = Buffer.alloc(0)

/** Calls `done` once, with the whole body, or with null as soon as it is known to be longer than `limit` bytes. */
export function readBody(raw: IncomingMessage, limit: number, done: (body: Buffer | null) => void): void {
  const announced = raw.headers["content-length"]
  if (announced !== undefined) return readLength(raw, Number(announced), limit, done)
  if (raw.headers["transfer-encoding"] === undefined) return done(EMPTY)
  readToEnd(raw, limit, done)
}

/** The body is whole with its last byte: there is no need to wait until Node says so as well. */
function readLength(
  raw: IncomingMessage,
  length: number,
  limit: number,
  done: (body: Buffer | null) => void,
): void {
  if (length > limit) return done(null)
  if (length === 0) return done(EMPTY)
  let chunks: Buffer[] | null = null
  let missing = length
  raw.on("data", (chunk: Buffer) => {
    missing -= chunk.length
    if (missing === 0 && chunks === null) return done(chunk)
    ;(chunks ??= []).push(chunk)
    if (missing === 0) done(Buffer.concat(chunks, length))
  })
}

/** In chunks: how long it is, is known at its end. */
function readToEnd(raw: IncomingMessage, limit: number, done: (body: Buffer | null) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  raw.on("data", (chunk: Buffer) => {
    if (length > limit) return
    length += chunk.length
    if (length > limit) done(null)
    else chunks.push(chunk)
  })
  raw.on("end", () => {
    if (length <= limit) done(Buffer.concat(chunks, length))
  })
}
