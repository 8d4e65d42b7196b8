/** The introspection response for an active token (RFC 7662 §2.2). */

export type Access = {
  /** The account that consented, or the service account that the app acts as. */
  readonly accountId: string
  readonly username: string
  /** Only programs use a service account. It cannot sign in. */
  readonly accountType: "person" | "service"
  /** The app that holds the token. */
  readonly clientId: string
  /** The credential: one consent of one account to one copy of an app. */
  readonly tokenId: string
  /** The permissions that the token has now, including implied ones. */
  readonly permissions: readonly string[]
  /** The groups of the account, sorted. */
  readonly groups: readonly string[]
  /** The resources that the app named (RFC 8707). The list is empty if it named none. */
  readonly audience: readonly string[]
  /** The time in seconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
  /** The end of the elevation, in seconds since 1970. Null if the credential is not elevated. */
  readonly elevatedUntil: number | null
  /**
   * The users of products that the account is linked to, sorted by provider. Only entries of your own provider are
   * yours. If there are several of them, refuse the request.
   */
  readonly identities: readonly Identity[]
}

/** The user of a product, where people sign in at an `application`. */
export type Identity = {
  /** The name of the application in the configuration of the service. */
  readonly provider: string
  /** The `sub` of its assertions. */
  readonly subject: string
}

/**
 * Reads an introspection response. Returns null for a token that is not active. Throws if the response is invalid or
 * has another issuer. The result is frozen, because all requests with this token share it.
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
    accountType: accountType(answer["account_type"]),
    clientId: text(answer, "client_id"),
    tokenId: text(answer, "token_id"),
    permissions: Object.freeze(words(text(answer, "scope"))),
    groups: Object.freeze(groups(answer["groups"])),
    audience: Object.freeze(audience(answer["aud"])),
    issuedAt: instant(answer, "iat"),
    expiresAt: instant(answer, "exp"),
    elevatedUntil: answer["elevated_until"] === undefined ? null : instant(answer, "elevated_until"),
    identities: Object.freeze(identities(answer["identities"])),
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

/** Earlier versions of the service do not send this member, because all their accounts belong to persons. */
function accountType(value: unknown): Access["accountType"] {
  if (value === undefined || value === "person") return "person"
  if (value === "service") return "service"
  throw new Error("the response has no valid account_type")
}

/** Earlier versions of the service do not send this member, because they have no groups. */
function groups(value: unknown): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
    throw new Error("the response has no valid groups")
  return [...value]
}

/** Only the response for an account that is linked to an application has this member. */
function identities(value: unknown): Identity[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new Error("the response has no valid identities")
  return value.map((one: unknown) => {
    const { provider, subject } = (one ?? {}) as Members
    if (typeof provider !== "string" || typeof subject !== "string")
      throw new Error("the response has no valid identities")
    return Object.freeze({ provider, subject })
  })
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

/** The member `aud` is a string or an array of strings. RFC 7519 §4.1.3. */
function audience(value: unknown): string[] {
  if (value === undefined) return []
  const named = Array.isArray(value) ? value : [value]
  if (!named.every((one) => typeof one === "string"))
    throw new Error("the aud of the response is not a string")
  return named
}
