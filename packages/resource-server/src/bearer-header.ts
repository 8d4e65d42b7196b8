/** The token of a request: only the Authorization header is read. RFC 6750 §2.1, RFC 9110 §11.4. */

/** A request as Node, Express and Fastify have it, or as fetch has it. */
export type Incoming = {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** Node's, names and values in turn: where a header that came twice can still be seen. */
  readonly rawHeaders?: readonly string[]
}

export type Presented =
  | { readonly kind: "token"; readonly token: string }
  /** No Authorization header, or one of another scheme. */
  | { readonly kind: "missing" }
  | { readonly kind: "malformed" }

const MISSING: Presented = { kind: "missing" }
const MALFORMED: Presented = { kind: "malformed" }

/** RFC 6750 §2.1: the scheme in any case, one space or more, and a `b64token`. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/** A token in the address, in a form or in a cookie is not looked at: it would be in logs and histories. */
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

/** Node keeps the first of several: which one was meant is not for us to guess. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) count++
  }
  return count > 1
}
