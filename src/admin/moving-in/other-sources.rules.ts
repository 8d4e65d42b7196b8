/** `import hydra`, `kratos` and `auth0`. Each element of the file is one app or one account. */
import type { JsonObject } from "../../kernel/json.ts"
import { objectIn, textIn, textsIn, timeIn } from "./members.rules.ts"
import type { Moved, Skipped } from "./moved.rules.ts"
import { otpauthSecret, passkeyOf, unusableOtp } from "./otp.rules.ts"
import { importedHash, unusablePassword } from "./password-dialect.rules.ts"

/** An app, as `hydra list oauth2-clients --format json` prints it. Hydra stores only hashes of secrets. */
export function hydraClient(client: JsonObject): Moved {
  const clientId = textIn(client, "client_id")
  return {
    kind: "app",
    app: {
      clientId,
      name: textIn(client, "client_name") || clientId,
      type: textIn(client, "token_endpoint_auth_method") === "none" ? "public" : "confidential",
      secret: textIn(client, "client_secret") || null,
      secretDigest: null,
      redirectUris: textsIn(client, "redirect_uris"),
      permissions: textIn(client, "scope")
        .split(" ")
        .filter((name) => !OPENID.has(name)),
      enabled: true,
    },
    skipped: [],
  }
}

/** Scopes that have a meaning of their own, and empty texts. */
const OPENID: ReadonlySet<string> = new Set(["", "openid", "offline", "offline_access"])

/** An identity, exported with its credentials. */
export function kratosIdentity(identity: JsonObject): Moved {
  const credentials = objectIn(identity, "credentials")
  const password = objectIn(credentials, "password")
  const traits = objectIn(identity, "traits")
  const [identifier = ""] = textsIn(password, "identifiers")
  const hash = textIn(objectIn(password, "config"), "hashed_password")
  const otp = textIn(objectIn(objectIn(credentials, "totp"), "config"), "totp_url")
  const username = identifier || textIn(traits, "username") || textIn(traits, "email")
  const moved = account({
    userId: textIn(identity, "id"),
    username,
    hash,
    enabled: textIn(identity, "state") !== "inactive",
    createdAt: timeIn(identity, "created_at"),
    otp,
  })
  const hasPasskey = ["webauthn", "passkey"].some((kind) => credentials.has(kind))
  return hasPasskey ? { ...moved, skipped: [...moved.skipped, passkeyOf(username)] } : moved
}

/** A user of an export. Auth0 gives out hashes only when its support is asked. */
export function auth0User(user: JsonObject): Moved {
  const oid = textIn(objectIn(user, "_id"), "$oid") || textIn(user, "_id")
  return account({
    userId: textIn(user, "user_id") || (oid === "" ? "" : `auth0|${oid}`),
    username: textIn(user, "username") || textIn(user, "email"),
    hash: textIn(user, "passwordHash") || textIn(user, "password_hash"),
    enabled: user.get("blocked") !== true,
    createdAt: timeIn(user, "created_at"),
    otp: "",
  })
}

type Plain = {
  readonly userId: string
  readonly username: string
  readonly hash: string
  readonly enabled: boolean
  readonly createdAt: number | null
  /** An address of the scheme `otpauth`, or an empty text. */
  readonly otp: string
}

function account({ userId, username, hash, enabled, createdAt, otp }: Plain): Moved {
  const passwordHash = hash === "" ? null : importedHash(hash)
  const secret = otp === "" ? null : otpauthSecret(otp)
  const skipped: Skipped[] = [
    ...(passwordHash === null ? [unusablePassword(username, hash)] : []),
    ...(otp !== "" && secret === null ? [unusableOtp(username)] : []),
  ]
  const otpSecrets = secret === null ? [] : [secret]
  return {
    kind: "account",
    account: { userId, username, passwordHash, enabled, createdAt, otpSecrets },
    skipped,
  }
}
