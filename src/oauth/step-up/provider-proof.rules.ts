/** Decides a step-up that a new sign-in at a provider proves. LOGIN-15…LOGIN-18. */
import type { TokenId } from "../../kernel/ids.ts"
import {
  gapInStrength,
  gapSince,
  type ProofGap,
  refusedProof,
} from "../../accounts/providers/upstream/fresh-sign-in.rules.ts"
import type { Claims } from "../../accounts/providers/upstream/claims.rules.ts"
import { type Change, type Decided, decided } from "../../model/change.rules.ts"
import type { Factor } from "../../model/factor.rules.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import { decideStepUp, type StepUpAnswer, type StepUpBlocker, type StoredForStepUp } from "./step-up.rules.ts"

type Rows = StoredForStepUp & {
  /** Whom the provider has authenticated, if an account here is linked to them. */
  readonly identity: Identity | null
  readonly factors: readonly Factor[] | null
  readonly spentTicket: unknown
}

type ProviderProof = Pick<StepUpAnswer, "windowSeconds" | "now" | "address"> & {
  readonly provider: SignInProvider
  readonly claims: Claims
  /** The sign-in, which works once. */
  readonly ticketId: TokenId
}

/** `not-yours` is an account at the provider that is not connected to the account here. */
export type ProvenOutcome = "approved" | StepUpBlocker | ProofGap | "not-yours" | "stale"

export function decideProvenStepUp(
  { identity, factors, spentTicket, ...rows }: Rows,
  { provider, claims, ticketId, ...answer }: ProviderProof,
): Decided<ProvenOutcome> {
  const { session, ownerOf, deviceGrant: grant, credential, appOf: client } = rows
  const purpose = grant?.request.purpose
  if (spentTicket !== null || grant === null || purpose?.purpose !== "step-up") return decided("stale")
  const { userId } = purpose
  if (session?.userId !== userId || ownerOf?.enabled !== true) return decided("stale")
  const { now, address } = answer
  const spent: Change = { change: "ticketSpent", ticketId, at: now }
  const gap =
    identity?.userId !== userId
      ? "not-yours"
      : (gapSince(claims, grant.request.askedAt, now) ?? gapInStrength(provider, claims, factors ?? []))
  if (gap !== null)
    return decided<ProvenOutcome>(gap, spent, refusedProof(gap, provider, now, { userId, address }))
  const through = `through ${provider.name}`
  const decision = decideStepUp({ grant, credential, client, isProven: true, through, ...answer })
  const outcome = decision.answer === "denied" ? "stale" : decision.answer
  return decided<ProvenOutcome>(outcome, spent, ...decision.changes)
}
