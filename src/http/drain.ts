/**
 * The end of a connection whose request was answered before it was whole. Closing at once would reset it: what is still
 * under way arrives at a closed socket, and the other side may lose the answer for it. A proxy takes that for a node that
 * failed. So the rest is read and thrown away first, within bounds (RFC 9112 §9.6).
 */
import type { IncomingMessage } from "node:http"

/** More than any body that an address takes; a sender of more has to read while it writes. */
const DRAINED_BYTES_AT_MOST = 4 * 1024 * 1024
const DRAINED_MILLISECONDS = 5_000

/** Whether more of the body may come. */
export function isStillComing({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
}

/** Calls `done` once, when nothing more comes, or when too much does or it takes too long. */
export function drain(raw: IncomingMessage, done: () => void): void {
  let left = DRAINED_BYTES_AT_MOST
  const count = (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) finish()
  }
  const finish = () => {
    clearTimeout(timer)
    raw.off("data", count).off("end", finish).off("close", finish)
    done()
  }
  const timer = setTimeout(finish, DRAINED_MILLISECONDS)
  raw.on("data", count).on("end", finish).on("close", finish)
}
