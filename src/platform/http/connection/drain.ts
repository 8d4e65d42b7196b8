/**
 * Closes a connection after an early response, before the request body was complete. An immediate close resets the
 * connection, and the client may lose the response. A proxy would treat this as a failed node. The service therefore
 * first reads and discards the rest of the body, within limits (RFC 9112 §9.6).
 */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { DISCARDED_BYTES_AT_MOST, DISCARDING_MS, EARLY_BODY_BYTES_AT_MOST } from "./limits.ts"

/** The client has this long to read the response and close the connection. Bytes that arrive meanwhile are ignored. */
const CLOSING_MILLISECONDS = 2_000

/** The part of `Incoming` (`incoming.ts`) that this file uses. */
type Body = IncomingMessage & {
  readonly discard: () => void
  readonly readWith: (reader: (piece: Buffer | null) => void) => void
}

/** Whether the rest of the body may still arrive. */
export function isStillComing({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
}

/** Whether the rest of a body is short. It is then discarded, and the connection stays open. */
export function isShort({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] === undefined &&
    Number(headers["content-length"] ?? 0) <= EARLY_BODY_BYTES_AT_MOST
  )
}

/** Calls `done` once: at the end of the body, at the limit of bytes, or after the timeout. */
export function drain(raw: Body, done: () => void): void {
  let left = DISCARDED_BYTES_AT_MOST
  let isDone = false
  const finish = () => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    raw.off("close", finish)
    raw.discard()
    done()
  }
  const timer = setTimeout(finish, DISCARDING_MS)
  raw.on("close", finish)
  raw.discard()
  raw.readWith((piece) => {
    left -= piece?.length ?? Infinity
    if (left < 0) finish()
  })
}

/** A closed socket with unread bytes resets the connection and loses unsent responses (RFC 9112 §9.6). */
export function endGently(socket: Socket): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), CLOSING_MILLISECONDS)
  socket.once("close", () => clearTimeout(timer))
}
