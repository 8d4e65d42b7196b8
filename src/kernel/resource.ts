/** The syntax of a `resource`: RFC 8707 §2. */
import { RESOURCE_BYTES_AT_MOST } from "./limits.ts"

/** Matches an absolute URI without a fragment. The allowed characters come from RFC 3986. */
const RESOURCE = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?[\]@!$&'()*+,;=%-]+$/

export function isResource(text: string): boolean {
  return text.length <= RESOURCE_BYTES_AT_MOST && RESOURCE.test(text)
}
