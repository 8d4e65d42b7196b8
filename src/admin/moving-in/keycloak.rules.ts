/** `import keycloak`: a realm export with `users` and `clients`. */
import type { JsonObject } from "../../kernel/json.ts"
import { accountOf } from "./account.rules.ts"
import { embeddedIn, numberIn, objectIn, objectsIn, textIn, textsIn, timeIn } from "./members.rules.ts"
import { appOf, leftBehind, type Moved, type Skipped } from "./moved.rules.ts"
import { base32Of, otpSecret, passkeyOf, recoveryCodesOf } from "./otp.rules.ts"

export function keycloakUser(user: JsonObject): Moved {
  const username = textIn(user, "username")
  if (textIn(user, "serviceAccountClientId") !== "") {
    const reason = "It belongs to an app. Bind the app to a service account."
    return leftBehind({ what: "account", name: username, reason })
  }
  const credentials = objectsIn(user, "credentials")
  const ofType = (type: string) => credentials.filter((one) => textIn(one, "type") === type)
  const [password] = ofType("password")
  const account = {
    userId: textIn(user, "id"),
    username,
    hash: password === undefined ? "" : keycloakHash(password),
    enabled: user.get("enabled") !== false,
    createdAt: timeIn(user, "createdTimestamp"),
    otpSecrets: ofType("otp").map(keycloakOtp),
  }
  const hasPasskey = credentials.some((one) => textIn(one, "type").startsWith("webauthn"))
  return accountOf(account, [
    ...(hasPasskey ? [passkeyOf(username)] : []),
    ...(ofType("recovery-authn-codes").length > 0 ? [recoveryCodesOf(username)] : []),
    ...demands(user, username, password),
  ])
}

/** What Keycloak demands of the person at the next sign-in. This service does not. */
function demands(user: JsonObject, name: string, password: JsonObject | undefined): readonly Skipped[] {
  const actions = textsIn(user, "requiredActions")
  return [
    ...(password?.get("temporary") === true ? [{ what: "password", name, reason: TEMPORARY } as const] : []),
    ...(actions.length > 0
      ? [
          {
            what: "required action",
            name,
            reason: `It is not demanded here: ${actions.join(", ")}.`,
          } as const,
        ]
      : []),
  ]
}

const TEMPORARY =
  "Keycloak demands another one at the next sign-in. Here the temporary password keeps working until it is changed."

/** Writes a credential in the form of Kratos or argon2. The bcrypt providers for Keycloak store the whole hash. */
function keycloakHash(credential: JsonObject): string {
  const secret = embeddedIn(credential, "secretData")
  const data = embeddedIn(credential, "credentialData")
  const [salt, tag] = [textIn(secret, "salt"), textIn(secret, "value")]
  const algorithm = textIn(data, "algorithm")
  const iterations = String(numberIn(data, "hashIterations") ?? "")
  if (algorithm === "bcrypt") return tag
  if (algorithm === "argon2") {
    const more = objectIn(data, "additionalParameters")
    const first = (name: string) => textsIn(more, name)[0] ?? ""
    const costs = `m=${first("memory")},t=${iterations},p=${first("parallelism")}`
    return `$argon2${first("type")}$v=19$${costs}$${salt}$${tag}`
  }
  const digest = algorithm === "pbkdf2" ? "sha1" : algorithm.replace(/^pbkdf2-/, "")
  return `$pbkdf2-${digest}$i=${iterations},l=${tag.length}$${salt}$${tag}`
}

/** The characters of the secret are the key itself, unless the data names base32. */
function keycloakOtp(credential: JsonObject): string | null {
  const data = embeddedIn(credential, "credentialData")
  const value = textIn(embeddedIn(credential, "secretData"), "value")
  if (textIn(data, "subType") !== "totp") return null
  return otpSecret({
    secret: textIn(data, "secretEncoding") === "BASE32" ? value : base32Of(value),
    digits: numberIn(data, "digits") ?? 0,
    period: numberIn(data, "period") ?? 0,
    algorithm: textIn(data, "algorithm"),
  })
}

/** The apps that every realm has. */
const OWN = /^(?:account|account-console|admin-cli|broker|realm-management|security-admin-console|.*-realm)$/

/** The scopes that every realm has. They are not permissions of this service. */
const OWN_SCOPES: ReadonlySet<string> = new Set(
  "acr address basic email microprofile-jwt offline_access openid organization phone profile roles service_account web-origins".split(
    " ",
  ),
)

export function keycloakClient(client: JsonObject): Moved {
  const clientId = textIn(client, "clientId")
  if (OWN.test(clientId)) return leftBehind()
  const skip = (reason: string) => leftBehind({ what: "app", name: clientId, reason })
  if (textIn(client, "protocol") === "saml") return skip("SAML is not supported.")
  if (client.get("bearerOnly") === true)
    return skip("It only checks tokens. Register it as a resource server.")
  const secret = textIn(client, "secret")
  const method = textIn(client, "clientAuthenticatorType") || "client-secret"
  const isBySecret = method === "client-secret"
  const scopes = [...textsIn(client, "defaultClientScopes"), ...textsIn(client, "optionalClientScopes")]
  return appOf({
    clientId,
    name: textIn(client, "name"),
    type: client.get("publicClient") === true ? "public" : "confidential",
    secret: isBySecret && secret !== "" && !/^\*+$/.test(secret) ? secret : null,
    ...(!isBySecret && { otherMethod: method }),
    secretDigest: null,
    redirectUris: textsIn(client, "redirectUris"),
    permissions: scopes.filter((name) => !OWN_SCOPES.has(name)),
    enabled: client.get("enabled") !== false,
  })
}
