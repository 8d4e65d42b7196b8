/**
 * Protects forms against CSRF. A form must come from a page of this service in the same browser. All three checks must
 * pass: the token in the form, `Origin` and `Sec-Fetch-Site`.
 */
import { mac } from "../kernel/hash.ts"
import { sameText } from "../kernel/keys.ts"
import type { HttpRequest } from "./connection/message.ts"
import type { Browser } from "./browser-cookies.ts"
import type { HttpContext } from "./http-context.ts"

/** The token for forms of a signed-in account. It depends on the session and ends with it. */
export function csrfToken({ signedIn, sessionSecret, secret }: Browser): string {
  return mac(signedIn !== null && sessionSecret !== null ? sessionSecret : secret, "csrf")
}

/** The token for sign-in forms. It depends on the browser cookie, so it survives a sign-in in another tab. */
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

/** Checks both headers, if present. `Origin: null` passes only with `Sec-Fetch-Site: same-origin`. */
export function isFromOwnPage({ origin }: HttpContext, { headers }: HttpRequest): boolean {
  const sentBy = headers["sec-fetch-site"]
  if (sentBy !== undefined && sentBy !== "same-origin") return false
  if (headers.origin === undefined || headers.origin === origin) return true
  return headers.origin === "null" && sentBy === "same-origin"
}
