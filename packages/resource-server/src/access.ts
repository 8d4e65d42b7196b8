/** The introspection response for an active token (RFC 7662 §2.2). */

export type Access = {
  /** The account that consented. */
  readonly accountId: string
  readonly username: string
  /** The app that holds the token. */
  readonly clientId: string
  /** The credential: one consent of one account to one copy of an app. */
  readonly tokenId: string
  /** The permissions that the token has now, including implied ones. */
  readonly permissions: readonly string[]
  /** The resources that the app named (RFC 8707); empty if it named none. */
  readonly audience: readonly string[]
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
  /** Until when the credential is elevated, or null. Seconds since 1970. */
  readonly elevatedUntil: number | null
}

/**
 * Reads an introspection response; null for a token that is not active. Throws if it is not a response of `issuer`. The
 * result is frozen, because all requests with this token share it.
 */
export function readIntrospection(body: unknown, issuer: string): Access | null {
  const answer = objectOf(body)
  if (answer["active"] === false) return null
  if (answer["active"] !== true) throw new Error("the response does not say whether the token is active")
  if (answer["iss"] !== issuer)
    throw new Error(`the issuer of the response is ${String(answer["iss"])}, not ${issuer}`)
  return Object.freeze({
    accountId: text(answer, "sub"),
    username: text(answer, "username"),
    clientId: text(answer, "client_id"),
    tokenId: text(answer, "token_id"),
    permissions: Object.freeze(words(text(answer, "scope"))),
    audience: Object.freeze(audience(answer["aud"])),
    issuedAt: instant(answer, "iat"),
    expiresAt: instant(answer, "exp"),
    elevatedUntil: answer["elevated_until"] === undefined ? null : instant(answer, "elevated_until"),
  })
}

type Members = Readonly<Record<string, unknown>>

function objectOf(body: unknown): Members {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Error("the response is not a JSON object")
  return body as Members
}

function text(answer: Members, name: string): string {
  const value = answer[name]
  if (typeof value !== "string") throw new Error(`the response has no valid ${name}`)
  return value
}

function instant(answer: Members, name: string): number {
  const value = answer[name]
  if (typeof value !== "number" || !Number.isFinite(value))
    throw new Error(`the response has no valid ${name}`)
  return value
}

function words(scope: string): string[] {
  return scope.split(" ").filter((word) => word !== "")
}

/** RFC 7519 §4.1.3: one string or several. */
function audience(value: unknown): string[] {
  if (value === undefined) return []
  const named = Array.isArray(value) ? value : [value]
  if (!named.every((one) => typeof one === "string"))
    throw new Error("the aud of the response is not a string")
  return named
}
