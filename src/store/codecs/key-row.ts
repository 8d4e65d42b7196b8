import type { ClientId, Hash } from "../../kernel/ids.ts"
import type { FetchedKeys, SpentAssertion } from "../../model/clients/client.rules.ts"
import { insertInto, upsertInto } from "./insert.ts"
import type { Value } from "./value.ts"

export type FetchedKeysRow = {
  readonly client_id: string
  readonly jwks_uri: string
  readonly tried_at: number
  readonly fetched_at: number | null
  readonly problem: string | null
  readonly jwks: string | null
}

export const fetchedKeysColumns = "client_id, jwks_uri, tried_at, fetched_at, problem, jwks"

export function fetchedKeysOf(row: FetchedKeysRow): FetchedKeys {
  const { jwks_uri: jwksUri, tried_at: triedAt, fetched_at: fetchedAt, problem, jwks } = row
  const copy = jwks === null || fetchedAt === null ? null : { jwks, fetchedAt }
  return { clientId: row.client_id as ClientId, jwksUri, triedAt, problem, copy }
}

export function fetchedKeysValues({ clientId, jwksUri, triedAt, problem, copy }: FetchedKeys): Value[] {
  return [clientId, jwksUri, triedAt, copy?.fetchedAt ?? null, problem, copy?.jwks ?? null]
}

export const SET_FETCHED_KEYS = upsertInto("fetched_keys", "client_id", fetchedKeysColumns)

export type SpentAssertionRow = {
  readonly assertion_hash: string
  readonly body_hash: string
  readonly gone_at: number
}

export const spentAssertionColumns = "assertion_hash, body_hash, gone_at"

export function spentAssertionOf(row: SpentAssertionRow): SpentAssertion {
  return {
    assertionHash: row.assertion_hash as Hash,
    bodyHash: row.body_hash as Hash,
    deleteAfter: row.gone_at,
  }
}

export function spentAssertionValues({ assertionHash, bodyHash, deleteAfter }: SpentAssertion): Value[] {
  return [assertionHash, bodyHash, deleteAfter]
}

export const SPEND_ASSERTION = insertInto("spent_assertion", spentAssertionColumns)
