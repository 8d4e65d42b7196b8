/** Counts the bytes of incomplete bodies in memory, over all connections. LOAD-1. */
import { HELD_BODY_BYTES_AT_MOST, SMALL_BODY_BYTES } from "./limits.ts"

let held = 0

/** The error for a request whose body would exceed the limit of the process. */
export const NO_ROOM_FOR_BODY = new Error("the memory for request bodies is full")

/** Returns false and counts nothing above the limit. A small body is accepted. `total` is the body's size so far. */
export function holdBytes(bytes: number, total: number): boolean {
  if (held + bytes > HELD_BODY_BYTES_AT_MOST && total > SMALL_BODY_BYTES) return false
  held += bytes
  return true
}

export function releaseBytes(bytes: number): void {
  held -= bytes
}

export function heldBodyBytes(): number {
  return held
}
