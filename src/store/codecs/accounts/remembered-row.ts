import type { Client } from "../../../model/clients/client.rules.ts"
import type { RememberedConsent } from "../../../model/credential.rules.ts"
import { type Columns, columnText, decode, encode, type RowOf } from "../columns.ts"
import { insertInto } from "../insert.ts"
import { workloadText } from "../../../model/clients/workload.rules.ts"
import { namesOf, namesText } from "../names.ts"
import type { Value } from "../value.ts"

type Plain = Omit<RememberedConsent, "scope" | "resources">

const columns = {
  id: "id",
  userId: "user_id",
  clientId: "client_id",
  origin: "origin",
  clickedAt: "clicked_at",
  endsAt: "ends_at",
} as const satisfies Columns<Plain>

export type RememberedRow = RowOf<Plain, typeof columns> & {
  readonly scope: string
  readonly resources: string
}

export const rememberedColumns = `${columnText(columns)}, scope, resources`

export function rememberedOf(row: RememberedRow): RememberedConsent {
  const resources = JSON.parse(row.resources) as string[]
  return { ...decode<Plain, typeof columns>(columns, row), scope: namesOf(row.scope), resources }
}

export function rememberedValues(of: RememberedConsent): Value[] {
  return [...encode<Plain>(columns, of), namesText(of.scope), JSON.stringify(of.resources)]
}

export const INSERT_REMEMBERED = insertInto("remembered_consent", rememberedColumns)

/** Ends what an app remembers, if redirect URIs, keys, owner or the switch change. Runs before the app is written. */
export const END_CHANGED = `
  DELETE FROM remembered_consent WHERE client_id IN (
    SELECT client_id FROM client WHERE client_id = ? AND (1 <> ? OR redirect_uris IS DISTINCT FROM ?
      OR jwks IS DISTINCT FROM ? OR jwks_uri IS DISTINCT FROM ?
      OR workload IS DISTINCT FROM ? OR owner_id IS DISTINCT FROM ?))`

export function endChangedValues({
  clientId,
  redirectUris,
  keys,
  ownerId,
  rememberConsent,
}: Client): Value[] {
  const now = [
    JSON.stringify(redirectUris),
    keys?.jwks ?? null,
    keys?.jwksUri ?? null,
    workloadText(keys),
    ownerId,
  ]
  return [clientId, rememberConsent ? 1 : 0, ...now]
}

export const END_OF_OWNER = `
  DELETE FROM remembered_consent WHERE client_id IN (SELECT client_id FROM client WHERE owner_id = ?)`
