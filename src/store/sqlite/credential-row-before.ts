/** A credential as one row of constant size, from the moment consent issues its code to its end. */
import type { ClientId, Hash, Permission, TokenId, UserId } from "../../core/brand.ts"
import {
  type Code,
  type Consent,
  type Credential,
  type EndedBecause,
  type Family,
  familyOf,
  type Life,
  type Retired,
  type RevokedBecause,
} from "../../core/credential.ts"
import type { Value } from "../rows/value.ts"
import { accessTokensOf, accessTokensText } from "../rows/access-tokens.ts"
import { credentialGoneAt } from "../rows/gone-at.ts"
import { namesOf, namesText } from "../rows/names.ts"
import { retirementsOf, retirementsText } from "../rows/retirements.ts"

export type CredentialRow = {
  readonly id: number
  readonly token_id: string
  readonly client_id: string
  readonly user_id: string
  readonly installation_name: string | null
  readonly scope: string
  readonly resources: string | null
  readonly consented_at: number
  readonly ends_at: number
  readonly code_hash: string | null
  readonly code_challenge: string | null
  readonly code_redirect_uri: string | null
  readonly code_expires_at: number | null
  readonly gone_at: number
  readonly state: string
  readonly over_at: number | null
  readonly because: string | null
  readonly elevated_until: number | null
  readonly generation: number
  readonly current_hash: string | null
  readonly family_key: string | null
  readonly rotated_at: number | null
  readonly rotated_from: string | null
  readonly retired_hash: string | null
  readonly retired_nonce: string | null
  readonly answered_scope: string | null
  readonly retirements: string | null
  readonly access_tokens: string | null
}

export const credentialColumns =
  "id, token_id, client_id, user_id, installation_name, scope, resources, consented_at, ends_at, code_hash, " +
  "code_challenge, code_redirect_uri, code_expires_at, gone_at, state, over_at, because, elevated_until, generation, " +
  "current_hash, family_key, rotated_at, rotated_from, retired_hash, retired_nonce, answered_scope, retirements, " +
  "access_tokens"

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
  }
}

function codeOf(row: CredentialRow): Code | null {
  if (row.code_hash === null) return null
  return {
    hash: row.code_hash as Hash,
    challenge: row.code_challenge ?? "",
    redirectUri: row.code_redirect_uri ?? "",
    expiresAt: row.code_expires_at ?? 0,
  }
}

function lifeOf(row: CredentialRow, consent: Consent): Life {
  const family = row.generation === 0 ? null : readFamily(row, consent)
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
  throw new Error(`the stored credential ${row.token_id} is in no state that there is`)
}

function readFamily(row: CredentialRow, consent: Consent): Family {
  return {
    generation: row.generation,
    currentHash: row.current_hash as Hash,
    retired: retiredOf(row, consent),
    retirements: retirementsOf(row.retirements),
    key: row.family_key ?? "",
    rotatedAt: row.rotated_at ?? 0,
    rotatedFrom: row.rotated_from,
    accessTokens: accessTokensOf(row.access_tokens ?? ""),
  }
}

function retiredOf(row: CredentialRow, consent: Consent): Retired | null {
  if (row.retired_hash === null) return null
  return {
    hash: row.retired_hash as Hash,
    nonce: row.retired_nonce ?? "",
    // Nearly always the whole consent was answered: that is kept as null.
    answeredScope: row.answered_scope === null ? consent.scope : namesOf(row.answered_scope),
  }
}

const CONSENT_AND_CODE =
  "token_id, client_id, user_id, installation_name, scope, resources, consented_at, ends_at, code_hash, " +
  "code_challenge, code_redirect_uri, code_expires_at"
const LIFE = [
  "state",
  "over_at",
  "because",
  "elevated_until",
  "generation",
  "current_hash",
  "family_key",
  "rotated_at",
  "rotated_from",
  "retired_hash",
  "retired_nonce",
  "answered_scope",
  "retirements",
  "access_tokens",
]

/** Whether a row is active at an instant: takes that instant, and the one `IDLE_SECONDS` before it. CRED-4. */
export const ACTIVE = "state = 'active' AND ends_at > ? AND rotated_at > ?"

/** Whether a row is revoked or ended at an instant, also where nobody was told yet: takes that instant, the one `IDLE_SECONDS` before it, and itself again. */
export const OVER = `(state IN ('revoked', 'ended')
  OR state = 'active' AND (ends_at <= ? OR rotated_at <= ?)
  OR state = 'issued' AND code_expires_at <= ?)`

export const INSERT_CREDENTIAL = `
  INSERT INTO credential (${CONSENT_AND_CODE}, gone_at, ${LIFE.join(", ")})
  VALUES (${Array.from({ length: 13 + LIFE.length }, () => "?").join(", ")})`

/** Takes `lifeValues` and the row's id. Leaves `gone_at` and with it every index alone. */
export const UPDATE_LIFE = `UPDATE credential SET ${LIFE.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`

export const UPDATE_GONE_AT = "UPDATE credential SET gone_at = ? WHERE id = ?"

/** In the order of `INSERT_CREDENTIAL`. */
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
    code === null ? null : code.hash,
    code === null ? null : code.challenge,
    code === null ? null : code.redirectUri,
    code === null ? null : code.expiresAt,
    credentialGoneAt(credential),
    ...lifeValues(credential),
  ]
}

/** In the order of `UPDATE_LIFE`. */
export function lifeValues(credential: Credential): Value[] {
  const { consent, life } = credential
  const [overAt, because] = ending(life)
  const family = familyOf(credential)
  const retired = family?.retired ?? null
  return [
    life.state,
    overAt,
    because,
    life.state === "active" ? life.elevatedUntil : null,
    family === null ? 0 : family.generation,
    family === null ? null : family.currentHash,
    family === null ? null : family.key,
    family === null ? null : family.rotatedAt,
    family === null ? null : family.rotatedFrom,
    retired === null ? null : retired.hash,
    retired === null ? null : retired.nonce,
    retired === null || sameNames(retired.answeredScope, consent.scope)
      ? null
      : namesText(retired.answeredScope),
    family === null ? null : retirementsText(family.retirements),
    family === null ? null : accessTokensText(family.accessTokens),
  ]
}

function ending(life: Life): readonly [overAt: number | null, because: string | null] {
  if (life.state === "revoked") return [life.revokedAt, life.because]
  return life.state === "ended" ? [life.endedAt, life.because] : [null, null]
}

function sameNames(some: readonly Permission[], others: readonly Permission[]): boolean {
  return some.length === others.length && some.every((name, i) => name === others[i])
}
