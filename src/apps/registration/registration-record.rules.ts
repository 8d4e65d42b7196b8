/** The registration record of the API. It has the members of RFC 7591 §3.2.1 and members of this service. */
import type { Account } from "../../model/account.rules.ts"
import type { ClientAuthenticationMethod } from "../../oauth/clients/client-authentication.rules.ts"
import type { Client, ClientType, SigningAlgorithm } from "../../model/clients/client.rules.ts"
import { type PublicKey, readKeySet } from "../../model/clients/key-set.rules.ts"
import { servedTypes } from "./registration-request.rules.ts"

export type RegistrationRecord = {
  readonly client_id: string
  readonly client_type: ClientType
  readonly client_name: string
  readonly redirect_uris: readonly string[]
  readonly scope: string
  readonly verified: boolean
  readonly step_up: boolean
  readonly resource_server: boolean
  /** The next two members are present only if they differ from their defaults. */
  readonly ends_with_session?: true
  readonly device_flow?: false
  readonly enabled: boolean
  /** The owner's username. The value is null for an app without an owner. */
  readonly owner: string | null
  /** The username of the service account that the app is bound to. The member is missing without a binding. */
  readonly service_account?: string
  readonly client_id_issued_at: number
  readonly token_endpoint_auth_method: Exclude<ClientAuthenticationMethod, "client_secret_post">
  /** The next three members are present only for an app with keys. */
  readonly token_endpoint_auth_signing_alg?: SigningAlgorithm
  readonly jwks?: { readonly keys: readonly PublicKey[] }
  readonly jwks_uri?: string
}

export function registrationRecord(
  client: Client,
  owner: Account | null,
  serviceAccount: Account | null,
): RegistrationRecord {
  return {
    client_id: client.clientId,
    client_type: client.type,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    scope: client.ceiling.join(" "),
    verified: client.verified,
    step_up: client.stepUp,
    resource_server: client.resourceServer,
    ...(client.endsWithSession && { ends_with_session: true }),
    ...(!client.deviceFlow && { device_flow: false }),
    enabled: client.enabled,
    owner: owner?.username ?? null,
    ...(serviceAccount !== null && { service_account: serviceAccount.username }),
    client_id_issued_at: client.issuedAt,
    token_endpoint_auth_method: methodOf(client),
    ...keyMembers(client),
  }
}

/**
 * Returns the authentication method. An app with a secret may send it in two ways. The default method of RFC 7591 §2
 * stands for both.
 */
function methodOf({ type, keys }: Client): RegistrationRecord["token_endpoint_auth_method"] {
  if (type === "public") return "none"
  return keys === null ? "client_secret_basic" : "private_key_jwt"
}

function keyMembers({ keys }: Client) {
  if (keys === null) return {}
  const { jwks, jwksUri, algorithm } = keys
  return {
    ...(algorithm !== null && { token_endpoint_auth_signing_alg: algorithm }),
    ...(jwks !== null && { jwks: { keys: readKeySet(jwks) } }),
    ...(jwksUri !== null && { jwks_uri: jwksUri }),
  }
}

export type RegistrationAnswer = Omit<RegistrationRecord, "owner" | "token_endpoint_auth_method"> &
  ReturnType<typeof servedTypes> & {
    /** Whether an icon is stored. The service shows the icon only while the app is verified. */
    readonly icon: boolean
    readonly token_endpoint_auth_method: ClientAuthenticationMethod
    readonly client_secret?: string
    /** The value 0 means that the secret does not expire. The member is present only with a secret. */
    readonly client_secret_expires_at?: 0
  }

/** The response to an app that registered itself: RFC 7591 §3.2.1. */
export function registrationAnswer(
  client: Client,
  method: ClientAuthenticationMethod,
  secret: string | null,
  grantTypes: readonly string[],
): RegistrationAnswer {
  const { owner: _, ...record } = registrationRecord(client, null, null)
  return {
    ...record,
    icon: client.iconHash !== null,
    ...servedTypes(client, grantTypes),
    token_endpoint_auth_method: method,
    ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
  }
}
