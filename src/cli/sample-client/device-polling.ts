/** Polls for the answer to a device code: RFC 8628 §3.4 and §3.5. */
import { setTimeout as sleep } from "node:timers/promises"
import { AppRefused, bodyOf, errorText, isErrorBody, isUnreachable } from "./sample-client.ts"

/** Both values are in seconds. They come from the device authorization response or from the response to a step-up. */
export type Polling = { readonly interval: number; readonly expiresIn: number }

/** Added to the interval after `slow_down` (RFC 8628 §3.5), and while the service is unreachable. */
const MORE_SECONDS = 5

/** The default interval: RFC 8628 §3.2. */
export const INTERVAL_SECONDS = 5

const EXPIRED = "The code has expired. Run the command again for a new one."

export type Timer = {
  readonly wait: (seconds: number) => Promise<unknown>
  /** Monotonic time in seconds. */
  readonly now: () => number
}

const inRealTime: Timer = {
  wait: (seconds) => sleep(seconds * 1000),
  now: () => performance.now() / 1000,
}

/** Polls until access is granted. Throws `AppRefused` if access is refused or the code expires. */
export async function pollUntilAnswered(
  poll: () => Promise<Response>,
  { interval: first, expiresIn }: Polling,
  { wait, now }: Timer = inRealTime,
): Promise<Response> {
  const deadline = now() + expiresIn
  let interval = first
  let pause = interval
  while (now() + pause <= deadline) {
    await wait(pause)
    const result = await pollOnce(poll, interval)
    if (result instanceof Response) return result
    interval = result.interval
    pause = Math.max(interval, result.retryAfter)
  }
  throw new AppRefused(EXPIRED)
}

/** Returns the response that ends the polling, or the next interval. `retryAfter` delays only the next poll. */
async function pollOnce(poll: () => Promise<Response>, interval: number) {
  const response = await poll().catch((error: unknown) => {
    if (isUnreachable(error)) return null
    throw error
  })
  if (response === null) return { interval: interval + MORE_SECONDS, retryAfter: 0 }
  if (response.status === 200) return response
  const retryAfter = Number(response.headers.get("retry-after") ?? 0) || 0
  const body = await bodyOf(response)
  // A rate limit or a short outage says nothing about the code.
  if (response.status === 429 || response.status >= 500) return { interval, retryAfter }
  if (!isErrorBody(body)) throw new AppRefused(`The service answered ${response.status}.`)
  if (body.error === "authorization_pending") return { interval, retryAfter: 0 }
  if (body.error === "slow_down")
    return { interval: Math.max(interval + MORE_SECONDS, intervalOf(body)), retryAfter: 0 }
  throw new AppRefused(body.error === "expired_token" ? EXPIRED : errorText(body))
}

/** Returns the interval that the response names. Returns 0 if it names none. */
function intervalOf(body: object): number {
  return "interval" in body && typeof body.interval === "number" ? body.interval : 0
}
