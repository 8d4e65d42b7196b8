/** Reads the whole body of a request, up to the limit of its route. */
import { ByteCollector } from "./byte-collector.ts"
import type { Incoming } from "./incoming.ts"

/** It exceeds the limit of its route, or all bodies together exceed the limit of the process. */
type Unread = "bodyTooLarge" | "noRoom"

const EMPTY = Buffer.alloc(0)

/** Calls `done` once. Passes the whole body, or the reason as soon as the body is refused. */
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
