/** A signed-in person comes back from a provider: to connect an account there, or to confirm that it is them. */
import { decided } from "../../model/change.rules.ts"
import { identityText } from "../../model/sign-in/identity.rules.ts"
import { FRESH_PROOF_SECONDS } from "../../kernel/limits.ts"
import { digest } from "../../kernel/hash.ts"
import { html } from "../../kernel/html.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { isWithin } from "../../kernel/time.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import type { Services } from "../../platform/services/services.ts"
import { type SignInProvider, trustIn } from "../../model/sign-in/provider.rules.ts"
import type { SignedIn } from "../sessions/session.ts"
import { authenticatedAt } from "./arrival.ts"
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
  const more = shownNameOf(arrived.claims) === null ? await arrived.moreClaims() : ok({})
  const claims = more.ok ? withUserinfo(arrived.claims, more.value) : arrived.claims
  const link = { provider: provider.name, key: { issuer, subject }, shownName: shownNameOf(claims) }
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
): Promise<Result<null, ProviderProblem>> {
  const now = services.clock.now()
  const at = authenticatedAt(claims, account, now)
  const name = html`<bdi>${provider.label}</bdi>`
  if (!isWithin(at, now, FRESH_PROOF_SECONDS))
    return err({
      status: 403,
      text: texts.html("provider.not-recent", { provider: name }),
    })
  const proof = {
    by: isSecondFactor(trustIn(provider), claims) ? ("second-factor" as const) : ("password" as const),
    at,
    ...methodsIn(claims),
  }
  const { sessionHash } = session
  const found = await services.store.change(
    { identity: digest(identityText({ issuer, subject })), session: sessionHash, spentTicket: ticketId },
    ({ identity, session: present, spentTicket }) => {
      if (spentTicket !== null || present?.userId !== account.userId) return decided("stale" as const)
      const spent = { change: "ticketSpent", ticketId, at: now } as const
      return identity?.userId === account.userId
        ? decided("proven" as const, spent, { change: "sessionProven", sessionHash, proof })
        : decided("another" as const, spent)
    },
  )
  if (found === "proven") return ok(null)
  if (found === "stale") return err(refusedInWords(texts, provider.label, "stale"))
  return err({
    status: 403,
    text: texts.html("provider.not-yours", { provider: name }),
  })
}
