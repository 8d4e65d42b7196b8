/** What the schema cannot say of one stored credential: reasons, durations, packed columns, and what it refers to. */
import {
  ACCESS_TOKENS_KEPT,
  CREDENTIAL_SECONDS,
  REPEATS_ELSEWHERE_KEPT,
  RETIREMENTS_KEPT,
} from "../../kernel/limits.ts"
import type { EndedBecause, RevokedBecause } from "../../records/credential.rules.ts"
import { credentialOf, type CredentialRow } from "../codecs/credential-row.ts"
import { credentialDeleteAfter } from "../codecs/retention.ts"
import { namesOf } from "../codecs/names.ts"
import { codeFrom } from "../codecs/packed-code.ts"
import { familyFrom, type PackedFamily } from "../codecs/packed-family.ts"
import { areNames, problemsIn, textsOf } from "./rule.ts"

/** A row, and whether its account and its app exist. */
export type VerifiedCredentialRow = CredentialRow & {
  readonly has_account: number
  readonly has_client: number
}

export function credentialProblems(row: VerifiedCredentialRow): string[] {
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
    [!areNames(row.scope), "the consent is not a list of different names"],
    [row.ends_at !== row.consented_at + CREDENTIAL_SECONDS, "ends_at is not 365 days after the consent"],
    [row.resources !== null && textsOf(row.resources) === null, "resources is not a JSON list of texts"],
  )
}

function codeProblems(row: VerifiedCredentialRow): string[] {
  if (row.code === null) return []
  const code = codeFrom(row.code)
  return problemsIn(
    [row.state === "issued" && code.challenge === "", "a code that may be exchanged has no challenge"],
    [row.generation >= 1 && code.challenge !== "", "the challenge of a redeemed code is kept"],
  )
}

function stateProblems(row: VerifiedCredentialRow): string[] {
  const isLive = row.state === "issued" || row.state === "active"
  return problemsIn(
    [isLive && row.has_account === 0, "the account of a live credential does not exist"],
    [isLive && row.has_client === 0, "the app of a live credential does not exist"],
    [
      !isLive && !reasons[row.state]?.has(row.because ?? ""),
      `${row.because} is no reason to be ${row.state}`,
    ],
  )
}

function familyProblems(row: VerifiedCredentialRow): string[] {
  const family = row.family === null ? null : familyFrom(row.family, namesOf(row.scope))
  return [
    // The embedded database keeps room in the column before the first tokens.
    ...problemsIn([row.generation >= 1 !== (family !== null), "generation and family disagree"]),
    ...(family === null ? [] : packedProblems(row, family)),
  ]
}

function packedProblems(row: VerifiedCredentialRow, family: PackedFamily): string[] {
  const { retired, retirements } = family
  const generations = retirements.map(({ generation }) => generation)
  return problemsIn(
    [family.key === "", "the family has no key"],
    [row.generation >= 2 !== (retired !== null), "generation and retired token disagree"],
    [
      retired !== null && !areNames(retired.answeredScope.join(" ")),
      "the answered scope is no list of names",
    ],
    [retirements.length > RETIREMENTS_KEPT, `${retirements.length} retirements are kept`],
    [row.generation >= 2 && generations[0] !== row.generation - 1, "the last retirement is not kept"],
    [
      generations.some(
        (generation, i) => !(generation >= 1 && generation < (generations[i - 1] ?? row.generation)),
      ),
      "the retirements are out of order",
    ],
    ...accessTokenClaims(row, family),
    ...repeatClaims(row, family),
  )
}

function accessTokenClaims(row: VerifiedCredentialRow, { accessTokens }: PackedFamily): [boolean, string][] {
  return [
    [accessTokens.length > ACCESS_TOKENS_KEPT, `${accessTokens.length} access tokens are kept`],
    [
      accessTokens.some(({ narrowedTo }) => narrowedTo !== null && !areNames(narrowedTo.join(" "))),
      "what an access token was narrowed to is no list of names",
    ],
    [
      accessTokens.some(({ expiresAt }) => expiresAt > row.ends_at),
      "an access token outlives its credential",
    ],
  ]
}

function repeatClaims({ generation }: VerifiedCredentialRow, { repeats }: PackedFamily): [boolean, string][] {
  const { count, elsewhere } = repeats
  return [
    [elsewhere.length > REPEATS_ELSEWHERE_KEPT, `${elsewhere.length} repeats from elsewhere are kept`],
    [elsewhere.length > count, "more repeats are kept than were counted"],
    [
      elsewhere.some((one) => one.generation < 2 || one.generation > generation),
      "a repeat is of a generation that nothing could repeat",
    ],
    [elsewhere.some(({ from, firstFrom }) => from === "" || firstFrom === ""), "a repeat has no address"],
  ]
}

/** Only for a row that can be read. */
function timeProblems(row: VerifiedCredentialRow): string[] {
  return problemsIn([
    row.gone_at !== credentialDeleteAfter(credentialOf(row)),
    "gone_at is not the day after the end and its seven days",
  ])
}
