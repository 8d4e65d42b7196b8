/**
 * The syntax of identifiers: 26 characters of lower-case Crockford base32. This alphabet leaves out i, l, o and u.
 * Accounts and apps of an import keep the ids that they had (MOVE-2).
 */
import { parseHttpsUrl } from "./https-url.ts"
import { DOCUMENT_URL_BYTES_AT_MOST } from "./limits.ts"

/** A pattern accepts the null of a damaged row. `startsWith` would throw. */
const SCHEME = /^https:/i
const IDENTIFIER = /^[0-9a-hjkmnp-tv-z]{26}$/
const USER_ID = /^[\x21-\x7e]{1,255}$/
const CLIENT_ID = /^[A-Za-z0-9._~-]{1,255}$/

/** Whether `text` has the syntax of an identifier. Other texts need no lookup, because no row has such an id. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text)
}

export function isUserId(text: string): boolean {
  return USER_ID.test(text)
}

/** Whether `text` has the syntax of a client_id. This is an identifier, or the URL of a document. CD-1. */
export function isClientId(text: string): boolean {
  return CLIENT_ID.test(text) || isDocumentUrl(text)
}

export function isRowKey(text: string): boolean {
  return isUserId(text) || isDocumentUrl(text)
}

/** Whether `text` can be the URL of a client's document. A path of only a slash is not allowed. */
export function isDocumentUrl(text: string): boolean {
  if (!SCHEME.test(text) || text.length > DOCUMENT_URL_BYTES_AT_MOST) return false
  const url = parseHttpsUrl(text)
  return url.ok && !/^\/(?:\?|$)/.test(url.value.path)
}
