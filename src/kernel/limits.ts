/**
 * The limits that a client can notice; `account-limits.ts` has those of accounts. Limits of the interface have their row
 * id (LIM-…). The other limits belong to this project. Intervals and batch sizes of background work are in the files of
 * that work.
 */

import { DAY, HOUR, MINUTE, YEAR } from "./time.ts"

/** The maximum lengths of a document's URL, which is the client_id, and of the document itself. */
export const DOCUMENT_URL_BYTES_AT_MOST = 500
export const DOCUMENT_BYTES_AT_MOST = 5 * 1024

/** How long a copy of a document is fresh: as its cache headers say within these bounds, or `usual` without them. */
export const DOCUMENT_FRESH_SECONDS = { least: 5 * MINUTE, usual: HOUR, most: DAY } as const

/** If the host fails, the authorization endpoint uses a stale copy for up to this long. */
export const DOCUMENT_STALE_SECONDS = 7 * DAY

/** After a failed request, a URL is not requested again for this long. */
export const FAILURE_KEPT_SECONDS = 30

/** The maximum number of names in `clients.document_domains` and in `clients.denied_document_domains`. */
export const DOCUMENT_DOMAINS_AT_MOST = 100

/** LIM-1. RFC 6749 §4.1.2 recommends at most ten minutes. */
export const CODE_SECONDS = 10 * MINUTE

/** LIM-2, RFC 8628 §3.2. The account holder must answer within it. After an approval, the app has as long to poll. */
export const DEVICE_SECONDS = 10 * MINUTE

/** LIM-3. The shortest interval between two polls. Each `slow_down` adds five seconds to the interval. */
export const POLL_SECONDS = 5

/** A poll may come this much too early, because network latency varies. */
export const POLL_SLACK_SECONDS = 0.5

/** LIM-4. The previous refresh token returns the same pair within this time, because a response can be lost. */
export const GRACE_SECONDS = MINUTE

/** LIM-5. A refresh token expires this long after the last rotation. */
export const IDLE_SECONDS = 90 * DAY

/** LIM-6. The lifetime of a credential, from consent. */
export const CREDENTIAL_SECONDS = YEAR

/** LIM-9. The live access tokens of a credential. Issuing one more ends the oldest one. Divergence: D-18. */
export const ACCESS_TOKENS_KEPT = 32

/** LIM-10. The live access tokens of a service account's credential. Issuing one more ends the oldest one. */
export const SERVICE_TOKENS_KEPT = 1000

/** Each second of the grace period has one, and all older ones share one. Only clock changes could produce more. */
export const RETIREMENTS_KEPT = GRACE_SECONDS + 4

/** Refreshes repeated from another network that a credential stores. It also limits the events of each retirement. */
export const REPEATS_ELSEWHERE_KEPT = 8

/** The account page shows a refresh repeated from another network for this long. */
export const REPEAT_SHOWN_SECONDS = 30 * DAY

/** The live credentials of a browser session, an app and a label that a remembered consent keeps. */
export const REMEMBERED_CREDENTIALS_KEPT = 4

/** The remembered consents of an account. A click beyond them ends the oldest. */
export const REMEMBERED_CONSENTS_AT_MOST = 200

/** How often an app gets a code of an account without a page. Then the page appears. */
export const REMEMBERED_TRIES = { requests: 60, seconds: HOUR } as const

/** A consent page expires after this time. */
export const TICKET_SECONDS = 10 * MINUTE

/** Rows are deleted this long after they expire or end. */
export const KEPT_AFTER_END_SECONDS = 7 * DAY

/** Unanswered and refused device grants are deleted earlier, because anonymous callers can create them cheaply. */
export const UNANSWERED_KEPT_AFTER_END_SECONDS = HOUR
export const REFUSED_KEPT_SECONDS = DAY

/** A self-registered app is deleted this long after its registration or after the end of its last credential. */
export const UNUSED_APP_SECONDS = 90 * DAY

/** RATE-5. Above this number of self-registered apps without consent, the oldest are deleted once an hour old. */
export const UNUSED_APPS_AT_MOST = 100_000
export const UNUSED_APP_SPARED_SECONDS = HOUR

export const OWN_APPS_AT_MOST = 100

/** The maximum number of redirect URIs of an app, and the maximum bytes of one redirect URI. */
export const REDIRECT_URIS_AT_MOST = 20
export const REDIRECT_URI_BYTES_AT_MOST = 2000

/** The total bytes of the redirect URIs of a self-registered app. Any caller can make the service store them. */
export const OPEN_REDIRECT_URIS_BYTES_AT_MOST = 8192

/** The maximum number of names in the setting `registration.schemes`. */
export const REDIRECT_SCHEMES_AT_MOST = 100

/** The maximum number of resources in an authorization request (RFC 8707), and the maximum bytes of one resource. */
export const RESOURCES_AT_MOST = 8
export const RESOURCE_BYTES_AT_MOST = 2000

/**
 * The total length of the resources and the label of a device grant, which any caller can make the service store: the
 * longest resource and the longest label, in UTF-16 units.
 */
export const DEVICE_TEXTS_LENGTH_AT_MOST = RESOURCE_BYTES_AT_MOST + 200

/** The maximum length of `state`. Some clients seal their whole session into it. */
export const STATE_LENGTH_AT_MOST = 4096
export const NONCE_LENGTH_AT_MOST = 512
export const ID_TOKEN_SECONDS = HOUR

export const PERMISSION_NAME_LENGTH_AT_MOST = 100

export const GROUP_NAME_LENGTH_AT_MOST = 64
export const GROUP_TITLE_LENGTH_AT_MOST = 100
export const GROUPS_OF_ACCOUNT_AT_MOST = 50
export const GROUPS_OF_APP_AT_MOST = 50

/** The length of a PKCE verifier: RFC 7636 §4.1. */
export const CODE_VERIFIER_LENGTH = { least: 43, most: 128 } as const

/** The length of a SHA-256 digest in base64url without padding. */
export const CODE_CHALLENGE_LENGTH = 43

export const CLIENT_NAME_LENGTH_AT_MOST = 100
export const INSTALLATION_NAME_LENGTH_AT_MOST = 100
export const BODY_BYTES_AT_MOST = 64 * 1024
export const FORM_PARAMETERS_AT_MOST = 100

/** The length of an id that another service gave an account or an app. */
export const USER_ID_LENGTH_AT_MOST = 255

/** The bounds of the setting `step_up.window_seconds`. */
export const STEP_UP_SECONDS = { least: MINUTE, most: DAY } as const

/** The maximum length, in code points, of the reason that an app gives for a step-up. */
export const STEP_UP_REASON_LENGTH_AT_MOST = 140

/** The bounds of the setting `token.access_seconds`. */
export const ACCESS_SECONDS = { least: MINUTE, most: DAY } as const

/** The bounds of the lifetime of JWT access tokens, which the configuration file sets for a resource server. */
export const JWT_SECONDS = { least: MINUTE, usual: 5 * MINUTE, most: 15 * MINUTE } as const

/** The longest JWT access token. It is parsed before its signature is checked. */
export const JWT_LENGTH_AT_MOST = 16 * 1024

/** After this many unknown user codes, an account or an IP address must wait. RFC 8628 §5.1. */
export const USER_CODE_TRIES = {
  account: { requests: 5, seconds: 10 * MINUTE },
  address: { requests: 10, seconds: 10 * MINUTE },
} as const

/** The bounds of the setting `events.retention_days`, which says how long the audit trail is kept. */
export const EVENTS_KEPT_DAYS = { least: 7, usual: 400, most: 3650 } as const

/** How long the event of a self-registration is kept if nothing else happens with the app. */
export const UNUSED_REGISTRATION_EVENT_SECONDS = 7 * DAY

/** How long statistics are kept, by the length of their buckets. */
export const TALLIES_KEPT_SECONDS = { minute: DAY, hour: 40 * DAY, day: 400 * DAY } as const

/** The length of an assertion, which is in a URL, and its longest lifetime: LOGIN-4. */
export const APPLICATION_ASSERTION_LENGTH_AT_MOST = 8192
export const APPLICATION_ASSERTION_SECONDS = 60

/** The limits on the upload of an app's icon: the bytes of the file, and the pixels of the decoded image. */
export const ICON_BYTES_AT_MOST = 512 * 1024
export const ICON_PIXELS_AT_MOST = 2048 * 2048

/** A stored icon is a square with sides of this many pixels. */
export const ICON_SIDE = 256

/** A stored logo of the service is at most this wide and this high, in pixels. */
export const LOGO_SIDE_AT_MOST = 512

export const APPEARANCE_NAME_LENGTH_AT_MOST = 60

/** A node keeps recent refusals in memory. These limits apply to the refusals of an app and to the number of apps. */
export const REFUSALS_KEPT = 20
export const APPS_WITH_REFUSALS_KEPT = 1000

/** The limits of a client assertion: its length, its lifetime, and the allowed difference of clocks. RFC 7523 §3. */
export const ASSERTION_LENGTH_AT_MOST = 16 * 1024
export const ASSERTION_SECONDS_AT_MOST = 10 * MINUTE
export const ASSERTION_SKEW_SECONDS = 30

/**
 * A used assertion is kept this long after it expires, for a clock that is set back. A row takes 170 bytes, so an app
 * that sends 100 assertions a second has about 65 MB. The 7 days of other rows would be 10 GB.
 */
export const ASSERTIONS_KEPT_SECONDS = HOUR

/** The limits of a key set: its length, the number of keys, and the size of an RSA key. RFC 7518 §3.3. */
export const KEY_SET_BYTES_AT_MOST = 64 * 1024
export const KEYS_AT_MOST = 20
/** The same for the set of an issuer that the operator named. Entra publishes certificates in it. */
export const ISSUER_KEY_SET_BYTES_AT_MOST = 128 * 1024
export const ISSUER_KEYS_AT_MOST = 100
export const RSA_BITS = { least: 2048, most: 8192 } as const

/** Keys at a `jwks_uri`: how long a copy is fresh, how long it is used when stale, and the time between requests. */
export const FETCHED_KEYS_FRESH_SECONDS = 15 * MINUTE
export const FETCHED_KEYS_KEPT_SECONDS = 7 * DAY
export const FETCHED_KEYS_PAUSE_SECONDS = MINUTE

/** The maximum length of the key set of a self-registered app. */
export const OPEN_KEY_SET_BYTES_AT_MOST = 8 * 1024
/** Tasks that wait in memory after their response. Further requests are refused. */
export const BACKGROUND_TASKS_AT_MOST = 200

/** The fewest characters of LATCHKEY_SECRET_KEY. */
export const SECRET_LENGTH_AT_LEAST = 32
