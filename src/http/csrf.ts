/**
 * Whether a form was sent by a page of our own, in this very browser. Three proofs, none of which replaces another:
 * the token in the form, the `Origin`, and what the browser says of the sender's site.
 */
import { mac } from "../kernel/hash.ts"
import { sameText } from "../kernel/keys.ts"
import type { HttpRequest } from "./connection/message.ts"
import type { Browser } from "./browser-cookies.ts"
import type { HttpContext } from "./http-context.ts"

/** For the forms of a signed-in person: bound to the session, so it ends with it. */
export function csrfToken({ signedIn, sessionSecret, secret }: Browser): string {
  return mac(signedIn !== null && sessionSecret !== null ? sessionSecret : secret, "csrf")
}

/** For the forms that sign in: bound to the lasting cookie, so a sign-in in another tab does not spoil this one. */
export function visitorToken({ secret }: Browser): string {
  return mac(secret, "csrf")
}

export function isOwnForm(
  context: HttpContext,
  request: HttpRequest,
  expected: string,
  token: string | undefined,
): boolean {
  return isFromOwnPage(context, request) && token !== undefined && sameText(token, expected)
}

/** An opaque origin passes only where the browser vouches that the sender is this very site. */
export function isFromOwnPage({ origin }: HttpContext, { headers }: HttpRequest): boolean {
  const sentBy = headers["sec-fetch-site"]
  if (sentBy !== undefined && sentBy !== "same-origin") return false
  if (headers.origin === undefined || headers.origin === origin) return true
  return headers.origin === "null" && sentBy === "same-origin"
}
