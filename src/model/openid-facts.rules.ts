/**
 * What an id_token says about the sign-in of a consent. The facts are stored with the credential, so that a refresh
 * repeats them. OpenID Connect Core §2; interface OIDC-4.
 */
import type { TokenId } from "../kernel/ids.ts"
import type { Session } from "./account.rules.ts"

export type OpenidFacts = {
  readonly nonce: string | null
  /** The last proof of the session. */
  readonly authTime: number
  /** What proved it (RFC 8176). Empty for a provider that says nothing. */
  readonly amr: readonly string[]
  /** `1` for one factor, `2` for a second one. */
  readonly acr: "1" | "2"
  /** A name of the session that opens nothing. Null for a device. */
  readonly sid: string | null
  /** The id of the remembered consent that the credential is of. */
  readonly remembered?: TokenId
}

/** Returns the facts as text, as a credential stores them. */
export function openidFacts(
  { proof, createdAt }: Pick<Session, "proof" | "createdAt">,
  nonce: string | null,
  sid: string | null,
  remembered?: TokenId,
): string {
  const isSecond = proof?.by === "second-factor"
  const facts: OpenidFacts = {
    nonce,
    authTime: proof?.at ?? createdAt,
    amr: [...new Set([...(proof?.amr ?? []), ...(isSecond ? ["mfa"] : [])])],
    acr: isSecond ? "2" : "1",
    sid,
    ...(remembered !== undefined && { remembered }),
  }
  return JSON.stringify(facts)
}

export function readOpenidFacts(text: string): OpenidFacts {
  return JSON.parse(text) as OpenidFacts
}
