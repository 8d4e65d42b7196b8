/** Objects of an export, as the parsers of the sources get them. */
import { type JsonObject, parseJson } from "../../../src/kernel/json.ts"
import type { MovedAccount, MovedApp } from "../../../src/admin/moving-in/moved.rules.ts"

export function jsonObject(value: object): JsonObject {
  const parsed = parseJson(JSON.stringify(value))
  if (!(parsed instanceof Map)) throw new Error("not an object")
  return parsed as JsonObject
}

/** A hash that the service accepts. */
export const BCRYPT = `$2b$10$${"a".repeat(53)}`

export function movedAccount(differing: Partial<MovedAccount> = {}): MovedAccount {
  return {
    userId: "old-1",
    username: "ada",
    passwordHash: BCRYPT,
    enabled: true,
    createdAt: null,
    otpSecrets: [],
    ...differing,
  }
}

export function movedApp(differing: Partial<MovedApp> = {}): MovedApp {
  return {
    clientId: "old-app.1",
    name: "Old app",
    type: "confidential",
    secret: "s".repeat(32),
    secretDigest: null,
    redirectUris: ["https://app.example/callback"],
    permissions: ["account:read"],
    enabled: true,
    ...differing,
  }
}
