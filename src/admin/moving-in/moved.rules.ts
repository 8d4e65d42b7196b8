/** What a source contains, in the form of this service. Each source has a parser that returns these records. */
import type { ClientType } from "../../model/clients/client.rules.ts"

/** The values are checked later, in the same way for every source. */
export type MovedAccount = {
  readonly userId: string
  readonly username: string
  /** A hash in one of the forms of `password-hash.rules.ts`. Null if this service cannot check one. */
  readonly passwordHash: string | null
  readonly enabled: boolean
  /** Seconds since 1970, or null if the source does not say it. */
  readonly createdAt: number | null
  /** The secrets of one-time passwords in base32, with six digits, 30 seconds and SHA-1. */
  readonly otpSecrets: readonly string[]
}

export type MovedApp = {
  readonly clientId: string
  readonly name: string
  readonly type: ClientType
  /** Null if the source hides it. */
  readonly secret: string | null
  /** The SHA-256 of the secret in base64url, or null. Some sources store only that. */
  readonly secretDigest: string | null
  /** How the app authenticates at the source, if it is neither by a secret nor without one. It then has no secret. */
  readonly otherMethod?: string
  readonly redirectUris: readonly string[]
  readonly permissions: readonly string[]
  readonly enabled: boolean
}

export type MovedToken = {
  /** Hexadecimal SHA-256 of the token, or null if the line has the MAC of a Hydra token. */
  readonly digest: string | null
  readonly signature: string | null
  readonly clientId: string
  readonly userId: string
  readonly scope: readonly string[]
  readonly endsAt: number
}

/** What does not move in. `name` is that of its account or app. */
export type Skipped = {
  readonly what:
    | "account"
    | "password"
    | "required action"
    | "one-time password"
    | "app"
    | "redirect URI"
    | "permission"
    | "secret"
    | "token"
  readonly name: string
  readonly reason: string
}

export type Moved =
  | { readonly kind: "account"; readonly account: MovedAccount; readonly skipped: readonly Skipped[] }
  | { readonly kind: "app"; readonly app: MovedApp; readonly skipped: readonly Skipped[] }
  | { readonly kind: "token"; readonly token: MovedToken; readonly skipped: readonly Skipped[] }
  | { readonly kind: "skipped"; readonly skipped: readonly Skipped[] }

/** An app without a name is called by its `client_id`. */
export function appOf(app: MovedApp): Moved {
  return { kind: "app", app: { ...app, name: app.name || app.clientId }, skipped: [] }
}

/** Returns the method in the words of RFC 7591 §2, if it is one that moves no secret in. */
export function otherMethodOf(method: string): { readonly otherMethod?: string } {
  return method === "" || /^(?:none|client_secret_basic|client_secret_post)$/.test(method)
    ? {}
    : { otherMethod: method.replace(/[^\w.-]/g, "").slice(0, 60) }
}

export function leftBehind(...skipped: readonly Skipped[]): Moved {
  return { kind: "skipped", skipped }
}
