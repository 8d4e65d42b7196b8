/**
 * What this service remembers of a sign-in while the browser is at the provider. It travels in a sealed cookie that
 * only the callback receives, so anonymous callers store nothing here. The seal covers the browser that began.
 */
import { parseCookie, stringifySetCookie } from "cookie"
import type { Hash, TokenId } from "../../kernel/ids.ts"
import { digest } from "../../kernel/hash.ts"
import { newId, randomSecret } from "../../kernel/random.ts"
import { HOUR, isWithin, MINUTE } from "../../kernel/time.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Spent } from "../../store/store.ts"
import type { Browser } from "../sessions/browser-cookies.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"

export type Purpose = "sign-in" | "link" | "prove"

export type Pending = {
  /** A sign-in works once. */
  readonly ticketId: TokenId
  readonly provider: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly purpose: Purpose
  /** The session that links an account or proves itself. Null for a sign-in. */
  readonly sessionHash: Hash | null
  /** The path and query that the browser visits afterwards. */
  readonly next: string | null
  /** What the start counted. A sign-in that succeeds gives it back. */
  readonly counted: readonly Spent[]
  readonly startedAt: number
}

/** A person must come back from the provider within this time. */
export const PENDING_SECONDS = 10 * MINUTE
/** The cookie lasts longer, so that a person who comes back too late starts again with the same destination. */
const COOKIE_SECONDS = HOUR

/** Browsers store at least 4,096 bytes in a cookie. RFC 6265 §6.1. */
const PIECE_LENGTH = 3_600
const PIECES_AT_MOST = 3
/** The number of sign-ins that one browser may have under way, in several tabs. */
const FLOWS_AT_MOST = 2

export function newPending(
  { clock }: Pick<Services, "clock">,
  of: Pick<Pending, "provider" | "purpose" | "sessionHash" | "next" | "counted">,
): Pending {
  const startedAt = clock.now()
  const secrets = { state: randomSecret(), nonce: randomSecret(), verifier: randomSecret() }
  return { ...of, ...secrets, ticketId: newId<TokenId>(startedAt), startedAt }
}

/** Sets the cookies. Returns false if the destination is too long for them. */
export function keepPending(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  { secret }: Browser,
  pending: Pending,
): boolean {
  const sealed = context.services.keys.seal(purposeOf(secret), JSON.stringify(pending))
  const count = Math.ceil(sealed.length / PIECE_LENGTH)
  if (count > PIECES_AT_MOST) return false
  for (const name of namesToForget(context, request, count)) setCookie(context, reply, name, "", 0)
  for (let at = 0; at < count; at += 1) {
    const piece = sealed.slice(at * PIECE_LENGTH, (at + 1) * PIECE_LENGTH)
    setCookie(context, reply, nameOf(context, pending.state, at), piece, COOKIE_SECONDS)
  }
  return true
}

/** Opens the cookies of a callback. Returns null unless this browser began a sign-in with this state. */
export function openPending(
  context: HttpContext,
  request: HttpRequest,
  { secret }: Browser,
  state: string,
): Pending | null {
  const cookies = parseCookie(request.headers.cookie ?? "")
  const pieces = Array.from({ length: PIECES_AT_MOST }, (_, at) => cookies[nameOf(context, state, at)] ?? "")
  const content = context.services.keys.open(purposeOf(secret), pieces.join(""))
  if (content === null) return null
  const pending = JSON.parse(content) as Pending
  return pending.state === state ? pending : null
}

export function forgetPending(context: HttpContext, reply: HttpReply, { state }: Pending): void {
  for (let at = 0; at < PIECES_AT_MOST; at += 1) setCookie(context, reply, nameOf(context, state, at), "", 0)
}

export function isInTime({ startedAt }: Pending, now: number): boolean {
  return isWithin(startedAt, now, PENDING_SECONDS)
}

function purposeOf(browserSecret: string): string {
  return `sign-in through a provider ${digest(browserSecret)}`
}

/** Older sign-ins of other tabs are forgotten, so that the cookies stay far below the limit for headers. */
function namesToForget(context: HttpContext, request: HttpRequest, count: number): readonly string[] {
  const names = Object.keys(parseCookie(request.headers.cookie ?? "")).filter((name) =>
    name.startsWith(prefix(context)),
  )
  const flows = new Set(names.map((name) => name.replace(/\d$/, "")))
  const isCrowded = flows.size >= FLOWS_AT_MOST || names.length + count > PIECES_AT_MOST
  return isCrowded ? names : []
}

function prefix({ isSecure }: HttpContext): string {
  return `${isSecure ? "__Secure-" : ""}latchkey_provider_`
}

function nameOf(context: HttpContext, state: string, at: number): string {
  return `${prefix(context)}${digest(state).slice(0, 10)}_${at}`
}

function setCookie(
  context: HttpContext,
  reply: HttpReply,
  name: string,
  value: string,
  maxAge: number,
): void {
  const path = `${context.basePath}/sign-in/with/`
  const secure = context.isSecure
  reply.header(
    "set-cookie",
    stringifySetCookie({ name, value, maxAge, path, httpOnly: true, sameSite: "lax", secure }),
  )
}
