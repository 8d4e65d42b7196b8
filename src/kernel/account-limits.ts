/** The limits of accounts that a person can notice: passwords, factors, sessions, mails and their links. */
import { DAY, HOUR, MINUTE } from "./time.ts"

export const USERNAME_LENGTH_AT_MOST = 64
export const PASSWORD_LENGTH = { least: 8, most: 1024 } as const

/** A session ends after this time without a request. */
export const SESSION_IDLE_SECONDS = 14 * DAY

/** A session ends this long after sign-in at the latest. */
export const SESSION_SECONDS = 90 * DAY

/** The sessions of an account. A sign-in beyond them ends the one that was not seen for the longest time. */
export const SESSIONS_AT_MOST = 200

/** A browser without a visit for this long is no longer treated as known by the rate limits of sign-in. */
export const BROWSER_KNOWN_SECONDS = 180 * DAY

/** After this many wrong passwords, an account, an IP address, or a network (/24, for IPv6 /48) must wait. */
export const PASSWORD_TRIES = {
  account: { requests: 10, seconds: 10 * MINUTE },
  address: { requests: 30, seconds: 10 * MINUTE },
  network: { requests: 300, seconds: 10 * MINUTE },
} as const

/** RFC 6238 §5.2. The codes of the previous step and of the next step are accepted too. */
export const OTP_STEP_SECONDS = 30
export const OTP_STEPS_AROUND = 1

/** The maximum number of TOTP factors and passkeys of an account. Recovery codes do not count. */
export const FACTORS_AT_MOST = 20
export const FACTOR_NAME_LENGTH_AT_MOST = 100

export const RECOVERY_CODES = 10

/** After this many wrong codes, an account must wait. RFC 6238 §5.1, RFC 4226 §7.3. */
export const FACTOR_CODE_TRIES = { requests: 5, seconds: 10 * MINUTE } as const

/** Wrong codes in a row from unknown browsers. Then only known ones may try. NIST SP 800-63B §5.2.2 allows 100. */
export const CODE_FAILURES_AT_MOST = 100

/** Failed passkey checks of an IP address. A passkey cannot be guessed, but each check costs CPU time. */
export const PASSKEY_TRIES = { requests: 30, seconds: 10 * MINUTE } as const
/** For this time after the word of an application, its session authorizes: LOGIN-1. */
export const APPLICATION_SESSION_MINUTES = { least: 1, most: 1440, usual: 10 } as const

/** Sign-ins through providers without success: of one address or one known browser, and of a wide network. */
export const PROVIDER_TRIES = {
  one: { requests: 30, seconds: 10 * MINUTE },
  network: { requests: 120, seconds: 10 * MINUTE },
} as const

/** The browser must answer a passkey challenge within this time. */
export const CHALLENGE_SECONDS = 5 * MINUTE

/** The second step must follow the password within this time. */
export const SECOND_STEP_SECONDS = 10 * MINUTE

/** A new TOTP secret must be confirmed by a code within this time. */
export const ENROLMENT_SECONDS = 30 * MINUTE

/** A proven factor counts as recent for this long. */
export const FRESH_PROOF_SECONDS = 5 * MINUTE

/** RFC 5321 §4.5.3.1. */
export const EMAIL_ADDRESS_LENGTH = { local: 64, whole: 254 } as const

/** How long a one-time link works. The link that restores an address outlives a weekend. */
export const CONFIRM_LINK_SECONDS = HOUR
export const RECOVER_LINK_SECONDS = 30 * MINUTE
export const RESTORE_LINK_SECONDS = 7 * DAY
/** A link must still work for this long when its mail is sent. */
export const LINK_LEFT_SECONDS = 10 * MINUTE

/** How many days an invitation works. */
export const INVITATION_DAYS = { least: 1, usual: 7, most: 90 } as const

/** A notice that could not be sent for this long is given up. */
export const NOTICE_KEPT_SECONDS = 2 * DAY

/** The mails of one kind that an account gets within a day. */
export const MAILS_OF_A_KIND_AT_MOST = 20

/** Recovery mails of an account. Strangers can use up only a part, so a known browser always gets a link. */
export const RECOVERY_MAILS = { stranger: { hour: 3, day: 12 }, known: { hour: 6, day: 20 } } as const
/** Requests for them: per address, per /24 or /48, per address and name, and those that leave an event per name. */
export const RECOVERY_TRIES = {
  address: { requests: 20, seconds: HOUR },
  network: { requests: 60, seconds: HOUR },
  name: { requests: 5, seconds: HOUR },
  events: { requests: 30, seconds: HOUR },
} as const
/**
 * Mails to confirm an address: those that an account may ask for in all and to one address, and those that go to one
 * address for all accounts. The tries of one account therefore use up none of another.
 */
export const EMAIL_TRIES = {
  account: { requests: 20, seconds: DAY },
  address: { requests: 5, seconds: DAY },
  mails: { requests: 20, seconds: DAY },
} as const
