/** The state table of a code, from its credential `asOf` now: CODE-1…CODE-3; RFC 6749 §4.1.2, RFC 9700 §4.2.4. */
import type { Credential } from "../../../model/credential.rules.ts"
import { type Machine, step } from "../../../kernel/machine.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"

type CodeState =
  | { readonly state: "issued"; readonly tokenId: string }
  | { readonly state: "consumed"; readonly tokenId: string }
  | { readonly state: "expired"; readonly tokenId: string }
  /** The credential was revoked before the code was exchanged. */
  | { readonly state: "void"; readonly tokenId: string }

export type CodeEvent =
  /** The redirect URI and the verifier are correct. */
  | { readonly event: "exchanged" }
  /** The redirect URI or the verifier is wrong. */
  | { readonly event: "exchangedWrongly"; readonly refusal: Refusal }

export type CodeDecision =
  | { readonly decision: "mint" }
  /** A replay suggests that the code was stolen, so its credential is revoked. */
  | { readonly decision: "revoke"; readonly refusal: Refusal }
  | { readonly decision: "refuse"; readonly refusal: Refusal }

const mint = (): CodeDecision => ({ decision: "mint" })
const refused = (_: CodeState, { refusal }: { refusal: Refusal }): CodeDecision => ({
  decision: "refuse",
  refusal,
})
const replayed = ({ tokenId }: CodeState): CodeDecision => ({
  decision: "revoke",
  refusal: { reason: "codeReplayed", tokenId },
})
const expired = ({ tokenId }: CodeState): CodeDecision => ({
  decision: "refuse",
  refusal: { reason: "codeExpired", tokenId },
})
const isVoid = ({ tokenId }: CodeState): CodeDecision => ({
  decision: "refuse",
  refusal: { reason: "codeVoid", tokenId },
})

// prettier-ignore
export const codeTable: Machine<CodeState, CodeEvent, CodeDecision> = {
  issued:   { exchanged: mint,     exchangedWrongly: refused  }, // a failed exchange leaves the code usable
  consumed: { exchanged: replayed, exchangedWrongly: replayed }, // a replay revokes the credential, no matter how late. Divergence: D-9
  expired:  { exchanged: expired,  exchangedWrongly: expired  },
  void:     { exchanged: isVoid,   exchangedWrongly: isVoid   },
}

export function decideCode(credential: Credential, event: CodeEvent): CodeDecision {
  return step(codeTable, codeState(credential), event)
}

export function codeState({ consent: { tokenId }, life }: Credential): CodeState {
  if (life.state === "issued") return { state: "issued", tokenId }
  if (life.state === "active" || life.family !== null) return { state: "consumed", tokenId }
  return { state: life.state === "ended" ? "expired" : "void", tokenId }
}
