/** Encodes a credential as one row. The row covers the whole life of the credential. */
import type { ClientId, TokenId, UserId } from "../../kernel/ids.ts"
import {
  type Code,
  type Consent,
  type Credential,
  type EndedBecause,
  type Family,
  familyOf,
  type Life,
  type RevokedBecause,
} from "../../model/credential.rules.ts"
import type { Value } from "./value.ts"
import { credentialDeleteAfter } from "./retention.ts"
import { namesOf, namesText } from "./names.ts"
import { codeBytes, codeFrom } from "./packed-code.ts"
import { familyBytes, familyFrom } from "./packed-family.ts"

export type CredentialRow = {
  readonly token_id: string
  readonly client_id: string
  readonly user_id: string
  readonly installation_name: string | null
  readonly scope: string
  readonly resources: string | null
  readonly consented_at: number
  readonly ends_at: number
  readonly openid: string | null
  readonly organization: string | null
  readonly code: Uint8Array | null
  readonly code_expires_at: number | null
  readonly gone_at: number
  readonly state: string
  readonly over_at: number | null
  readonly because: string | null
  readonly elevated_until: number | null
  readonly generation: number
  readonly rotated_at: number | null
  readonly rotated_from: string | null
  readonly family: Uint8Array | null
}

/** The columns that the consent sets. They never change. */
const consentColumnList = [
  "token_id",
  "client_id",
  "user_id",
  "installation_name",
  "scope",
  "resources",
  "consented_at",
  "ends_at",
  "openid",
  "organization",
  "code_expires_at",
] as const

/** The columns that change, in the order of `lifeValues`. Only the code exchange changes `code`. */
export const lifeColumnList = [
  "gone_at",
  "state",
  "over_at",
  "because",
  "elevated_until",
  "code",
  "generation",
  "rotated_at",
  "rotated_from",
  "family",
] as const

/** All columns, in the order of `credentialValues`. */
export const credentialColumnList = [...consentColumnList, ...lifeColumnList] as const

export const credentialColumns = credentialColumnList.join(", ")

export function credentialOf(row: CredentialRow): Credential {
  const consent = consentOf(row)
  return { consent, code: codeOf(row), life: lifeOf(row, consent) }
}

function consentOf(row: CredentialRow): Consent {
  return {
    tokenId: row.token_id as TokenId,
    clientId: row.client_id as ClientId,
    userId: row.user_id as UserId,
    installationName: row.installation_name,
    scope: namesOf(row.scope),
    resources: row.resources === null ? [] : (JSON.parse(row.resources) as string[]),
    consentedAt: row.consented_at,
    endsAt: row.ends_at,
    openid: row.openid,
    ...(row.organization !== null && { organization: row.organization }),
  }
}

function codeOf(row: CredentialRow): Code | null {
  return row.code === null ? null : { ...codeFrom(row.code), expiresAt: row.code_expires_at ?? 0 }
}

function lifeOf(row: CredentialRow, consent: Consent): Life {
  const family = row.family === null || row.generation === 0 ? null : readFamily(row, row.family, consent)
  switch (row.state) {
    case "issued":
      return { state: "issued" }
    case "active":
      if (family === null) break
      return { state: "active", family, elevatedUntil: row.elevated_until }
    case "revoked":
      return {
        state: "revoked",
        family,
        revokedAt: row.over_at ?? 0,
        because: row.because as RevokedBecause,
      }
    case "ended":
      return { state: "ended", family, endedAt: row.over_at ?? 0, because: row.because as EndedBecause }
  }
  throw new Error(`the stored credential ${row.token_id} has an unknown state`)
}

function readFamily(row: CredentialRow, packed: Uint8Array, consent: Consent): Family | null {
  const family = familyFrom(packed, consent.scope)
  if (family === null) return null
  const { currentHash, retired, retirements, key, accessTokens, repeats } = family
  return {
    generation: row.generation,
    currentHash,
    retired,
    retirements,
    key,
    rotatedAt: row.rotated_at ?? 0,
    rotatedFrom: row.rotated_from,
    accessTokens,
    repeats,
  }
}

/** Matches active rows. The parameters are the time, and the time minus `IDLE_SECONDS`. CRED-4. */
export const ACTIVE = "state = 'active' AND ends_at >= ? AND rotated_at >= ?"

/**
 * Matches revoked and ended rows, including rows whose end is not stored yet. The parameters are the time, the time
 * minus `IDLE_SECONDS`, and the time again.
 */
export const OVER = `(state IN ('revoked', 'ended')
  OR state = 'active' AND (ends_at < ? OR rotated_at < ?)
  OR state = 'issued' AND code_expires_at < ?)`

/** Returns the values in the order of `credentialColumnList`. */
export function credentialValues(credential: Credential): Value[] {
  const { consent, code } = credential
  return [
    consent.tokenId,
    consent.clientId,
    consent.userId,
    consent.installationName,
    namesText(consent.scope),
    consent.resources.length === 0 ? null : JSON.stringify(consent.resources),
    consent.consentedAt,
    consent.endsAt,
    consent.openid,
    consent.organization ?? null,
    code === null ? null : code.expiresAt,
    ...lifeValues(credential),
  ]
}

/** Returns the values in the order of `lifeColumnList`. */
export function lifeValues(credential: Credential): Value[] {
  const { consent, code, life } = credential
  const [overAt, because] = ending(life)
  const family = familyOf(credential)
  return [
    credentialDeleteAfter(credential),
    life.state,
    overAt,
    because,
    life.state === "active" ? life.elevatedUntil : null,
    code === null ? null : codeBytes(code, family !== null || code.challenge === ""),
    family === null ? 0 : family.generation,
    family === null ? null : family.rotatedAt,
    family === null ? null : family.rotatedFrom,
    family === null ? null : familyBytes(family, consent.scope),
  ]
}

function ending(life: Life): readonly [overAt: number | null, because: string | null] {
  if (life.state === "revoked") return [life.revokedAt, life.because]
  return life.state === "ended" ? [life.endedAt, life.because] : [null, null]
}
