/**
 * The sealed cookies of sign-ins that are not finished: what waits for one, and what is under way at a provider. They
 * share one bound, so that no link can make requests that this service or a proxy refuses. The oldest is dropped first.
 */
import { setCookie } from "../../platform/http/headers.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import { cookieName, type HttpContext } from "../../platform/http/http-context.ts"
import { cookiesOf } from "../../platform/http/request.ts"

/** Browsers store at least 4,096 bytes in a cookie. RFC 6265 §6.1. */
const PIECE_LENGTH = 3_600
const PIECES_AT_MOST = 2
/** By default nginx accepts header lines of 8,192 bytes, and Node heads of 16,384. Other cookies need 300. */
const LENGTH_AT_MOST = 6_600

/** Names of text that waits: `waiting`, or `provider_` with a digest of the state. */
const UNFINISHED = /^(?:__Host-)?latchkey_(waiting|provider_[A-Za-z0-9_-]+)_\d$/

/** Sets the cookies. Returns false, and changes nothing, if the text is too long for them. */
export function keepUnfinished(
  context: HttpContext,
  reply: HttpReply,
  name: string,
  text: string,
  seconds: number,
): boolean {
  const pieces = [text.slice(0, PIECE_LENGTH), text.slice(PIECE_LENGTH)]
  const length = pieces.reduce((sum, piece, at) => sum + lengthOf(nameOf(context, name, at), piece), 0)
  if (length > LENGTH_AT_MOST) return false
  makeRoom(context, reply, name, length)
  for (const [at, piece] of pieces.entries())
    setCookie(reply, context, nameOf(context, name, at), piece, piece === "" ? 0 : seconds)
  return true
}

/** Returns the text that was kept under the name, or an empty text. */
export function unfinishedIn(context: HttpContext, request: HttpRequest, name: string): string {
  const cookies = cookiesOf(request)
  return Array.from({ length: PIECES_AT_MOST }, (_, at) => cookies[nameOf(context, name, at)] ?? "").join("")
}

/** Returns the names in the order in which browsers send them, the oldest first. RFC 6265 §5.4. */
export function unfinishedNames(request: HttpRequest): ReadonlySet<string> {
  return new Set(Object.keys(cookiesOf(request)).flatMap((cookie) => UNFINISHED.exec(cookie)?.[1] ?? []))
}

export function forgetUnfinished(context: HttpContext, reply: HttpReply, name: string): void {
  const sent = cookiesOf(reply.request)
  for (let at = 0; at < PIECES_AT_MOST; at += 1) {
    const cookie = nameOf(context, name, at)
    if (sent[cookie] !== undefined) setCookie(reply, context, cookie, "", 0)
  }
}

function makeRoom(context: HttpContext, reply: HttpReply, name: string, length: number): void {
  const others = [...unfinishedNames(reply.request)].filter((other) => other !== name)
  const lengths = new Map(others.map((other) => [other, lengthIn(context, reply.request, other)]))
  let total = length + [...lengths.values()].reduce((sum, one) => sum + one, 0)
  for (const [other, one] of lengths) {
    if (total <= LENGTH_AT_MOST) return
    forgetUnfinished(context, reply, other)
    total -= one
  }
}

function lengthIn(context: HttpContext, request: HttpRequest, name: string): number {
  const cookies = cookiesOf(request)
  const names = Array.from({ length: PIECES_AT_MOST }, (_, at) => nameOf(context, name, at))
  return names.reduce((sum, one) => sum + lengthOf(one, cookies[one] ?? ""), 0)
}

/** The length in a header, with `=` and `; `. */
function lengthOf(name: string, value: string): number {
  return value === "" ? 0 : name.length + value.length + 3
}

function nameOf(context: HttpContext, name: string, at: number): string {
  return cookieName(context, `${name}_${at}`)
}
