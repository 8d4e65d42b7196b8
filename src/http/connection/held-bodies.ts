/** The bytes that the process holds of bodies that are not whole yet, those of all connections together. LOAD-1. */
import { HELD_BODY_BYTES_AT_MOST, SMALL_BODY_BYTES } from "./limits.ts"

let held = 0

/** What a request is refused with whose body does not fit. */
export const NO_ROOM_FOR_BODY = new Error("the bodies that are being read fill the memory for them")

/** Counts `bytes` more for a body that holds `total` then. False: they do not fit, and are not counted. */
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
