/** Reading the body of a request: all of it, and never more than its address takes. */
import { ByteCollector } from "./byte-collector.ts"
import type { Incoming } from "./incoming.ts"

/** Why a body is not read: it is longer than its address takes, or the process holds too much of others. */
export type Unread = "bodyTooLarge" | "noRoom"

const EMPTY = Buffer.alloc(0)

/** Calls `done` once, with the whole body, or as soon as it is known that it is not read. */
export function readBody(raw: Incoming, limit: number, done: (body: Buffer | Unread) => void): void {
  const announced = raw.headers["content-length"]
  if (announced === undefined && raw.headers["transfer-encoding"] === undefined) return done(EMPTY)
  if (announced !== undefined && Number(announced) > limit) return done("bodyTooLarge")
  if (raw.lacksRoom) return done("noRoom")
  const body = new ByteCollector()
  const refuse = (reason: Unread) => {
    raw.discard()
    done(reason)
  }
  raw.readWith((piece) => {
    if (piece === null) {
      raw.release()
      return done(body.bytes())
    }
    if (body.length + piece.length > limit) return refuse("bodyTooLarge")
    body.add(piece)
    if (!raw.holds(body.capacity)) refuse("noRoom")
  })
}
