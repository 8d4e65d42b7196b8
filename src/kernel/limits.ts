/**
 * The interface's table of limits, and the bounds this project adds: every number that a client or a person can notice.
 * How often and how much at a time the service works by itself stands where that work is done.
 */

import { DAY, HOUR, MINUTE, YEAR } from "./time.ts"

/** LIM-1. RFC 6749 §4.1.2 recommends at most ten minutes. */
export const CODE_SECONDS = 10 * MINUTE

/** LIM-2. RFC 8628 §3.2: how long a request waits for its answer, and an approval for its fetch. */
export const DEVICE_SECONDS = 10 * MINUTE

/** LIM-3. The least time between two polls; a slow_down adds as much to what the machine keeps to. */
export const POLL_SECONDS = 5

/** A poll this much before its time is still on time: networks jitter. */
export const POLL_SLACK_SECONDS = 0.5

/** LIM-4. How long after its retirement a refresh token still yields the answer that was lost. */
export const GRACE_SECONDS = MINUTE

/** LIM-5. Refreshing stops this long after the last rotation. */
export const IDLE_SECONDS = 90 * DAY

/** LIM-6. Counted from the consent, not from the exchange. */
export const CREDENTIAL_SECONDS = YEAR

/** LIM-9. Live access tokens of one credential; issuing one more ends the oldest. Divergence: D-18. */
export const ACCESS_TOKENS_KEPT = 32

/**
 * Retirements that are kept: one for each second of the grace window and one before it. Only a clock that is set to and
 * fro could make more.
 */
export const RETIREMENTS_KEPT = GRACE_SECONDS + 4

/** Repeats from other networks that are kept of a credential, and recorded of one retirement. */
export const REPEATS_ELSEWHERE_KEPT = 8

/** How long the account page shows a repeat from another network. */
export const REPEAT_SHOWN_SECONDS = 30 * DAY

/** A consent page that lay open longer than this decides nothing. */
export const TICKET_SECONDS = 10 * MINUTE

/** Rows go this long after their logical end. */
export const KEPT_AFTER_END_SECONDS = 7 * DAY

/** Device grants go sooner: a request costs an anonymous caller nothing but the budget. */
export const UNANSWERED_KEPT_AFTER_END_SECONDS = HOUR
export const REFUSED_KEPT_SECONDS = DAY

/** An app that registered itself is deleted this long after its last consent could still be in use. */
export const UNUSED_APP_SECONDS = 90 * DAY

/** Apps that registered themselves and got no consent yet: above this number the oldest go, but none younger than that. */
export const UNUSED_APPS_AT_MOST = 100_000
export const UNUSED_APP_SPARED_SECONDS = HOUR

/** Apps that one account owns. */
export const OWN_APPS_AT_MOST = 100

/** Redirect addresses of one app, and the bytes of each. */
export const REDIRECT_URIS_AT_MOST = 20
export const REDIRECT_URI_BYTES_AT_MOST = 2000

/** Of an app that registers itself, all its redirect addresses together: any caller may have them stored. */
export const OPEN_REDIRECT_URIS_BYTES_AT_MOST = 8192

/** Names in the setting `registration.schemes`. */
export const REDIRECT_SCHEMES_AT_MOST = 100

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

/** Bounds of the setting `step_up.window_seconds`. */
export const STEP_UP_SECONDS = { least: MINUTE, most: DAY } as const

/** What an app says a step-up is for, in code points. */
export const STEP_UP_REASON_LENGTH_AT_MOST = 140

/** Bounds of the setting `token.access_seconds`. */
export const ACCESS_SECONDS = { least: MINUTE, most: DAY } as const

/** A browser stays signed in this long without a visit, and at most this long in all. */
export const SESSION_IDLE_SECONDS = 14 * DAY
export const SESSION_SECONDS = 90 * DAY

/** User codes that were none, in ten minutes, before further tries must wait. RFC 8628 §5.1. */
export const USER_CODE_TRIES = {
  account: { requests: 5, seconds: 10 * MINUTE },
  address: { requests: 10, seconds: 10 * MINUTE },
} as const
/** A browser that was not seen for this long is shut out by sign-in throttles like any other. */
export const BROWSER_KNOWN_SECONDS = 180 * DAY

/** Bounds of the setting `events.retention_days`: how long the audit trail is kept. */
export const EVENTS_KEPT_DAYS = { least: 7, usual: 400, most: 3650 } as const

/** How long counts are kept, by the length of their buckets. */
export const TALLIES_KEPT_SECONDS = { minute: DAY, hour: 40 * DAY, day: 400 * DAY } as const

/** Wrong passwords in ten minutes before further tries must wait. */
export const PASSWORD_TRIES = {
  account: { requests: 10, seconds: 10 * MINUTE },
  address: { requests: 30, seconds: 10 * MINUTE },
} as const

/** One-time passwords: RFC 6238 §5.2. A code of one step around the present one is still right. */
export const OTP_STEP_SECONDS = 30
export const OTP_STEPS_AROUND = 1

/** One-time passwords and passkeys of one account; recovery codes come on top. */
export const FACTORS_AT_MOST = 20
export const FACTOR_NAME_LENGTH_AT_MOST = 100

export const RECOVERY_CODES = 10

/** Wrong codes of one account in ten minutes before further tries must wait: RFC 6238 §5.1, RFC 4226 §7.3. */
export const FACTOR_CODE_TRIES = { requests: 5, seconds: 10 * MINUTE } as const

/**
 * Wrong codes of one account in a row from browsers that never signed in before, until codes are taken from known browsers
 * only. NIST SP 800-63B §5.2.2 allows a hundred.
 */
export const CODE_FAILURES_AT_MOST = 100

/** Passkeys of one address that were none of ours, in ten minutes. They cannot be guessed; checking them costs time. */
export const PASSKEY_TRIES = { requests: 30, seconds: 10 * MINUTE } as const

/** How long a browser may take over a passkey. */
export const CHALLENGE_SECONDS = 5 * MINUTE

/** Between a right password and the second step. */
export const SECOND_STEP_SECONDS = 10 * MINUTE

/** How long a secret that is shown may wait for its first right code. */
export const ENROLMENT_SECONDS = 30 * MINUTE

/** What a browser has proven is fresh for this long. */
export const FRESH_PROOF_SECONDS = 5 * MINUTE

/** What an app's icon may be when it is brought: the bytes of its file, and the pixels that it unfolds to. */
export const ICON_BYTES_AT_MOST = 512 * 1024
export const ICON_PIXELS_AT_MOST = 2048 * 2048

/** What is kept of it: a square of this many pixels a side. */
export const ICON_SIDE = 256

/** Refusals of an app that a node shows, and the apps that it keeps them for. */
export const REFUSALS_KEPT = 20
export const APPS_WITH_REFUSALS_KEPT = 1000
