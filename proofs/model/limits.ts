/** The interface's limits, written down once more: what the model says comes from the documents, never from the service. */

export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** LIM-1: life of an authorization code. */
export const CODE_SECONDS = 10 * MINUTE
/** LIM-2: life of a device grant. */
export const DEVICE_SECONDS = 10 * MINUTE
/** LIM-3: the interval of polls, and what each poll that comes early adds to it. */
export const POLL_SECONDS = 5
/** How much a poll may come before its time. */
export const POLL_SLACK_SECONDS = 0.5
/** LIM-4: how long a retired refresh token yields its answer again. */
export const GRACE_SECONDS = 60
/** docs/interface.md, "Refresh": how long answers are derived with one key. */
export const HALF_MINUTE = 30
/** LIM-5: a credential ends after this long without a refresh. */
export const IDLE_SECONDS = 90 * DAY
/** LIM-6: a credential ends so long after its consent. */
export const CREDENTIAL_SECONDS = 365 * DAY
/** The defaults of the settings. */
export const ACCESS_SECONDS = HOUR
export const STEP_UP_SECONDS = 15 * MINUTE
/** docs/interface.md, "Refresh". */
export const ACCESS_TOKENS_AT_MOST = 32
/** docs/interface.md, "Consent" and "Device flow": how long a page may lie open. */
export const PAGE_SECONDS = 10 * MINUTE
/** docs/interface.md, "Clock": so far ahead is no future. */
export const AHEAD_SECONDS = 5
/** docs/interface.md, "Clock": what has more than this left was made before the clock was set back. */
export const SHORT_LIFE_SECONDS = 2 * DAY
/** docs/interface.md, "Device flow": invalid codes in ten minutes. */
export const WRONG_CODES = { account: 5, address: 10, seconds: 10 * MINUTE } as const
/** docs/interface.md, "Second factors": wrong one-time passwords, in ten minutes. */
export const WRONG_PASSWORDS = { account: 5, seconds: 10 * MINUTE } as const
/** RFC 6238: a one-time password is of one of these steps. */
export const OTP_STEP_SECONDS = 30
