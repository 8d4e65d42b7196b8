/** A signed-in person comes back from a provider: to connect an account there, or to confirm that it is them. */
import { decided } from "../../model/change.rules.ts"
import { identityText } from "../../model/sign-in/identity.rules.ts"
import { FRESH_PROOF_SECONDS } from "../../kernel/limits.ts"
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
import { authTimeIn, gapInStrength, refusedProof } from "./upstream/fresh-sign-in.rules.ts"
import { isSecondFactor, methodsIn, shownNameOf, withUserinfo } from "./upstream/claims.rules.ts"
import { addLink } from "./link.ts"
import { IDENTITIES_AT_MOST } from "./link.rules.ts"
import type { Pending } from "./pending.ts"
import { type ProviderProblem, refusedInWords } from "./provider-words.ts"
import type { Arrived } from "./upstream/upstream.ts"

type Needs = Pick<Services, "store" | "clock">

export function isOfSession({ sessionHash }: Pending, signedIn: SignedIn | null): signedIn is SignedIn {
  return signedIn !== null && signedIn.session.sessionHash === sessionHash
}

export type StepUpReturn = {
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
  back: StepUpReturn,
) => Promise<Result<HttpReply, ProviderProblem>>

/** Links exactly the subject that this sign-in has proven. */
export async function connect(
  texts: Texts,
  services: Needs,
  provider: SignInProvider,
  arrived: Arrived,
  { ticketId }: Pending,
  { session, account }: SignedIn,
  address: string,
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
  provider: SignInProvider,
  { issuer, subject, claims }: Arrived,
  { ticketId }: Pending,
  { session, account }: SignedIn,
  address: string,
): Promise<Result<null, ProviderProblem>> {
  const now = services.clock.now()
  // An application can always say it. Others may have no way to: UP-11.
  const authTime = authTimeIn(claims, now)
  const isTimeless = provider.preset === "application" && authTime === null
  const at = authenticatedAt(authTime, account, now)
  const isRecent = isWithin(at, now, FRESH_PROOF_SECONDS)
  const gapInTime = isTimeless ? "no-time" : isRecent ? null : "not-recent"
  const proof = {
    by: isSecondFactor(provider, claims) ? ("second-factor" as const) : ("password" as const),
    at,
    ...methodsIn(claims),
  }
  const { sessionHash } = session
  const found = await services.store.change(
    {
      identity: digest(identityText({ issuer, subject })),
      session: sessionHash,
      factors: account.userId,
      spentTicket: ticketId,
    },
    ({ identity, session: present, factors, spentTicket }) => {
      if (spentTicket !== null || present?.userId !== account.userId) return decided("stale" as const)
      const spent = { change: "ticketSpent", ticketId, at: now } as const
      const gap =
        gapInTime ??
        (identity?.userId !== account.userId
          ? ("not-yours" as const)
          : gapInStrength(provider, claims, factors ?? []))
      return gap === null
        ? decided("proven" as const, spent, { change: "sessionProven", sessionHash, proof })
        : decided(gap, spent, refusedProof(gap, provider, now, { userId: account.userId, address }))
    },
  )
  if (found === "proven") return ok(null)
  return err(refusedInWords(texts, provider, found))
}
