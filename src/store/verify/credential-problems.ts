/**
 * The invariants of a stored credential that the schema cannot check: reasons, durations, packed columns and
 * references.
 */
import {
  ACCESS_TOKENS_KEPT,
  CREDENTIAL_SECONDS,
  REPEATS_ELSEWHERE_KEPT,
  RETIREMENTS_KEPT,
} from "../../kernel/limits.ts"
import { endedBecause, revokedBecause } from "../../model/credential.rules.ts"
import { credentialOf, type CredentialRow } from "../codecs/credential-row.ts"
import { credentialDeleteAfter } from "../codecs/retention.ts"
import { NEVER } from "../../kernel/time.ts"
import { REGISTERED } from "../../model/permissions/reach.rules.ts"
import { namesOf } from "../codecs/names.ts"
import { codeFrom } from "../codecs/packed-code.ts"
import { familyFrom, type PackedFamily } from "../codecs/packed-family.ts"
import { areNames, problemsIn, textsOf } from "./rule.ts"

/** A row, with flags that say whether its account and its app exist. */
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

/** The reasons for which a credential can end, by its state. */
const reasons: Readonly<Record<string, ReadonlySet<string>>> = {
  __proto__: null as never,
  issued: new Set(),
  active: new Set(),
  revoked: new Set(revokedBecause),
  ended: new Set(endedBecause),
}

function consentProblems(row: VerifiedCredentialRow): string[] {
  if (row.scope === REGISTERED) return bindingProblems(row)
  return problemsIn(
    [!areNames(row.scope), "the consent is not a list of different names"],
    [!endsInTime(row), "ends_at is not 365 days after the consent"],
    [row.organization !== null && row.code !== null, "an assertion gave no refresh token"],
    [row.resources !== null && textsOf(row.resources) === null, "resources is not a JSON list of texts"],
  )
}

/** A credential of a remembered consent ends a year after the click, so earlier than others. */
function endsInTime({ organization, consented_at, ends_at, openid }: CredentialRow): boolean {
  if (organization !== null) return ends_at === NEVER
  const end = consented_at + CREDENTIAL_SECONDS
  return (
    ends_at === end || (consented_at < ends_at && ends_at < end && openid?.includes('"remembered":') === true)
  )
}

function bindingProblems(row: VerifiedCredentialRow): string[] {
  return problemsIn(
    [row.ends_at !== NEVER || row.rotated_at !== NEVER, "the credential of a service account has an end"],
    [
      row.code !== null || row.generation !== 1,
      "the credential of a service account has a code or was rotated",
    ],
    [row.elevated_until !== null, "the credential of a service account is elevated"],
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
      `because is ${row.because}, which does not fit the state ${row.state}`,
    ],
  )
}

function familyProblems(row: VerifiedCredentialRow): string[] {
  const family = row.family === null ? null : familyFrom(row.family, namesOf(row.scope))
  return [
    // Before the first tokens are issued, SQLite reserves bytes in this column.
    ...problemsIn([row.generation >= 1 !== (family !== null), "generation and family disagree"]),
    ...(family === null ? [] : packedProblems(row, family)),
  ]
}

function packedProblems(row: VerifiedCredentialRow, family: PackedFamily): string[] {
  const { retired, retirements } = family
  const generations = retirements.map(({ generation }) => generation)
  return problemsIn(
    [family.key === "", "the family has no key"],
    [
      (row.organization === null && row.generation >= 2) !== (retired !== null),
      "generation and retired token disagree",
    ],
    [
      retired !== null && !areNames(retired.answeredScope.join(" ")),
      "the scope of the last response is not a list of names",
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
      "the scope of an access token is not a list of names",
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
      "the generation of a repeat is impossible",
    ],
    [elsewhere.some(({ from, firstFrom }) => from === "" || firstFrom === ""), "a repeat has no address"],
  ]
}

/** Checks the times of a row that can be decoded. */
function timeProblems(row: VerifiedCredentialRow): string[] {
  return problemsIn([
    row.gone_at !== credentialDeleteAfter(credentialOf(row)),
    "gone_at is not the day that follows the end by seven days",
  ])
}
