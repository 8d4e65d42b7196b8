/** Decides whether an authorization waits behind a page. Its content policy depends on it: CONSENT-2. */
import { endpoints } from "../../model/refusals/endpoints.rules.ts"

/** An authorization request of an app, which ends with a redirect to the app, or one of a device, which ends here. */
export type Waiting = "app" | "device"

export const DEVICE_PATH = "/oauth/device"

/** Returns what waits at `next`, the path and query that the browser opens afterwards. */
export function waitingAt(next: string | null): Waiting | null {
  const path = next?.split("?", 1)[0]
  if (path === endpoints.authorization_endpoint) return "app"
  return path === DEVICE_PATH ? "device" : null
}
