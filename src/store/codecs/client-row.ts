import type { ClientId, Hash, TokenId, UserId } from "../../kernel/ids.ts"
import { appSwitches, type Switches, switchesFrom } from "../../model/clients/app-switches.rules.ts"
import type {
  Client,
  ClientKeys,
  ClientType,
  RegisteredBy,
  SigningAlgorithm,
} from "../../model/clients/client.rules.ts"
import { type Workload, workloadText } from "../../model/clients/workload.rules.ts"
import { openidMembers } from "../../model/clients/openid-members.rules.ts"
import type { Value } from "./value.ts"
import { namesOf, namesText } from "./names.ts"

export type ClientRow = {
  readonly client_id: string
  readonly type: string
  readonly secret_hash: string | null
  readonly jwks: string | null
  readonly jwks_uri: string | null
  readonly signing_alg: string | null
  readonly workload: string | null
  readonly name: string
  readonly redirect_uris: string
  readonly ceiling: string
  readonly switches: number
  readonly enabled: number
  readonly registered_by: string
  readonly owner_id: string | null
  readonly issued_at: number
  readonly registration_hash: string | null
  readonly gone_at: number | null
  readonly disabled_by_owner: number
  readonly service_account_id: string | null
  readonly service_token_id: string | null
  readonly icon_hash: string | null
  readonly groups: string
  readonly id_token_signed_response_alg: string
  readonly post_logout_redirect_uris: string
}

const SWITCHES = [...appSwitches.map(({ name }) => name), "ceiling_by_hand"]
  .map((name, place) => `${name} * ${1 << place}`)
  .join(" + ")
const BY_HAND = 1 << appSwitches.length

/** One number holds all switches and `ceiling_by_hand`, so that a look-up reads one value for them. */
export const clientColumns =
  "client_id, type, secret_hash, jwks, jwks_uri, signing_alg, workload, name, redirect_uris, ceiling, enabled, registered_by, " +
  "owner_id, groups, id_token_signed_response_alg, post_logout_redirect_uris, issued_at, registration_hash, gone_at, disabled_by_owner, service_account_id, service_token_id, " +
  `${SWITCHES} AS switches, (SELECT png_hash FROM icon WHERE icon.client_id = client.client_id) AS icon_hash`

/** The combinations of switches that were read so far, by their number. */
const combinations: Switches[] = []

function switchesOf(number: number): Switches {
  return switchesFrom((_, place) => (number & (1 << place)) !== 0)
}

export function clientOf(row: ClientRow): Client {
  return {
    ...(combinations[row.switches] ??= switchesOf(row.switches)),
    clientId: row.client_id as ClientId,
    type: row.type as ClientType,
    secretHash: row.secret_hash as Hash | null,
    keys: row.jwks === null && row.jwks_uri === null ? null : keysOf(row),
    name: row.name,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    ceiling: namesOf(row.ceiling),
    groups: namesOf<string>(row.groups),
    idTokenAlgorithm: row.id_token_signed_response_alg as Client["idTokenAlgorithm"],
    postLogoutRedirectUris: namesOf<string>(row.post_logout_redirect_uris),
    ceilingByHand: (row.switches & BY_HAND) !== 0,
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

function keysOf({ jwks, jwks_uri: jwksUri, signing_alg, workload }: ClientRow): ClientKeys {
  const algorithm = signing_alg as SigningAlgorithm | null
  return { jwks, jwksUri, algorithm, workload: workload === null ? null : (JSON.parse(workload) as Workload) }
}

/** The columns that `clientValues` fills, in its order. The icon has its own table. */
const written = [
  ...[
    "type",
    "secret_hash",
    "jwks",
    "jwks_uri",
    "signing_alg",
    "workload",
    "name",
    "redirect_uris",
    "ceiling",
    "groups",
    ...openidMembers.map(([, name]) => name),
    "enabled",
  ],
  ...["registered_by", "owner_id", "issued_at", "registration_hash", "gone_at", "disabled_by_owner"],
  ...["service_account_id", "service_token_id", "ceiling_by_hand", ...appSwitches.map(({ name }) => name)],
]

/** Returns the values for `INSERT_CLIENT` and `UPDATE_CLIENT`, in their order. */
export function clientValues(client: Client): Value[] {
  return [
    client.type,
    client.secretHash,
    client.keys?.jwks ?? null,
    client.keys?.jwksUri ?? null,
    client.keys?.algorithm ?? null,
    workloadText(client.keys),
    client.name,
    JSON.stringify(client.redirectUris),
    namesText(client.ceiling),
    namesText(client.groups),
    client.idTokenAlgorithm,
    namesText(client.postLogoutRedirectUris),
    client.enabled ? 1 : 0,
    client.registeredBy,
    client.ownerId,
    client.issuedAt,
    client.registrationHash,
    client.deleteAfter,
    client.disabledByOwner ? 1 : 0,
    client.binding?.userId ?? null,
    client.binding?.tokenId ?? null,
    client.ceilingByHand ? 1 : 0,
    ...appSwitches.map(({ member }) => (client[member] ? 1 : 0)),
    client.clientId,
  ]
}

export const INSERT_CLIENT = `
  INSERT INTO client (${written.join(", ")}, client_id) VALUES (${written.map(() => "?").join(", ")}, ?)`

export const UPDATE_CLIENT = `
  UPDATE client SET ${written.map((column) => `${column} = ?`).join(", ")} WHERE client_id = ?`
