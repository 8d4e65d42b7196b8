/** `import better-auth`: its tables, as an object with one list for each table. */
import type { JsonObject } from "../kernel/json.ts"
import { textIn, timeIn } from "./members.rules.ts"
import type { Moved, MovedToken } from "./moved.rules.ts"
import { betterAuthHash, importedHash, unusablePassword } from "./password-dialect.rules.ts"

/** `password` is the password of the user's `account` row, or an empty text. */
export function betterAuthUser(user: JsonObject, password: string): Moved {
  const username = textIn(user, "username") || textIn(user, "email")
  const passwordHash = password === "" ? null : (betterAuthHash(password) ?? importedHash(password))
  return {
    kind: "account",
    account: {
      userId: textIn(user, "id"),
      username,
      passwordHash,
      enabled: user.get("banned") !== true && user.get("banned") !== 1,
      createdAt: timeIn(user, "createdAt"),
      otpSecrets: [],
    },
    skipped: passwordHash === null ? [unusablePassword(username, password)] : [],
  }
}

export function betterAuthApp(app: JsonObject): Moved {
  const clientId = textIn(app, "clientId")
  return {
    kind: "app",
    app: {
      clientId,
      name: textIn(app, "name") || clientId,
      type: textIn(app, "type") === "public" ? "public" : "confidential",
      secret: textIn(app, "clientSecret") || null,
      redirectUris: words(textIn(app, "redirectURLs") || textIn(app, "redirectUrls"), ","),
      permissions: [],
      enabled: app.get("disabled") !== true && app.get("disabled") !== 1,
    },
    skipped: [],
  }
}

/** Returns null for a row without a refresh token. `digestOf` returns the hexadecimal SHA-256. */
export function betterAuthToken(row: JsonObject, digestOf: (token: string) => string): MovedToken | null {
  const token = textIn(row, "refreshToken")
  if (token === "") return null
  return {
    digest: digestOf(token),
    signature: null,
    clientId: textIn(row, "clientId"),
    userId: textIn(row, "userId"),
    scope: words(textIn(row, "scopes"), " "),
    endsAt: timeIn(row, "refreshTokenExpiresAt") ?? 0,
  }
}

function words(text: string, separator: string): readonly string[] {
  return text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== "")
}
