/** the table in "Device flow" of docs/interface.md, as far as time and pace go. */
import { isAlive } from "./credential-life.ts"
import { DEVICE_SECONDS, POLL_SECONDS, POLL_SLACK_SECONDS } from "./limits.ts"
import type { Device } from "./world.ts"

/** DG-7, DG-9. Ten minutes end a request, and ten minutes after the answer its approval. A reported expiry stays. */
export function deviceAsOf(device: Device, now: number): void {
  const { state, askedAt, approvedAt } = device
  if (state !== "pending" && state !== "approved") return
  const from = state === "pending" ? askedAt : approvedAt
  if (!isAlive(from + DEVICE_SECONDS, now)) device.state = "expired"
}

/** DG-2. Null where the poll kept pace, else the interval to keep to from now on. */
export function paced(device: Device, steady: number): number | null {
  const isEarly = device.polledAt !== null && steady - device.polledAt < POLL_SECONDS - POLL_SLACK_SECONDS
  device.polledAt = steady
  if (!isEarly) return null
  device.earlyPolls++
  return POLL_SECONDS * (1 + device.earlyPolls)
}
