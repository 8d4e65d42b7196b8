/**
 * Keeps what waits for a sign-in or a consent while the person is elsewhere: in their mail, at a page that was opened
 * again, or on the account pages. It is a sealed cookie of the browser, so a stranger who asks for a link cannot choose
 * where it leads. RECOVER-8.
 */
import { parseCookie, stringifySetCookie } from "cookie"
import { digest } from "../../kernel/hash.ts"
import { HOUR, isWithin } from "../../kernel/time.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { type Waiting, waitingAt } from "../../platform/http/waiting.rules.ts"
import type { WayBack } from "../../platform/ui/account-frame.ts"
import type { Browser } from "../sessions/browser-cookies.ts"

const KEPT_SECONDS = HOUR

/** Browsers store at least 4,096 bytes in a cookie. RFC 6265 §6.1. */
const PIECE_LENGTH = 3_600
/** All cookies and the URL of a request share the limit for headers. */
const PIECES_AT_MOST = 2

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
  if (sealed.length > PIECES_AT_MOST * PIECE_LENGTH) return
  for (let at = 0; at < PIECES_AT_MOST; at += 1) {
    const piece = sealed.slice(at * PIECE_LENGTH, (at + 1) * PIECE_LENGTH)
    setCookie(context, reply, at, piece, piece === "" ? 0 : KEPT_SECONDS)
  }
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
  const cookies = parseCookie(request.headers.cookie ?? "")
  const pieces = Array.from({ length: PIECES_AT_MOST }, (_, at) => cookies[nameOf(context, at)] ?? "")
  const content = context.services.keys.open(purposeOf(browser), pieces.join(""))
  if (content === null) return null
  const kept = JSON.parse(content) as Kept
  return isWithin(kept.keptAt, context.services.clock.now(), KEPT_SECONDS) ? kept : null
}

export function forgetWaiting(context: HttpContext, reply: HttpReply): void {
  const sent = parseCookie(reply.request.headers.cookie ?? "")
  for (let at = 0; at < PIECES_AT_MOST; at += 1)
    if (sent[nameOf(context, at)] !== undefined) setCookie(context, reply, at, "", 0)
}

function purposeOf({ secret }: Browser): string {
  return `waits for a sign-in ${digest(secret)}`
}

function nameOf({ isSecure }: HttpContext, at: number): string {
  return `${isSecure ? "__Host-" : ""}latchkey_waiting_${at}`
}

function setCookie(context: HttpContext, reply: HttpReply, at: number, value: string, maxAge: number): void {
  const cookie = { name: nameOf(context, at), value, maxAge, path: "/", httpOnly: true } as const
  const secure = context.isSecure
  reply.header("set-cookie", stringifySetCookie({ ...cookie, sameSite: "lax", secure }))
}
