/**
 * Decides what an authorization request asks of the person, or whether it goes back to the app with an error. OpenID
 * Connect Core §3.1.2.1, §3.1.2.3, §3.1.2.6; interface OIDC-6, OIDC-7.
 */
import type { Hash, UserId } from "../../kernel/ids.ts"
import { HOUR, isFarAhead, isWithin } from "../../kernel/time.ts"
import type { Session } from "../../model/account.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { OpenidParameters } from "./openid-parameters.rules.ts"

/** When this browser was first asked to sign in for the request, and the session that it had then. */
export type Began = { readonly at: number; readonly sessionHash: Hash | null }

/** A person has this long to sign in. Then the request begins again. */
const BEGAN_SECONDS = HOUR

export type Facts = {
  readonly session: Pick<Session, "sessionHash" | "userId" | "createdAt" | "proof"> | null
  /** Whom `id_token_hint` names. Null if it is not an id_token of this app. Undefined without a hint. */
  readonly hinted: UserId | null | undefined
  readonly began: Began | null
  /** Whether an earlier consent covers the request. */
  readonly isRemembered: boolean
}

export type NextStep =
  /** With `isProofNeeded`, only a proof after the request began goes on. */
  | { readonly step: "sign-in"; readonly isProofNeeded: boolean }
  /** The consent page. */
  | { readonly step: "ask" }
  /** No page is needed. */
  | { readonly step: "grant" }
  | { readonly step: "refuse"; readonly refusal: Refusal }

/** A request without `openid` has no parameters here. It then signs in, and asks for consent. */
export function nextStep(
  { prompt = [], maxAge }: OpenidParameters,
  { session, hinted, began, isRemembered }: Facts,
  now: number,
): NextStep {
  const provenAt = session === null ? 0 : (session.proof?.at ?? session.createdAt)
  const isTooOld = maxAge !== undefined && !isWithin(provenAt, now, maxAge)
  const mustProve = prompt.includes("login") || isTooOld
  if (prompt.includes("none")) {
    const isHinted = hinted === undefined || hinted === session?.userId
    if (session === null || !isHinted) return refuse("loginRequired")
    // An app that the person has not allowed must not learn the time of the last proof.
    if (!isRemembered) return refuse("consentRequired")
    return isTooOld ? refuse("loginRequired") : { step: "grant" }
  }
  if (session === null)
    return {
      step: "sign-in",
      isProofNeeded: prompt.includes("login") || maxAge !== undefined || typeof hinted === "string",
    }
  const isInTime = began !== null && isWithin(began.at, now, BEGAN_SECONDS)
  // The session is another one, so it can only seem older by the clocks of two nodes, or of a provider.
  const hasSignedIn =
    isInTime && session.sessionHash !== began.sessionHash && !isFarAhead(began.at, session.createdAt)
  const hasProven = isInTime && (hasSignedIn ? !isFarAhead(began.at, provenAt) : provenAt > began.at)
  // A hint that is not ours names no account, so it does not matter here. The app compares `sub`.
  const isAnother = typeof hinted === "string" && hinted !== session.userId
  if (isAnother || (mustProve && !hasProven))
    // A sign-in as another account, or one that proved nothing new, must not lead to a second one.
    return hasSignedIn ? refuse("loginRequired") : { step: "sign-in", isProofNeeded: true }
  const isAsked = prompt.includes("consent") || prompt.includes("select_account")
  return isRemembered && !isAsked ? { step: "grant" } : { step: "ask" }
}

function refuse(reason: "loginRequired" | "consentRequired"): NextStep {
  return { step: "refuse", refusal: { reason } }
}
