/** Hides rotation times from the access tokens of the same credential. Interface CRED-5. */
import type { AccessToken } from "../../model/credential.rules.ts"
import type { CredentialRecord } from "../credential/credential-record.rules.ts"
import type { Explanation } from "./explanation.rules.ts"
import { startOfDay } from "../../kernel/time.ts"

export function withoutRotation<R extends CredentialRecord>(record: R): Omit<R, "rotated_at"> {
  const { rotated_at: _, ...rest } = record
  return { ...rest, ends_at: record.ends_at === null ? null : startOfDay(record.ends_at) }
}

/** Removes the exact end, the repeats, and all access tokens except the one that asks. */
export function ownExplanation(explanation: Explanation, asking: AccessToken): Explanation {
  const { comingEnd } = explanation
  return {
    ...explanation,
    comingEnd: comingEnd === null ? null : { ...comingEnd, at: startOfDay(comingEnd.at) },
    accessTokens: explanation.accessTokens.filter(({ hash }) => hash === asking.hash),
    repeats: null,
  }
}
