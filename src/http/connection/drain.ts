/**
 * The end of a connection whose request was answered before it was whole. Closing at once would reset it: what is still
 * under way arrives at a closed socket, and the other side may lose the answer for it. A proxy takes that for a node that
 * failed. So the rest is read and thrown away first, within bounds (RFC 9112 §9.6).
 */
import type { IncomingMessage } from "node:http"
import { DISCARDED_BYTES_AT_MOST, DISCARDING_MS, EARLY_BODY_BYTES_AT_MOST } from "./limits.ts"

/** A request as it is read: `incoming.ts`. */
type Body = IncomingMessage & {
  readonly discard: () => void
  readonly readWith: (reader: (piece: Buffer | null) => void) => void
}

/** Whether more of the body may come. */
export function isStillComing({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
}

/** Whether the rest of a body is short enough to be thrown away on a connection that stays open. */
export function isShort({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] === undefined &&
    Number(headers["content-length"] ?? 0) <= EARLY_BODY_BYTES_AT_MOST
  )
}

/** Calls `done` once, when nothing more comes, or when too much does or it takes too long. */
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
