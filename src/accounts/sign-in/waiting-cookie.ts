/**
 * Keeps what waits for a sign-in or a consent while the person is elsewhere: in their mail, at a page that was opened
 * again, or on the account pages. It is a sealed cookie of the browser, so a stranger who asks for a link cannot choose
 * where it leads. RECOVER-8.
 */
import { digest } from "../../kernel/hash.ts"
import { ownPath } from "../../platform/ui/own-path.ts"
import { HOUR, isWithin } from "../../kernel/time.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { type Waiting, waitingAt } from "../../platform/http/waiting.rules.ts"
import type { WayBack } from "../../platform/ui/account-frame.ts"
import type { Browser } from "../sessions/browser-cookies.ts"
import { forgetUnfinished, keepUnfinished, unfinishedIn } from "../sessions/unfinished-cookies.ts"

const KEPT_SECONDS = HOUR

const NAME = "waiting"

type Kept = {
  readonly next: string
  readonly keptAt: number
  /** The name of the app, if the person has seen its consent page. */
  readonly appName?: string | null
}

/** A way back, and the authorization that waits there. */
export type WaitingHere = WayBack & { readonly waiting: Waiting }

/** A destination that is too long for the cookies is not kept. The pages on the way still carry it. */
export function keepWaiting(
  context: HttpContext,
  reply: HttpReply,
  browser: Browser,
  next: string,
  appName: string | null = null,
): void {
  const { keys, clock } = context.services
  const kept: Kept = { next, keptAt: clock.now(), appName }
  const sealed = keys.seal(purposeOf(browser), JSON.stringify(kept))
  keepUnfinished(context, reply, NAME, sealed, KEPT_SECONDS)
}

/** Returns the path and query that this browser kept, or null. */
export function keptWaiting(context: HttpContext, request: HttpRequest, browser: Browser): string | null {
  return keptIn(context, request, browser)?.next ?? null
}

/** Returns the authorization that waits in this browser, for the link back to it. */
export function waitingHere(
  context: HttpContext,
  request: HttpRequest,
  browser: Browser,
): WaitingHere | null {
  const kept = keptIn(context, request, browser)
  const waiting = waitingAt(kept?.next ?? null)
  return kept === null || waiting === null
    ? null
    : { path: kept.next, appName: kept.appName ?? null, waiting }
}

function keptIn(context: HttpContext, request: HttpRequest, browser: Browser): Kept | null {
  const content = context.services.keys.open(purposeOf(browser), unfinishedIn(context, request, NAME))
  if (content === null) return null
  const kept = JSON.parse(content) as Kept
  const isFresh = isWithin(kept.keptAt, context.services.clock.now(), KEPT_SECONDS)
  return isFresh && ownPath(kept.next) !== null ? kept : null
}

export function forgetWaiting(context: HttpContext, reply: HttpReply): void {
  forgetUnfinished(context, reply, NAME)
}

function purposeOf({ secret }: Browser): string {
  return `waits for a sign-in ${digest(secret)}`
}
