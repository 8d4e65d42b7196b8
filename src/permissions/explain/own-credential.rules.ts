/** What the access tokens of a credential see of it: nothing that shows when it rotated. Interface CRED-5. */
import { type AccessToken, familyOf } from "../../records/credential.rules.ts"
import type { CredentialRecord } from "../../oauth/credential/credential-record.rules.ts"
import type { Explanation } from "./explanation.rules.ts"
import { startOfDay } from "../../kernel/time.ts"

export function withoutRotation<R extends CredentialRecord>(record: R): Omit<R, "rotated_at"> {
  const { rotated_at: _, ...rest } = record
  return { ...rest, ends_at: startOfDay(record.ends_at) }
}

/** The explanation with no other access token than the one that asks. */
export function ownExplanation(explanation: Explanation, asking: AccessToken): Explanation {
  const { credential, comingEnd } = explanation
  const kept = familyOf(credential)?.accessTokens ?? []
  return {
    ...explanation,
    comingEnd: comingEnd === null ? null : { ...comingEnd, at: startOfDay(comingEnd.at) },
    accessTokens: explanation.accessTokens.filter((_, i) => kept[i]?.hash === asking.hash),
    repeats: null,
  }
}
