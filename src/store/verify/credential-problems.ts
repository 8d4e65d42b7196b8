/** The invariants of one stored credential: which columns are filled in which state, and what they may say. */
import { retirementsOf } from "../rows/retirements.ts"
import { ACCESS_TOKENS_KEPT, CREDENTIAL_SECONDS, RETIREMENTS_KEPT } from "../../core/limits.ts"
import type { EndedBecause, RevokedBecause } from "../../core/credential.ts"
import { accessTokensOf } from "../rows/access-tokens.ts"
import { credentialOf, type CredentialRow } from "../rows/credential-row.ts"
import { credentialGoneAt } from "../rows/gone-at.ts"
import { areNames, isDigest, isPartial, problemsIn, textsOf } from "./rule.ts"

/** A row with what is there of its account and its app. */
export type VerifiedCredentialRow = CredentialRow & {
  readonly has_account: number
  readonly has_client: number
}

export function credentialProblems(row: VerifiedCredentialRow): string[] {
  if (!(row.state in reasons)) return [`the state ${row.state} does not exist`]
  const problems = [
    ...consentProblems(row),
    ...codeProblems(row),
    ...stateProblems(row),
    ...familyProblems(row),
  ]
  return problems.length > 0 ? problems : timeProblems(row)
}

const revoked = {
  app: true,
  "account-holder": true,
  administrator: true,
  "code-replayed": true,
  "refresh-token-reused": true,
  "account-removed": true,
  "app-removed": true,
} satisfies Record<RevokedBecause, true>
const ended = { "code-expired": true, idle: true, lifetime: true } satisfies Record<EndedBecause, true>

/** Why a credential of each state is over. */
const reasons: Readonly<Record<string, ReadonlySet<string>>> = {
  __proto__: null as never,
  issued: new Set(),
  active: new Set(),
  revoked: new Set(Object.keys(revoked)),
  ended: new Set(Object.keys(ended)),
}

function consentProblems(row: VerifiedCredentialRow): string[] {
  return problemsIn(
    [row.scope === "", "the consent is empty"],
    [!areNames(row.scope), "the consent is not a list of different names"],
    [row.ends_at !== row.consented_at + CREDENTIAL_SECONDS, "ends_at is not 365 days after the consent"],
    [row.resources !== null && textsOf(row.resources) === null, "resources is not a JSON list of texts"],
  )
}

function codeProblems(row: VerifiedCredentialRow): string[] {
  return problemsIn(
    [
      isPartial(row.code_hash, row.code_challenge, row.code_redirect_uri, row.code_expires_at),
      "the code's columns are not all filled or all empty",
    ],
    [row.code_hash !== null && !isDigest(row.code_hash), "code_hash is no digest"],
    [row.code_challenge !== null && !isDigest(row.code_challenge), "code_challenge is no digest"],
  )
}

function stateProblems(row: VerifiedCredentialRow): string[] {
  const isLive = row.state === "issued" || row.state === "active"
  return problemsIn(
    [isLive && row.has_account === 0, "the account of a live credential does not exist"],
    [isLive && row.has_client === 0, "the app of a live credential does not exist"],
    [isLive && (row.over_at !== null || row.because !== null), "a live credential says that it is over"],
    [!isLive && row.over_at === null, "over_at is empty"],
    [
      !isLive && !reasons[row.state]?.has(row.because ?? ""),
      `${row.because} is no reason to be ${row.state}`,
    ],
    [row.state !== "active" && row.elevated_until !== null, "elevated without being active"],
    [row.state === "issued" && row.generation !== 0, "issued tokens before the exchange"],
    [row.state === "active" && row.generation < 1, "active without refresh tokens"],
  )
}

function familyProblems(row: VerifiedCredentialRow): string[] {
  const columns = [row.current_hash, row.family_key, row.rotated_at, row.access_tokens]
  const retirements = retirementsOf(row.retirements)
  const generations = retirements.map(({ generation }) => generation)
  return problemsIn(
    [row.generation < 0, "generation is negative"],
    [isPartial(...columns), "the family's columns are not all filled or all empty"],
    [row.rotated_from !== null && row.rotated_at === null, "rotated_from without a rotation"],
    [row.generation >= 1 !== (row.current_hash !== null), "generation and current_hash disagree"],
    [row.current_hash !== null && !isDigest(row.current_hash), "current_hash is no digest"],
    [isPartial(row.retired_hash, row.retired_nonce), "retired_hash and retired_nonce disagree"],
    [row.generation >= 2 !== (row.retired_hash !== null), "generation and retired_hash disagree"],
    [row.retired_hash !== null && !isDigest(row.retired_hash), "retired_hash is no digest"],
    [row.answered_scope !== null && row.retired_hash === null, "answered_scope without a retired token"],
    [row.answered_scope !== null && !areNames(row.answered_scope), "answered_scope is no list of names"],
    [retirements.length > RETIREMENTS_KEPT, `${retirements.length} retirements are kept`],
    [!retirements.every(({ at }) => Number.isSafeInteger(at)), "a retirement is no instant"],
    [row.generation >= 2 && generations[0] !== row.generation - 1, "the last retirement is not kept"],
    [
      generations.some(
        (generation, i) => !(generation >= 1 && generation < (generations[i - 1] ?? row.generation)),
      ),
      "the retirements are out of order",
    ],
    ...accessTokenClaims(row),
  )
}

function accessTokenClaims(row: VerifiedCredentialRow): [boolean, string][] {
  const tokens = accessTokensOf(row.access_tokens ?? "")
  return [
    [tokens.length > ACCESS_TOKENS_KEPT, `${tokens.length} access tokens are kept`],
    [tokens.some((token) => !isDigest(token.hash)), "the hash of an access token is no digest"],
    [
      tokens.some((token) => !Number.isSafeInteger(token.issuedAt) || !Number.isSafeInteger(token.expiresAt)),
      "a time of an access token is no instant",
    ],
    [tokens.some((token) => token.expiresAt > row.ends_at), "an access token outlives its credential"],
  ]
}

/** Only for a row that can be read. */
function timeProblems(row: VerifiedCredentialRow): string[] {
  return problemsIn([
    row.gone_at !== credentialGoneAt(credentialOf(row)),
    "gone_at is not the day after the end and its seven days",
  ])
}
