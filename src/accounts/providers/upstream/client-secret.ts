/** How this service authenticates at a provider's token endpoint. */
import { createPrivateKey } from "node:crypto"
import type { AuthorizationServer, ClientAuth } from "oauth4webapi"
import type { OpenIdProvider } from "../../../model/sign-in/provider.rules.ts"

/** Apple accepts client secrets that are valid for up to six months. Each one here is made for one request. */
const APPLE_SECRET_SECONDS = 300

export async function clientAuthentication(
  { clientId, secret, issuer }: OpenIdProvider,
  metadata: AuthorizationServer,
  now: number,
): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None, PrivateKeyJwt } = await import("oauth4webapi")
  switch (secret.kind) {
    case "none":
      return None()
    case "secret": {
      // Without the member, a provider supports only the Basic scheme. OpenID Connect Discovery §3.
      const named: unknown = metadata.token_endpoint_auth_methods_supported
      const methods: readonly unknown[] = Array.isArray(named) ? named : ["client_secret_basic"]
      const isBasic = methods.includes("client_secret_basic") || !methods.includes("client_secret_post")
      return isBasic ? ClientSecretBasic(secret.secret) : ClientSecretPost(secret.secret)
    }
    case "key": {
      const { key } = await privateKey(secret.pem)
      return PrivateKeyJwt(secret.keyId === null ? key : { key, kid: secret.keyId })
    }
    case "apple": {
      const { SignJWT } = await import("jose")
      const { key } = await privateKey(secret.pem)
      const jwt = new SignJWT()
        .setProtectedHeader({ alg: "ES256", kid: secret.keyId })
        .setIssuer(secret.teamId)
        .setSubject(clientId)
        .setAudience(issuer)
        .setIssuedAt(now)
        .setExpirationTime(now + APPLE_SECRET_SECONDS)
      return ClientSecretPost(await jwt.sign(key))
    }
  }
}

async function privateKey(pem: string) {
  const { importPKCS8 } = await import("jose")
  const object = createPrivateKey(pem)
  const algorithms: Readonly<Record<string, string>> = { ec: "ES256", ed25519: "EdDSA", rsa: "PS256" }
  const algorithm = algorithms[object.asymmetricKeyType ?? ""] ?? "ES256"
  return { key: await importPKCS8(object.export({ type: "pkcs8", format: "pem" }).toString(), algorithm) }
}
