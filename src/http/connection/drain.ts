/**
 * Closes a connection whose request was answered before its body was complete. An immediate close would reset the
 * connection, and the client may lose the answer. A proxy would take that for a failed node. So the service reads and
 * discards the rest of the body first, within limits (RFC 9112 §9.6).
 */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { DISCARDED_BYTES_AT_MOST, DISCARDING_MS, EARLY_BODY_BYTES_AT_MOST } from "./limits.ts"

/**
 * The maximum time for the client to read the answer and close the connection. Bytes that arrive meanwhile are ignored.
 */
const CLOSING_MILLISECONDS = 2_000

/** The part of `Incoming` (`incoming.ts`) that is used here. */
type Body = IncomingMessage & {
  readonly discard: () => void
  readonly readWith: (reader: (piece: Buffer | null) => void) => void
}

/** Whether the rest of the body may still arrive. */
export function isStillComing({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
}

/** Whether the rest of a body is short enough to discard it and keep the connection open. */
export function isShort({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] === undefined &&
    Number(headers["content-length"] ?? 0) <= EARLY_BODY_BYTES_AT_MOST
  )
}

/** Calls `done` once: at the end of the body, above the limit of bytes, or after the timeout. */
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

/**
 * Lets the client read the answers and close. Closing a socket with unread bytes resets the connection, and answers
 * that are still on their way are lost (RFC 9112 §9.6).
 */
export function endGently(socket: Socket): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), CLOSING_MILLISECONDS)
  socket.once("close", () => clearTimeout(timer))
}
