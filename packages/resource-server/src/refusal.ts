/** Every reason to refuse a request, with its HTTP response. RFC 6750 §3, RFC 9470 §3, RFC 9728 §5.1. */

export type RefusalReason =
  | "tokenMissing"
  | "tokenMalformed"
  | "tokenInvalid"
  | "audienceMissing"
  | "audienceOther"
  | "permissionLacking"
  | "elevationLacking"
  | "serviceUnavailable"

/** The reason of a refusal, and the complete response. */
export type Refusal = {
  readonly reason: RefusalReason
  /** The HTTP status. */
  readonly status: number
  /** The names of the headers are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The JSON body of the response. */
  readonly body: {
    readonly error: { readonly code: number; readonly status: string; readonly message: string }
  }
}

type Row = {
  readonly code: number
  readonly status: string
  /**
   * The error code of RFC 6750 §3.1. With null, the challenge has no error code. With undefined, there is no challenge.
   */
  readonly error?: string | null
  readonly message: string
}

const rows: Readonly<Record<RefusalReason, Row>> = {
  // If the request has no token, the challenge has no error code. RFC 6750 §3.1.
  tokenMissing: {
    code: 401,
    status: "UNAUTHENTICATED",
    error: null,
    message: "The request carries no access token.",
  },
  tokenMalformed: {
    code: 400,
    status: "INVALID_ARGUMENT",
    error: "invalid_request",
    message: "The Authorization header is malformed.",
  },
  tokenInvalid: {
    code: 401,
    status: "UNAUTHENTICATED",
    error: "invalid_token",
    message: "The access token is not valid.",
  },
  audienceMissing: {
    code: 401,
    status: "UNAUTHENTICATED",
    error: "invalid_token",
    message: "The access token names no resource.",
  },
  audienceOther: {
    code: 401,
    status: "UNAUTHENTICATED",
    error: "invalid_token",
    message: "The access token was issued for another resource.",
  },
  permissionLacking: {
    code: 403,
    status: "PERMISSION_DENIED",
    error: "insufficient_scope",
    message: "The credential lacks a permission that this needs.",
  },
  elevationLacking: {
    code: 400,
    status: "FAILED_PRECONDITION",
    error: "insufficient_user_authentication",
    message: "This needs a factor proven recently.",
  },
  serviceUnavailable: {
    code: 503,
    status: "UNAVAILABLE",
    message: "The access token cannot be checked right now.",
  },
}

export type RefusalFacts = {
  /** All permissions that the route needs, including those that the token has. */
  readonly needed: readonly string[]
  readonly metadataUrl: string
  readonly retryAfterSeconds?: number
}

export function refusalOf(reason: RefusalReason, facts: RefusalFacts): Refusal {
  const { code, status, error, message } = rows[reason]
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  }
  if (error !== undefined) headers["www-authenticate"] = challenge(error, message, facts)
  if (reason === "elevationLacking") headers["service-elevation-required"] = "1"
  if (reason === "serviceUnavailable") headers["retry-after"] = String(facts.retryAfterSeconds ?? 2)
  return { reason, status: code, headers, body: { error: { code, status, message } } }
}

function challenge(error: string | null, message: string, { needed, metadataUrl }: RefusalFacts): string {
  const parameters: string[] = []
  if (error !== null) parameters.push(`error="${error}"`, `error_description="${message}"`)
  if (needed.length > 0) parameters.push(`scope="${needed.join(" ")}"`)
  parameters.push(`resource_metadata="${metadataUrl}"`)
  return `Bearer ${parameters.join(", ")}`
}
