/**
 * The part of a product that signs people in for the service: it answers each request with a signed assertion about the
 * person. docs/your-login.md explains it.
 */
import { importKey, type SignInKey } from "./sign-in-key.ts"
import { addressOf } from "./resource.ts"

/** The person who is signed in to the product. A member that is null or absent is left out. */
export type SignInPerson = {
  /** The id of the user in the product, which never changes and is never given to another user. */
  readonly sub: string
  readonly username?: string | null | undefined
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  /** Whether the product has confirmed that the address is the person's. Without it the address counts as unconfirmed. */
  readonly emailVerified?: boolean | null | undefined
  readonly groups?: readonly string[] | null | undefined
  /** When the person last proved who they are, in seconds since 1970. */
  readonly authTime?: number | null | undefined
  /** How they proved it: values of RFC 8176, such as `pwd` or `otp`. */
  readonly amr?: readonly string[] | null | undefined
}

export type SignInOptions = SignInKey & {
  /** The base URL of the service. */
  readonly issuer: string
  /** The name of the product in `sign_in_providers` of the service. */
  readonly provider: string
  /** The time in seconds since 1970. Tests replace it. */
  readonly now?: () => number
}

/** The query of the request: a `URLSearchParams`, or the parsed query of a framework. */
export type SignInQuery = URLSearchParams | Readonly<Record<string, unknown>>

/** The request did not come from the service. Frameworks that read `status` answer it with 400. */
export class SignInRequestError extends Error {
  override readonly name = "SignInRequestError"
  readonly status = 400
  readonly statusCode = 400
}

const SECONDS = 60
/** The service reads no more of a query. */
const MAX_URL_LENGTH = 8192
/** A person who comes back from the form of the product needs not fill it in again. */
const GRACE_SECONDS = 30

/**
 * Returns the URL to which the product redirects. It is always the callback of the service, and carries an assertion
 * that is valid once, for a minute, in this browser. Throws `SignInRequestError` if the service did not make this request,
 * and `TypeError` for wrong options and for a person whose members are not valid.
 */
export async function signInUrl(
  query: SignInQuery,
  person: SignInPerson,
  options: SignInOptions,
): Promise<string> {
  const { issuer, provider, now = systemNow } = options
  addressOf(issuer, "issuer")
  if (!/^[\w.~-]+$/.test(provider)) throw new TypeError("provider: it is not the name of a provider")
  // The service publishes its issuer without a trailing slash.
  const audience = issuer.replace(/\/$/, "")
  const key = await importKey(options)
  const seconds = Math.floor(now())
  const claims = claimsOf(person, seconds)
  const callback = `${audience}/sign-in/with/${provider}/callback`
  if (parameterOf(query, "return_to") !== callback)
    throw new SignInRequestError(`return_to is not ${callback}`)
  const challenge = parameterOf(query, "challenge")
  if (challenge === null) throw new SignInRequestError("challenge is missing")
  const assertion = await key.sign({
    iss: provider,
    aud: audience,
    ...claims,
    challenge,
    iat: seconds,
    exp: seconds + SECONDS,
    jti: crypto.randomUUID(),
  })
  const url = `${callback}?assertion=${assertion}`
  if (url.length > MAX_URL_LENGTH) throw new TypeError("the person has too many groups, or too long names")
  return url
}

/**
 * Whether the product must ask the person for their password or passkey, although they are signed in, before it calls
 * `signInUrl`: the service demands it (`max_age`), and `authTime`, in seconds since 1970, is longer ago.
 */
export function needsNewSignIn(
  query: SignInQuery,
  authTime: number | null | undefined,
  now = systemNow,
): boolean {
  const maxAge = parameterOf(query, "max_age")
  if (maxAge === null) return false
  const seconds = /^\d{1,9}$/.test(maxAge) ? Number(maxAge) : 0
  return typeof authTime !== "number" || !(now() - authTime <= Math.max(seconds, GRACE_SECONDS))
}

/** Returns a parameter that the query has exactly once, and that is not empty. */
function parameterOf(query: SignInQuery, name: string): string | null {
  const all: unknown = query instanceof URLSearchParams ? query.getAll(name) : query[name]
  const [value, ...more] = Array.isArray(all) ? (all as unknown[]) : [all]
  return typeof value === "string" && value !== "" && more.length === 0 ? value : null
}

const UNSEEN = /[\s\p{Cc}\p{Cf}]/u

function claimsOf(person: SignInPerson, now: number): Readonly<Record<string, unknown>> {
  const { sub, username, name, email, emailVerified, groups, authTime, amr } = person
  if (typeof sub !== "string" || sub === "" || sub.length > 255 || UNSEEN.test(sub))
    throw new TypeError("sub: it is not a text of 1 to 255 visible characters without white space")
  if (typeof authTime === "number" && !(authTime <= now + SECONDS))
    throw new TypeError("authTime: it is in the future; it counts seconds since 1970")
  const claims = {
    sub,
    username,
    name,
    email,
    email_verified: typeof email === "string" ? emailVerified === true : undefined,
    groups,
    auth_time: typeof authTime === "number" ? Math.floor(authTime) : undefined,
    amr,
  }
  return Object.fromEntries(
    Object.entries(claims).filter(([, value]) => value !== undefined && value !== null),
  )
}

function systemNow(): number {
  return Date.now() / 1000
}
