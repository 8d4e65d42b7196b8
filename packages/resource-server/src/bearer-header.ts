/** Reads the token from the Authorization header. RFC 6750 §2.1, RFC 9110 §11.4. */

/** A request of Node, Express or Fastify, or of the Fetch API. */
export type Incoming = {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The header names and values from Node, which alternate. They show whether a header is repeated. */
  readonly rawHeaders?: readonly string[]
}

export type Presented =
  | { readonly kind: "token"; readonly token: string }
  /** The request has no Authorization header, or the header has another scheme. */
  | { readonly kind: "missing" }
  | { readonly kind: "malformed" }

const MISSING: Presented = { kind: "missing" }
const MALFORMED: Presented = { kind: "malformed" }

/** Matches the scheme `Bearer` in upper or lower case, then spaces, and then a `b64token`. RFC 6750 §2.1. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/**
 * Reads the presented token. Tokens in the URL, a form or a cookie are ignored, because they would appear in logs and
 * browser histories.
 */
export function presentedBy({ headers, rawHeaders }: Incoming): Presented {
  const value = isHeaders(headers) ? headers.get("authorization") : headers["authorization"]
  if (value === null || value === undefined) return MISSING
  if (typeof value !== "string" || (rawHeaders !== undefined && isRepeated(rawHeaders))) return MALFORMED
  const token = BEARER.exec(value)?.[1]
  if (token !== undefined) return { kind: "token", token }
  return /^\s*Bearer(?![^\s,])/i.test(value) ? MALFORMED : MISSING
}

function isHeaders(headers: Incoming["headers"]): headers is Headers {
  return typeof headers["get"] === "function"
}

const AUTHORIZATION = "authorization"

/** Whether the header is repeated. Node keeps only the first of several headers, which may be the wrong one. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) count++
  }
  return count > 1
}
