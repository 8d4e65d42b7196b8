/** Reading the body of a request: all of it, and never more than its address takes. */
import type { Incoming } from "./incoming.ts"

const EMPTY = Buffer.alloc(0)

/** Calls `done` once, with the whole body, or with null as soon as it is known to be longer than `limit` bytes. */
export function readBody(raw: Incoming, limit: number, done: (body: Buffer | null) => void): void {
  const announced = raw.headers["content-length"]
  if (announced === undefined && raw.headers["transfer-encoding"] === undefined) return done(EMPTY)
  if (announced !== undefined && Number(announced) > limit) return done(null)
  let first: Buffer | null = null
  let chunks: Buffer[] | null = null
  let length = 0
  raw.readWith((chunk) => {
    if (chunk === null) return done(chunks === null ? (first ?? EMPTY) : Buffer.concat(chunks, length))
    length += chunk.length
    if (length > limit) {
      // The rest is a stream's again, for whoever reads it out.
      raw.reader = null
      done(null)
    } else if (first === null) first = chunk
    else (chunks ??= [first]).push(chunk)
  })
}
