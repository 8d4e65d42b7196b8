/** The times and poll intervals of the table in "Device flow" of docs/interface.md. */
import { isAlive } from "./credential-life.ts"
import { DEVICE_SECONDS, POLL_SECONDS, POLL_SLACK_SECONDS } from "./limits.ts"
import type { Device } from "./world.ts"

/**
 * Computes the state now: DG-7, DG-9. A request ends after ten minutes, and an approval ten minutes after the answer. A
 * reported expiry stays.
 */
export function deviceAsOf(device: Device, now: number): void {
  const { state, askedAt, approvedAt } = device
  if (state !== "pending" && state !== "approved") return
  const from = state === "pending" ? askedAt : approvedAt
  if (!isAlive(from + DEVICE_SECONDS, now)) device.state = "expired"
}

/** Returns the interval to keep after an early poll. Returns null if the poll was on time. DG-2. */
export function paced(device: Device, steady: number): number | null {
  const isEarly = device.polledAt !== null && steady - device.polledAt < POLL_SECONDS - POLL_SLACK_SECONDS
  device.polledAt = steady
  if (!isEarly) return null
  device.earlyPolls++
  return POLL_SECONDS * (1 + device.earlyPolls)
}
