/** The table "Device grant" of docs/interface.md, as far as time and pace go. */
import { isAlive } from "./credential-life.ts"
import { DEVICE_SECONDS, POLL_SECONDS, POLL_SLACK_SECONDS } from "./limits.ts"
import type { Device } from "./world.ts"

/** DG-7. Approved and not fetched runs out as well; whoever asks is told, and so it stays. */
export function deviceAsOf(device: Device, now: number): void {
  const isOpen = device.state === "pending" || device.state === "approved"
  if (isOpen && !isAlive(device.askedAt + DEVICE_SECONDS, now)) device.state = "expired"
}

/** DG-2. Null where the poll kept pace, else the interval to keep to from now on. */
export function paced(device: Device, steady: number): number | null {
  const isEarly = device.polledAt !== null && steady - device.polledAt < POLL_SECONDS - POLL_SLACK_SECONDS
  device.polledAt = steady
  if (!isEarly) return null
  device.earlyPolls++
  return POLL_SECONDS * (1 + device.earlyPolls)
}
