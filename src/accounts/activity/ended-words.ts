/** Why the access of an app ended, addressed to the account holder. */
import type { Html } from "../../kernel/html.ts"
import { type QuietEnd, revokedBecause } from "../../model/credential.rules.ts"
import type { TextKey, Texts } from "../../platform/languages/texts.ts"
import type { Sentence } from "./detail-words.ts"

export function quietEndSentence(texts: Texts, because: QuietEnd, app: Html): Sentence {
  return {
    text: texts.html(`activity.ended.${because}`, { app }),
    more: texts.html(`activity.ended.${because}.more`),
  }
}

export function revoked(detail: string | null): TextKey {
  const because = revokedBecause.find((one) => one === detail)
  return because === undefined ? "activity.revoked" : `activity.revoked.${because}`
}
