/** Counts the bytes of incomplete bodies that the process holds for all connections. LOAD-1. */
import { HELD_BODY_BYTES_AT_MOST, SMALL_BODY_BYTES } from "./limits.ts"

let held = 0

/** The error for a request whose body exceeds the limit of the process. */
export const NO_ROOM_FOR_BODY = new Error("the memory for request bodies is full")

/**
 * Adds `bytes` to the count, for a body that then has `total` bytes. Above the limit, returns false and counts nothing,
 * except for a small body.
 */
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
