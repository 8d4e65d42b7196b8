/** Why the access of an app ended, addressed to the account holder. */
import type { Html } from "../../kernel/html.ts"
import type { QuietEnd, RevokedBecause } from "../../model/credential.rules.ts"
import type { TextKey, Texts } from "../../platform/languages/texts.ts"
import type { Sentence } from "./detail-words.ts"

export function quietEndSentence(texts: Texts, because: QuietEnd, app: Html): Sentence {
  return {
    text: texts.html(`activity.ended.${because}`, { app }),
    more: texts.html(`activity.ended.${because}.more`),
  }
}

const revocations: { readonly [K in RevokedBecause]: TextKey } = {
  app: "activity.revoked.app",
  "account-holder": "activity.revoked.account-holder",
  administrator: "activity.revoked.administrator",
  "code-replayed": "activity.revoked.code-replayed",
  "refresh-token-reused": "activity.revoked.refresh-token-reused",
  "account-removed": "activity.revoked.account-removed",
  "app-removed": "activity.revoked.app-removed",
  "session-ended": "activity.revoked.session-ended",
}

export function revoked(detail: string | null): TextKey {
  return detail !== null && Object.hasOwn(revocations, detail)
    ? revocations[detail as RevokedBecause]
    : "activity.revoked"
}
