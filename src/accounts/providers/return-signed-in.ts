/** A signed-in person comes back from a provider: to connect an account there, or to confirm that it is them. */
import { type Decided, decided } from "../../model/change.rules.ts"
import { identityText } from "../../model/sign-in/identity.rules.ts"
import { FRESH_PROOF_SECONDS } from "../../kernel/account-limits.ts"
import { digest } from "../../kernel/hash.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { isWithin } from "../../kernel/time.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import type { Services } from "../../platform/services/services.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { SignedInBrowser } from "../guards/account-request.ts"
import type { SignedIn } from "../sessions/session.ts"
import { authenticatedAt } from "./arrival.ts"
import { authTimeIn, gapInStrength, type ProofGap, refusedProof } from "./upstream/fresh-sign-in.rules.ts"
import { isSecondFactor, methodsIn, shownNameOf, withUserinfo } from "./upstream/claims.rules.ts"
import { addLink } from "./link.ts"
import { IDENTITIES_AT_MOST } from "./link.rules.ts"
import type { Pending } from "./pending.ts"
import { type ProviderProblem, refusedInWords } from "./provider-words.ts"
import type { Arrived } from "./upstream/upstream.ts"

type Needs = Pick<Services, "store" | "clock">

/** What a signed-in person brings back from a provider. */
export type SignedInReturn = {
  readonly provider: SignInProvider
  readonly arrived: Arrived
  readonly pending: Pending
  readonly address: string
}

/** Sends the page of a step-up that the provider has proven. */
export type FinishStepUp = (
  context: HttpContext,
  reply: HttpReply,
  request: SignedInBrowser,
  back: SignedInReturn,
) => Promise<Result<HttpReply, ProviderProblem>>

/** Links exactly the subject that this sign-in has proven. */
export async function connect(
  texts: Texts,
  services: Needs,
  { session, account }: SignedIn,
  { provider, arrived, pending: { ticketId }, address }: SignedInReturn,
): Promise<Result<null, ProviderProblem>> {
  const { issuer, subject } = arrived
  const more = shownNameOf(provider, arrived.claims) === null ? await arrived.moreClaims() : ok({})
  const claims = more.ok ? withUserinfo(arrived.claims, more.value) : arrived.claims
  const link = { provider: provider.name, key: { issuer, subject }, shownName: shownNameOf(provider, claims) }
  const linking = { sessionHash: session.sessionHash, ticketId }
  const linked = await addLink(services, account.userId, link, { address }, linking)
  return linked.ok
    ? ok(null)
    : err({ status: 409, text: texts.html(`connections.${linked.error}`, { limit: IDENTITIES_AT_MOST }) })
}

/** Stores the proof once. The account at the provider must be one that is connected to this account. */
export async function prove(
  texts: Texts,
  services: Needs,
  { session, account }: SignedIn,
  { provider, arrived, pending: { ticketId }, address }: SignedInReturn,
): Promise<Result<null, ProviderProblem>> {
  const { issuer, subject, claims } = arrived
  const now = services.clock.now()
  // An application can always say it. Others may have no way to: UP-11.
  const authTime = authTimeIn(claims, now)
  const isTimeless = provider.preset === "application" && authTime === null
  const at = authenticatedAt(authTime, account, now)
  const isRecent = isWithin(at, now, FRESH_PROOF_SECONDS)
  const gapInTime = isTimeless ? "no-time" : isRecent ? null : "not-recent"
  const by = isSecondFactor(provider, claims) ? ("second-factor" as const) : ("password" as const)
  const proof = { by, at, ...methodsIn(claims) }
  const { sessionHash } = session
  const { userId } = account
  const identity = digest(identityText({ issuer, subject }))
  const load = { identity, session: sessionHash, factors: userId, spentTicket: ticketId }
  const gap = await services.store.change(load, (found): Decided<ProofGap | "not-yours" | "stale" | null> => {
    if (found.spentTicket !== null || found.session?.userId !== userId) return decided("stale")
    const spent = { change: "ticketSpent", ticketId, at: now } as const
    const isOwn = found.identity?.userId === userId
    const lacks = isOwn ? gapInStrength(provider, claims, found.factors ?? []) : "not-yours"
    const problem = gapInTime ?? lacks
    return problem === null
      ? decided(null, spent, { change: "sessionProven", sessionHash, proof })
      : decided(problem, spent, refusedProof(problem, provider, now, { userId, address }))
  })
  return gap === null ? ok(null) : err(refusedInWords(texts, provider, gap))
}
