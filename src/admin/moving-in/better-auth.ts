/** Passwords are in another table than their users, so both are kept in memory until the end. */
import { createHash } from "node:crypto"
import type { JsonObject } from "../../kernel/json.ts"
import {
  betterAuthApp,
  betterAuthClient,
  betterAuthRefreshToken,
  betterAuthToken,
  betterAuthUser,
} from "./better-auth.rules.ts"
import { jsonElements } from "./json-file.ts"
import { textIn } from "./members.rules.ts"
import type { Moved } from "./moved.rules.ts"

const LISTS = ["user", "account", "oauthApplication", "oauthAccessToken", "oauthClient", "oauthRefreshToken"]

const digestOf = (token: string) => createHash("sha256").update(token).digest("hex")
const hexOf = (digest: string) => Buffer.from(digest, "base64url").toString("hex")

export async function* readBetterAuth(pieces: AsyncIterable<string>): AsyncGenerator<Moved> {
  const users: JsonObject[] = []
  const passwords = new Map<string, string>()
  for await (const { list, value } of jsonElements(pieces, LISTS)) {
    if (list === "user") users.push(value)
    else if (list === "oauthApplication") yield betterAuthApp(value)
    else if (list === "oauthClient") yield betterAuthClient(value)
    else if (list === "oauthRefreshToken") yield betterAuthRefreshToken(value, hexOf)
    else if (list === "account") {
      if (textIn(value, "password") !== "") passwords.set(textIn(value, "userId"), textIn(value, "password"))
    } else {
      const token = betterAuthToken(value, digestOf)
      if (token !== null) yield { kind: "token", token, skipped: [] }
    }
  }
  for (const user of users) yield betterAuthUser(user, passwords.get(textIn(user, "id")) ?? "")
}
