/**
 * The limits of the interface, written down a second time. The model takes them from the documents, never from the
 * service.
 */

export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** LIM-1: the lifetime of an authorization code. */
export const CODE_SECONDS = 10 * MINUTE
/** LIM-2: the lifetime of a device grant. */
export const DEVICE_SECONDS = 10 * MINUTE
/** LIM-3: the poll interval, and how much each early poll adds to it. */
export const POLL_SECONDS = 5
/** A poll may come this many seconds too early. */
export const POLL_SLACK_SECONDS = 0.5
/** LIM-4: how long a retired refresh token gives the same response again. */
export const GRACE_SECONDS = 60
/** How long responses are derived with one key: docs/interface.md, "Refresh". */
export const HALF_MINUTE = 30
/** LIM-5: a credential ends after this long without a refresh. */
export const IDLE_SECONDS = 90 * DAY
/** LIM-6: a credential ends this long after its consent. */
export const CREDENTIAL_SECONDS = 365 * DAY
/** The defaults of the settings. */
export const ACCESS_SECONDS = HOUR
export const STEP_UP_SECONDS = 15 * MINUTE
/** The maximum number of access tokens: docs/interface.md, "Refresh". */
export const ACCESS_TOKENS_AT_MOST = 32
/** How long a consent is remembered: OIDC-16. */
export const REMEMBERED_SECONDS = 365 * DAY
/** The number of codes without a page, of an account and app within an hour: OIDC-16. */
export const SILENT_CODES = { most: 60, seconds: HOUR } as const
/** The number of credentials of one browser session, app and label that remembered consents leave: OIDC-18. */
export const KEPT_OF_SESSION = 4
/** How long a page may stay open: docs/interface.md, "Consent" and "Device flow". */
export const PAGE_SECONDS = 10 * MINUTE
/** A time that is ahead by at most this much is not in the future: docs/interface.md, "Clock". */
export const AHEAD_SECONDS = 5
/**
 * If something lasts longer than this from now, it was made before the clock was set back: docs/interface.md, "Clock".
 */
export const SHORT_LIFE_SECONDS = 2 * DAY
/** The number of invalid codes within ten minutes: docs/interface.md, "Device flow". */
export const WRONG_CODES = { account: 5, address: 10, seconds: 10 * MINUTE } as const
/** The number of wrong one-time passwords within ten minutes: docs/interface.md, "Second factors". */
export const WRONG_PASSWORDS = { account: 5, seconds: 10 * MINUTE } as const
/** The length of the steps of one-time passwords: RFC 6238. */
export const OTP_STEP_SECONDS = 30
