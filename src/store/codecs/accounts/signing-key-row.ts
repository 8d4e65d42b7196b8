import type { KeyId } from "../../../kernel/ids.ts"
import type { KeyState, SignatureAlgorithm, SigningKey } from "../../../model/signing-key.rules.ts"
import { upsertInto } from "../insert.ts"
import type { Value } from "../value.ts"

export type SigningKeyRow = {
  readonly kid: string
  readonly algorithm: string
  readonly state: string
  readonly public_jwk: string
  readonly sealed_private: string | null
  readonly made_at: number
  readonly signs_from: number
  readonly ended_at: number | null
}

export const signingKeyColumns =
  "kid, algorithm, state, public_jwk, sealed_private, made_at, signs_from, ended_at"

export function signingKeyOf(row: SigningKeyRow): SigningKey {
  return {
    kid: row.kid as KeyId,
    algorithm: row.algorithm as SignatureAlgorithm,
    state: row.state as KeyState,
    publicJwk: row.public_jwk,
    sealedPrivate: row.sealed_private,
    madeAt: row.made_at,
    signsFrom: row.signs_from,
    endedAt: row.ended_at,
  }
}

export function signingKeyValues(key: SigningKey): Value[] {
  const { kid, algorithm, state, publicJwk, sealedPrivate, madeAt, signsFrom, endedAt } = key
  return [kid, algorithm, state, publicJwk, sealedPrivate, madeAt, signsFrom, endedAt]
}

export const SET_SIGNING_KEY = upsertInto("signing_key", "kid", signingKeyColumns)
