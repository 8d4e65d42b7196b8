/** How a machine waits for the answer to its code: RFC 8628 §3.4 and §3.5. */
import { setTimeout as sleep } from "node:timers/promises"
import { AppRefused, bodyOf, errorInWords, isErrorBody, isUnreachable } from "./sample-client.ts"

/** What a device authorization, or the opening of a step-up, says about polling. In seconds. */
export type Polling = { readonly interval: number; readonly expiresIn: number }

/** What a `slow_down` adds at the least, and a service that cannot be reached just now. */
const MORE_SECONDS = 5

/** What the service takes for an interval where it names none: RFC 8628 §3.2. */
export const INTERVAL_SECONDS = 5

const TOO_LATE = "Nobody answered in time. Start again for a new code."

export type Waiting = {
  /** In seconds. */
  readonly wait: (seconds: number) => Promise<unknown>
  /** In seconds, of a clock that only goes forward. */
  readonly now: () => number
}

const inRealTime: Waiting = {
  wait: (seconds) => sleep(seconds * 1000),
  now: () => performance.now() / 1000,
}

/** Polls until the answer is good, and answers it. Throws `AppRefused` where it is no, or comes too late. */
export async function pollUntilAnswered(
  poll: () => Promise<Response>,
  { interval: first, expiresIn }: Polling,
  { wait, now }: Waiting = inRealTime,
): Promise<Response> {
  const deadline = now() + expiresIn
  let interval = first
  let pause = interval
  while (now() + pause <= deadline) {
    await wait(pause)
    const heard = await hear(poll, interval)
    if (heard.isAnswered) return heard.response
    interval = heard.interval
    pause = Math.max(interval, heard.retryAfter)
  }
  throw new AppRefused(TOO_LATE)
}

type Heard =
  | { readonly isAnswered: true; readonly response: Response }
  /** `retryAfter` is for the next poll only. */
  | { readonly isAnswered: false; readonly interval: number; readonly retryAfter: number }

async function hear(poll: () => Promise<Response>, interval: number): Promise<Heard> {
  const goOn = (seconds: number, retryAfter = 0): Heard => ({
    isAnswered: false,
    interval: seconds,
    retryAfter,
  })
  const response = await poll().catch((error: unknown) => {
    if (isUnreachable(error)) return null
    throw error
  })
  if (response === null) return goOn(interval + MORE_SECONDS)
  if (response.status === 200) return { isAnswered: true, response }
  const retryAfter = Number(response.headers.get("retry-after") ?? 0) || 0
  const body = await bodyOf(response)
  // A budget that is spent, or a service that is down for a moment: neither says anything about the code.
  if (response.status === 429 || response.status >= 500) return goOn(interval, retryAfter)
  if (!isErrorBody(body)) throw new AppRefused(`The service answered ${response.status}.`)
  if (body.error === "authorization_pending") return goOn(interval)
  if (body.error === "slow_down") return goOn(Math.max(interval + MORE_SECONDS, intervalOf(body)))
  throw new AppRefused(body.error === "expired_token" ? TOO_LATE : errorInWords(body))
}

/** Some services say which interval to keep from now on. */
function intervalOf(body: object): number {
  return "interval" in body && typeof body.interval === "number" ? body.interval : 0
}
