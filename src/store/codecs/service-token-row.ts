import type { Hash, TokenId } from "../../kernel/ids.ts"
import type { ServiceToken } from "../../model/service-token.rules.ts"
import { SERVICE_TOKENS_KEPT } from "../../kernel/limits.ts"
import { namesOf, namesText } from "./names.ts"
import type { Value } from "./value.ts"

export type ServiceTokenRow = {
  readonly access_hash: string
  readonly token_id: string
  readonly issued_at: number
  readonly expires_at: number
  readonly scope: string
  readonly resources: string
}

/** The columns are in the order of `serviceTokenValues`. */
export const serviceTokenColumnList = [
  "access_hash",
  "token_id",
  "issued_at",
  "expires_at",
  "scope",
  "resources",
] as const

export const serviceTokenColumns = serviceTokenColumnList.join(", ")

export function serviceTokenOf(row: ServiceTokenRow): ServiceToken {
  return {
    hash: row.access_hash as Hash,
    tokenId: row.token_id as TokenId,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    scope: namesOf(row.scope),
    resources: JSON.parse(row.resources) as string[],
  }
}

/** Returns the values in the order of `serviceTokenColumnList`. */
export function serviceTokenValues({
  hash,
  tokenId,
  issuedAt,
  expiresAt,
  scope,
  resources,
}: ServiceToken): Value[] {
  return [hash, tokenId, issuedAt, expiresAt, namesText(scope), JSON.stringify(resources)]
}

/**
 * Numbers the tokens of a credential by `place`, in the order of issue. The credential must be locked. The parameters
 * are `serviceTokenValues` and the token id.
 */
export const INSERT_SERVICE_TOKEN = `
  INSERT INTO service_token (${serviceTokenColumns}, place)
  SELECT ?, ?, ?, ?, ?, ?, coalesce(max(place), 0) + 1 FROM service_token WHERE token_id = ?`

/** Deletes the oldest live tokens above the limit. Runs after an insert. The parameters are `dropValues`. */
export const DROP_SERVICE_TOKENS = `
  DELETE FROM service_token WHERE token_id = ? AND place <=
    (SELECT place FROM service_token WHERE token_id = ? AND expires_at >= ?
     ORDER BY place DESC LIMIT 1 OFFSET ${SERVICE_TOKENS_KEPT})`

export function dropValues({ tokenId, issuedAt }: ServiceToken): Value[] {
  return [tokenId, tokenId, issuedAt]
}

export const END_SERVICE_TOKEN = "DELETE FROM service_token WHERE access_hash = ?"
