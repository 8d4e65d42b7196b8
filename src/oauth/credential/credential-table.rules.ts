/** The state table "Credential": CRED-1…CRED-4. It is `asOf` now, so that its state includes an expiry. */
import type { Credential, Life, Retired, RevokedBecause } from "../../model/credential.rules.ts"
import { type Machine, step } from "../../kernel/machine.ts"
import type { Presented } from "./refresh-token.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"

type State = Life & { readonly credential: Credential }

export type CredentialEvent =
  /** The app sends the current refresh token to the token endpoint. */
  | { readonly event: "currentPresented" }
  | { readonly event: "previousWithinGracePresented"; readonly retired: Retired }
  | { readonly event: "olderWithinGracePresented" }
  | { readonly event: "reusedAfterGracePresented" }
  | { readonly event: "neverIssuedPresented" }
  /** The app, the account holder or an administrator revokes the credential. */
  | { readonly event: "revoked"; readonly because: RevokedBecause }

export type CredentialDecision =
  /** A new pair is issued, and the presented token is retired. */
  | { readonly decision: "rotate" }
  /** The same pair is sent again. */
  | { readonly decision: "answerAgain"; readonly retired: Retired }
  /** The credential ends. `refusal` is the response to the presented token. It is null if no token was presented. */
  | { readonly decision: "revoke"; readonly because: RevokedBecause; readonly refusal: Refusal | null }
  | { readonly decision: "refuse"; readonly refusal: Refusal }
  | { readonly decision: "leave" }

const tokenId = (state: State) => state.credential.consent.tokenId

const unknown = (): CredentialDecision => ({ decision: "refuse", refusal: { reason: "refreshTokenUnknown" } })
const isRevoked = (state: State): CredentialDecision => ({
  decision: "refuse",
  refusal: { reason: "credentialRevoked", tokenId: tokenId(state) },
})
const isEnded = (state: State): CredentialDecision => ({
  decision: "refuse",
  refusal: { reason: "credentialEnded", tokenId: tokenId(state) },
})
const reused = (state: State): CredentialDecision => ({
  decision: "revoke",
  because: "refresh-token-reused",
  refusal: { reason: "refreshTokenReused", tokenId: tokenId(state) },
})
/** The grace period of an older token may still be open. CRED-2 requires revocation only after it. */
const retired = (state: State): CredentialDecision => ({
  decision: "refuse",
  refusal: { reason: "refreshTokenRetired", tokenId: tokenId(state) },
})
const rotate = (): CredentialDecision => ({ decision: "rotate" })
const leave = (): CredentialDecision => ({ decision: "leave" })
const revoke = (_: State, { because }: { because: RevokedBecause }): CredentialDecision => ({
  decision: "revoke",
  because,
  refusal: null,
})
const answerAgain = (_: State, event: { retired: Retired }): CredentialDecision => ({
  decision: "answerAgain",
  retired: event.retired,
})

// prettier-ignore
export const credentialTable: Machine<State, CredentialEvent, CredentialDecision> = {
  issued: { // the code exchange issues the first refresh token
    currentPresented:             unknown,
    previousWithinGracePresented: unknown,
    olderWithinGracePresented:    unknown,
    reusedAfterGracePresented:    unknown,
    neverIssuedPresented:         unknown,
    revoked:                      revoke,
  },
  active: {
    currentPresented:             rotate,
    previousWithinGracePresented: answerAgain,
    olderWithinGracePresented:    retired,
    reusedAfterGracePresented:    reused,
    neverIssuedPresented:         unknown,
    revoked:                      revoke,
  },
  revoked: { // an ended credential never changes
    currentPresented:             isRevoked,
    previousWithinGracePresented: isRevoked,
    olderWithinGracePresented:    isRevoked,
    reusedAfterGracePresented:    isRevoked,
    neverIssuedPresented:         unknown,
    revoked:                      leave,
  },
  ended: { // this happens 90 days after the last refresh, one year after the consent, or when a code expires
    currentPresented:             isEnded,
    previousWithinGracePresented: isEnded,
    olderWithinGracePresented:    isEnded,
    reusedAfterGracePresented:    isEnded,
    neverIssuedPresented:         unknown,
    revoked:                      leave,
  },
}

/** Decides on an event. The credential must be `asOf` now. */
export function decideCredential(credential: Credential, event: CredentialEvent): CredentialDecision {
  return step(credentialTable, { ...credential.life, credential }, event)
}

export function presentedEvent(presented: Presented, retiredToken: Retired | null): CredentialEvent {
  switch (presented) {
    case "current":
      return { event: "currentPresented" }
    case "previousWithinGrace":
      return retiredToken === null
        ? { event: "neverIssuedPresented" }
        : { event: "previousWithinGracePresented", retired: retiredToken }
    case "olderWithinGrace":
      return { event: "olderWithinGracePresented" }
    case "reusedAfterGrace":
      return { event: "reusedAfterGracePresented" }
    case "neverIssued":
      return { event: "neverIssuedPresented" }
  }
}
