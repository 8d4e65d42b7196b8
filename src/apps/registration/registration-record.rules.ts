/** The registration record of the API. It has the members of RFC 7591 §3.2.1 and members of this service. */
import type { Account } from "../../model/account.rules.ts"
import type { ClientAuthenticationMethod } from "../../oauth/clients/client-authentication.rules.ts"
import { recordedSwitches } from "../../model/clients/app-switches.rules.ts"
import { recordedOpenid } from "../../model/clients/openid-members.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { readKeySet } from "../../model/clients/key-set.rules.ts"
import { servedTypes } from "./registration-request.rules.ts"

export type RegistrationRecord = ReturnType<typeof registrationRecord>

export function registrationRecord(client: Client, owner: Account | null, serviceAccount: Account | null) {
  return {
    client_id: client.clientId,
    client_type: client.type,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    scope: client.ceiling.join(" "),
    ...(client.groups.length > 0 && { groups: client.groups }),
    ...recordedSwitches(client),
    ...recordedOpenid(client),
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
function methodOf({ type, keys }: Client): Exclude<ClientAuthenticationMethod, "client_secret_post"> {
  if (type === "public") return "none"
  return keys === null ? "client_secret_basic" : "private_key_jwt"
}

function keyMembers({ keys }: Client) {
  if (keys === null) return {}
  const { jwks, jwksUri, algorithm, workload } = keys
  return {
    ...(algorithm !== null && { token_endpoint_auth_signing_alg: algorithm }),
    ...(jwks !== null && { jwks: { keys: readKeySet(jwks) } }),
    // With a workload, `jwksUri` is the metadata of the issuer.
    ...(jwksUri !== null && workload === null && { jwks_uri: jwksUri }),
    ...(workload !== null && { workload }),
  }
}

export type RegistrationAnswer = Omit<RegistrationRecord, "token_endpoint_auth_method"> &
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
  return {
    ...registrationRecord(client, null, null),
    icon: client.iconHash !== null,
    ...servedTypes(client, grantTypes),
    token_endpoint_auth_method: method,
    ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
  }
}
