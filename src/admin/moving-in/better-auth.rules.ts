/**
 * `import better-auth`: its tables, as an object with one list for each table. Versions before the package
 * `@better-auth/oauth-provider` have `oauthApplication`, and refresh tokens in `oauthAccessToken`. That package has
 * `oauthClient` and `oauthRefreshToken`, with the SHA-256 of secrets and tokens.
 */
import type { JsonObject } from "../../kernel/json.ts"
import { accountOf } from "./account.rules.ts"
import { isTrueIn, separatedTextsIn, textIn, timeIn } from "./members.rules.ts"
import { appOf, leftBehind, type Moved, type MovedToken, otherMethodOf, type Skipped } from "./moved.rules.ts"
import { betterAuthHash, importedHash } from "./password-dialect.rules.ts"

/** `password` is the password of the user's `account` row, or an empty text. */
export function betterAuthUser(user: JsonObject, password: string): Moved {
  const username = textIn(user, "username") || textIn(user, "email")
  const account = {
    userId: textIn(user, "id"),
    username,
    hash: password,
    passwordHash: betterAuthHash(password) ?? importedHash(password),
    enabled: !isTrueIn(user, "banned"),
    createdAt: timeIn(user, "createdAt"),
    otpSecrets: [],
  }
  return accountOf(account, isTrueIn(user, "twoFactorEnabled") ? [secondFactorOf(username)] : [])
}

function secondFactorOf(name: string): Skipped {
  return { what: "one-time password", name, reason: "better-auth has encrypted it. Add a new one." }
}

/** A row of `oauthApplication`. */
export function betterAuthApp(app: JsonObject): Moved {
  const column = app.has("redirectURLs") ? "redirectURLs" : "redirectUrls"
  return appOf({
    clientId: textIn(app, "clientId"),
    name: textIn(app, "name"),
    type: textIn(app, "type") === "public" ? "public" : "confidential",
    secret: textIn(app, "clientSecret") || null,
    secretDigest: null,
    redirectUris: separatedTextsIn(app, column, ","),
    permissions: [],
    enabled: !isTrueIn(app, "disabled"),
  })
}

const DIGEST = /^[A-Za-z0-9_-]{43}$/

/** Scopes of OpenID Connect and OAuth itself. They are not permissions of this service. */
const OPENID: ReadonlySet<string> = new Set(["openid", "profile", "email", "offline_access"])

/** A row of `oauthClient`. */
export function betterAuthClient(client: JsonObject): Moved {
  const secret = textIn(client, "clientSecret")
  const other = otherMethodOf(textIn(client, "tokenEndpointAuthMethod"))
  return appOf({
    clientId: textIn(client, "clientId"),
    name: textIn(client, "name"),
    type: textIn(client, "tokenEndpointAuthMethod") === "none" ? "public" : "confidential",
    secret: null,
    secretDigest: DIGEST.test(secret) && !("otherMethod" in other) ? secret : null,
    ...other,
    redirectUris: separatedTextsIn(client, "redirectUris", ","),
    permissions: separatedTextsIn(client, "scopes", " ").filter((name) => !OPENID.has(name)),
    enabled: !isTrueIn(client, "disabled"),
  })
}

/** Returns null for a row without a refresh token. `digestOf` returns the hexadecimal SHA-256. */
export function betterAuthToken(row: JsonObject, digestOf: (token: string) => string): MovedToken | null {
  const token = textIn(row, "refreshToken")
  return token === "" ? null : tokenOf(row, digestOf(token), "refreshTokenExpiresAt")
}

/** A row of `oauthRefreshToken`. `hexOf` writes base64url in hexadecimal. */
export function betterAuthRefreshToken(row: JsonObject, hexOf: (digest: string) => string): Moved {
  const isLive = ["revoked", "rotatedAt"].every((name) => (row.get(name) ?? null) === null)
  if (!isLive) return leftBehind()
  const name = `${textIn(row, "userId")} ${textIn(row, "clientId")}`
  const skip = (reason: string) => leftBehind({ what: "token", name, reason })
  const digest = textIn(row, "token")
  if (!DIGEST.test(digest)) return skip("It is not stored as a SHA-256 digest.")
  if ((row.get("confirmation") ?? null) !== null) return skip("It is bound to a key of the app.")
  if (separatedTextsIn(row, "resources", " ").length > 0)
    return skip("It is for one API alone. Here it would be for every API.")
  return { kind: "token", token: tokenOf(row, hexOf(digest), "expiresAt"), skipped: [] }
}

function tokenOf(row: JsonObject, digest: string, end: string): MovedToken {
  return {
    digest,
    signature: null,
    clientId: textIn(row, "clientId"),
    userId: textIn(row, "userId"),
    scope: separatedTextsIn(row, "scopes", " "),
    endsAt: timeIn(row, end) ?? 0,
  }
}
