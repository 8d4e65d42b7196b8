/** The registration record as it is answered. RFC 7591 §3.2.1, and this service's own members. */
import type { Account } from "../../records/account.rules.ts"
import type { ClientAuthenticationMethod } from "../clients/client-authentication.rules.ts"
import type { Client, ClientType } from "../../records/client.rules.ts"
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
  readonly enabled: boolean
  /** The owner's name; null for an app without an owner. */
  readonly owner: string | null
  readonly client_id_issued_at: number
}

export function registrationRecord(client: Client, owner: Account | null): RegistrationRecord {
  return {
    client_id: client.clientId,
    client_type: client.type,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    scope: client.ceiling.join(" "),
    verified: client.verified,
    step_up: client.stepUp,
    resource_server: client.resourceServer,
    enabled: client.enabled,
    owner: owner?.username ?? null,
    client_id_issued_at: client.issuedAt,
  }
}

export type RegistrationAnswer = Omit<RegistrationRecord, "owner"> &
  ReturnType<typeof servedTypes> & {
    /** Whether an icon is stored. It is served while the app is verified. */
    readonly icon: boolean
    readonly token_endpoint_auth_method: ClientAuthenticationMethod
    readonly client_secret?: string
    /** 0: it does not expire. Present only with a secret. */
    readonly client_secret_expires_at?: 0
  }

/** The answer to an app that registered itself: RFC 7591 §3.2.1. */
export function registrationAnswer(
  client: Client,
  method: ClientAuthenticationMethod,
  secret: string | null,
  grantTypes: readonly string[],
): RegistrationAnswer {
  const { owner: _, ...record } = registrationRecord(client, null)
  return {
    ...record,
    icon: client.iconHash !== null,
    ...servedTypes(client, grantTypes),
    token_endpoint_auth_method: method,
    ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
  }
}
