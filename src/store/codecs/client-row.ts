import type { ClientId, Hash, TokenId, UserId } from "../../kernel/ids.ts"
import type {
  Client,
  ClientKeys,
  ClientType,
  RegisteredBy,
  SigningAlgorithm,
} from "../../model/clients/client.rules.ts"
import type { Value } from "./value.ts"
import { namesOf, namesText } from "./names.ts"

export type ClientRow = {
  readonly client_id: string
  readonly type: string
  readonly secret_hash: string | null
  readonly jwks: string | null
  readonly jwks_uri: string | null
  readonly signing_alg: string | null
  readonly name: string
  readonly redirect_uris: string
  readonly ceiling: string
  readonly verified: number
  readonly step_up: number
  readonly resource_server: number
  readonly enabled: number
  readonly registered_by: string
  readonly owner_id: string | null
  readonly issued_at: number
  readonly registration_hash: string | null
  readonly gone_at: number | null
  readonly disabled_by_owner: number
  readonly service_account_id: string | null
  readonly service_token_id: string | null
  readonly ends_with_session: number
  readonly device_flow: number
  readonly icon_hash: string | null
}

export const clientColumns =
  "client_id, type, secret_hash, jwks, jwks_uri, signing_alg, name, redirect_uris, ceiling, verified, step_up, " +
  "resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner, " +
  "service_account_id, service_token_id, ends_with_session, device_flow, " +
  "(SELECT png_hash FROM icon WHERE icon.client_id = client.client_id) AS icon_hash"

export function clientOf(row: ClientRow): Client {
  return {
    clientId: row.client_id as ClientId,
    type: row.type as ClientType,
    secretHash: row.secret_hash as Hash | null,
    keys: row.jwks === null && row.jwks_uri === null ? null : keysOf(row),
    name: row.name,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    ceiling: namesOf(row.ceiling),
    verified: row.verified === 1,
    stepUp: row.step_up === 1,
    resourceServer: row.resource_server === 1,
    endsWithSession: row.ends_with_session === 1,
    deviceFlow: row.device_flow === 1,
    enabled: row.enabled === 1,
    disabledByOwner: row.disabled_by_owner === 1,
    registeredBy: row.registered_by as RegisteredBy,
    ownerId: row.owner_id as UserId | null,
    binding: bindingOf(row),
    issuedAt: row.issued_at,
    registrationHash: row.registration_hash as Hash | null,
    deleteAfter: row.gone_at,
    iconHash: row.icon_hash as Hash | null,
  }
}

/** Returns the binding. Returns null if the app has none, or if the service account was removed. */
function bindingOf(row: ClientRow): Client["binding"] {
  const { service_account_id: userId, service_token_id: tokenId } = row
  return userId === null ? null : { userId: userId as UserId, tokenId: tokenId as TokenId }
}

function keysOf({ jwks, jwks_uri: jwksUri, signing_alg }: ClientRow): ClientKeys {
  return { jwks, jwksUri, algorithm: signing_alg as SigningAlgorithm | null }
}

/** Returns the values for `INSERT_CLIENT` and `UPDATE_CLIENT`, in their order. The icon has its own table. */
export function clientValues(client: Client): Value[] {
  return [
    client.type,
    client.secretHash,
    client.keys?.jwks ?? null,
    client.keys?.jwksUri ?? null,
    client.keys?.algorithm ?? null,
    client.name,
    JSON.stringify(client.redirectUris),
    namesText(client.ceiling),
    client.verified ? 1 : 0,
    client.stepUp ? 1 : 0,
    client.resourceServer ? 1 : 0,
    client.enabled ? 1 : 0,
    client.registeredBy,
    client.ownerId,
    client.issuedAt,
    client.registrationHash,
    client.deleteAfter,
    client.disabledByOwner ? 1 : 0,
    client.binding?.userId ?? null,
    client.binding?.tokenId ?? null,
    client.endsWithSession ? 1 : 0,
    client.deviceFlow ? 1 : 0,
    client.clientId,
  ]
}

export const INSERT_CLIENT = `
  INSERT INTO client (type, secret_hash, jwks, jwks_uri, signing_alg, name, redirect_uris, ceiling, verified,
    step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner,
    service_account_id, service_token_id, ends_with_session, device_flow, client_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

export const UPDATE_CLIENT = `
  UPDATE client SET type = ?, secret_hash = ?, jwks = ?, jwks_uri = ?, signing_alg = ?, name = ?, redirect_uris = ?, ceiling = ?, verified = ?, step_up = ?,
    resource_server = ?, enabled = ?, registered_by = ?, owner_id = ?, issued_at = ?, registration_hash = ?, gone_at = ?,
    disabled_by_owner = ?, service_account_id = ?, service_token_id = ?,
    ends_with_session = ?, device_flow = ?
  WHERE client_id = ?`
