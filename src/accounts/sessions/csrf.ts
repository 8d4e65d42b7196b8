/**
 * Protects forms against CSRF. A form must come from a page of this service in the same browser. The service checks the
 * token in the form, the `Origin` header and the `Sec-Fetch-Site` header.
 */
import { mac } from "../../kernel/hash.ts"
import { sameCharacters } from "../../kernel/constant-time.ts"
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import type { Browser } from "./browser-cookies.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"

/** Returns the token for forms of a signed-in account. The token depends on the session and ends with it. */
export function csrfToken({ held, sessionSecret, secret }: Browser): string {
  return mac(held !== null && sessionSecret !== null ? sessionSecret : secret, "csrf")
}

/** The token depends only on the browser cookie, so a sign-in in another tab does not change it. */
export function visitorToken({ secret }: Browser): string {
  return mac(secret, "csrf")
}

export function isOwnForm(
  context: HttpContext,
  request: HttpRequest,
  expected: string,
  token: string | undefined,
): boolean {
  return isFromOwnPage(context, request) && token !== undefined && sameCharacters(token, expected)
}

/** Checks both headers if they are present. `Origin: null` passes only with `Sec-Fetch-Site: same-origin`. */
export function isFromOwnPage({ origin }: HttpContext, { headers }: HttpRequest): boolean {
  const sentBy = headers["sec-fetch-site"]
  if (sentBy !== undefined && sentBy !== "same-origin") return false
  if (headers.origin === undefined || headers.origin === origin) return true
  return headers.origin === "null" && sentBy === "same-origin"
}
