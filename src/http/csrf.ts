/**
 * Whether a form was sent by a page of our own, in this very browser. Three proofs, none of which replaces another:
 * the token in the form, the `Origin`, and what the browser says of the sender's site.
 */
import type { FastifyRequest } from "fastify"
import { mac } from "../system/hash.ts"
import { sameText } from "../system/keys.ts"
import type { Browser } from "./session.ts"
import type { Site } from "./site.ts"

/** The anti-forgery token of a browser: bound to its session, or to its lasting cookie before sign-in. */
export function csrfToken({ signedIn, sessionSecret, secret }: Browser): string {
  return mac(signedIn !== null && sessionSecret !== null ? sessionSecret : secret, "csrf")
}

export function isOwnForm(
  site: Site,
  request: FastifyRequest,
  browser: Browser,
  token: string | undefined,
): boolean {
  return isFromOwnPage(site, request) && token !== undefined && sameText(token, csrfToken(browser))
}

/** An opaque origin passes only where the browser vouches that the sender is this very site. */
function isFromOwnPage({ origin }: Site, { headers }: FastifyRequest): boolean {
  const sentBy = headers["sec-fetch-site"]
  if (sentBy !== undefined && sentBy !== "same-origin") return false
  if (headers.origin === undefined || headers.origin === origin) return true
  return headers.origin === "null" && sentBy === "same-origin"
}
