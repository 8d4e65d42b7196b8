/**
 * The interface's table of limits, and the bounds this project adds: every number that a client or a person can notice.
 * How often and how much at a time the service works by itself stands where that work is done.
 */

import { DAY, MINUTE, YEAR } from "./time.ts"

/** LIM-1. RFC 6749 §4.1.2 recommends ten minutes at the most. */
export const CODE_SECONDS = 10 * MINUTE

/** LIM-4. How long after its retirement a refresh token still yields the answer that was lost. */
export const GRACE_SECONDS = MINUTE

/** LIM-5. Refreshing stops this long after the last rotation. */
export const IDLE_SECONDS = 90 * DAY

/** LIM-6. Counted from the consent, not from the exchange. */
export const CREDENTIAL_SECONDS = YEAR

/** How many access tokens of one credential are alive at a time; issuing one more ends the oldest. */
export const ACCESS_TOKENS_KEPT = 8

/**
 * Retirements that are kept: one for each second of the grace window and one before it. Only a clock that is set to and
 * fro could make more.
 */
export const RETIREMENTS_KEPT = GRACE_SECONDS + 4

/** A consent page that lay open longer than this decides nothing. */
export const TICKET_SECONDS = 10 * MINUTE

/** Rows go this long after their logical end. */
export const KEPT_AFTER_END_SECONDS = 7 * DAY

/** Redirect addresses of one app, and the bytes of each. */
export const REDIRECT_URIS_AT_MOST = 20
export const REDIRECT_URI_BYTES_AT_MOST = 2000

/** An authorization request may name this many protected resources (RFC 8707), each of this many bytes. */
export const RESOURCES_AT_MOST = 8
export const RESOURCE_BYTES_AT_MOST = 2000

/** Long enough for clients that seal their whole session into it. */
export const STATE_LENGTH_AT_MOST = 4096

/** Name of a permission. */
export const PERMISSION_NAME_LENGTH_AT_MOST = 100

/** RFC 7636 §4.1. */
export const CODE_VERIFIER_LENGTH = { least: 43, most: 128 } as const

/** A SHA-256 digest in base64url without padding. */
export const CODE_CHALLENGE_LENGTH = 43

export const CLIENT_NAME_LENGTH_AT_MOST = 100
export const INSTALLATION_NAME_LENGTH_AT_MOST = 100
export const BODY_BYTES_AT_MOST = 64 * 1024
export const FORM_PARAMETERS_AT_MOST = 100

export const USERNAME_LENGTH_AT_MOST = 64
export const PASSWORD_LENGTH = { least: 8, most: 1024 } as const

/** Bounds of the setting `token.access_seconds`. */
export const ACCESS_SECONDS = { least: MINUTE, most: DAY } as const

/** A browser stays signed in this long without a visit, and at the most this long in all. */
export const SESSION_IDLE_SECONDS = 14 * DAY
export const SESSION_SECONDS = 90 * DAY

/** A browser that was not seen for this long is shut out by sign-in throttles like any other. */
export const BROWSER_KNOWN_SECONDS = 180 * DAY

/** How long the audit trail is kept. */
export const EVENTS_KEPT_SECONDS = 400 * DAY

/** Wrong passwords in ten minutes before further tries must wait. */
export const PASSWORD_TRIES = {
  account: { requests: 10, seconds: 10 * MINUTE },
  address: { requests: 30, seconds: 10 * MINUTE },
} as const
