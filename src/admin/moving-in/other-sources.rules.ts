/** `import hydra`, `kratos` and `auth0`. Each element of the file is one app or one account. */
import type { JsonObject } from "../../kernel/json.ts"
import { accountOf } from "./account.rules.ts"
import { objectIn, textIn, textsIn, timeIn } from "./members.rules.ts"
import { appOf, type Moved, otherMethodOf } from "./moved.rules.ts"
import { otpauthSecret, passkeyOf, recoveryCodesOf } from "./otp.rules.ts"

/** An app, as `hydra list oauth2-clients --format json` prints it. Hydra stores only hashes of secrets. */
export function hydraClient(client: JsonObject): Moved {
  const scope = textIn(client, "scope").split(" ")
  const other = otherMethodOf(textIn(client, "token_endpoint_auth_method"))
  return appOf({
    clientId: textIn(client, "client_id"),
    name: textIn(client, "client_name"),
    type: textIn(client, "token_endpoint_auth_method") === "none" ? "public" : "confidential",
    secret: "otherMethod" in other ? null : textIn(client, "client_secret") || null,
    secretDigest: null,
    ...other,
    redirectUris: textsIn(client, "redirect_uris"),
    permissions: scope.filter((name) => !OPENID.has(name)),
    enabled: true,
  })
}

/** Scopes of OpenID Connect and OAuth itself, and empty texts. */
const OPENID: ReadonlySet<string> = new Set(["", "openid", "offline", "offline_access"])

/** An identity, exported with its credentials. */
export function kratosIdentity(identity: JsonObject): Moved {
  const credentials = objectIn(identity, "credentials")
  const password = objectIn(credentials, "password")
  const traits = objectIn(identity, "traits")
  const [identifier = ""] = textsIn(password, "identifiers")
  const otp = textIn(objectIn(objectIn(credentials, "totp"), "config"), "totp_url")
  const username = identifier || textIn(traits, "username") || textIn(traits, "email")
  const account = {
    userId: textIn(identity, "id"),
    username,
    hash: textIn(objectIn(password, "config"), "hashed_password"),
    enabled: textIn(identity, "state") !== "inactive",
    createdAt: timeIn(identity, "created_at"),
    otpSecrets: otp === "" ? [] : [otpauthSecret(otp)],
  }
  const hasPasskey = ["webauthn", "passkey"].some((kind) => credentials.has(kind))
  return accountOf(account, [
    ...(hasPasskey ? [passkeyOf(username)] : []),
    ...(credentials.has("lookup_secret") ? [recoveryCodesOf(username)] : []),
  ])
}

/** A user of an export. The support of Auth0 adds the hashes on request. */
export function auth0User(user: JsonObject): Moved {
  const oid = textIn(objectIn(user, "_id"), "$oid") || textIn(user, "_id")
  return accountOf({
    userId: textIn(user, "user_id") || (oid === "" ? "" : `auth0|${oid}`),
    username: textIn(user, "username") || textIn(user, "email"),
    hash: textIn(user, "passwordHash") || textIn(user, "password_hash"),
    enabled: user.get("blocked") !== true,
    createdAt: timeIn(user, "created_at"),
    otpSecrets: [],
  })
}
