/** Messages that only pages of the console show after a form. */
import type { Html } from "../../../kernel/html.ts"
import type { Texts } from "../../languages/texts.ts"
import { flashMessage } from "../flash.ts"
import { notice } from "../form.ts"

const messages: ReadonlyMap<string, string> = new Map([
  ["added", "The account was added."],
  ["renamed", "The account was renamed."],
  ["granted", "The account is now an administrator."],
  ["withdrawn", "The account is no longer an administrator."],
  ["password", "The password was changed. Every browser of the account was signed out."],
  ["unlocked", "Unlocked. Codes work in every browser again."],
  ["factors", "The factors were removed. Every browser of the account was signed out."],
  ["invited", "The invitation is on its way by e-mail."],
  ["uninvited", "The invitation was withdrawn. Its link no longer works."],
  ["group-added", "The group was added."],
  ["group-titled", "The title was changed."],
  ["group-removed", "The group was removed."],
  ["grouped", "The groups of the account were changed."],
  ["unchanged", "Nothing was changed."],
  ["revoked", "Revoked. The app no longer has this access."],
  ["allow-step-up", "The app can now ask for a step-up."],
  ["withdraw-step-up", "The app can no longer ask for a step-up."],
  ["document-fetched", "The document was requested. Its state below says what came of it."],
])

export function consoleMessage(texts: Texts, done: string | null): Html | false {
  const text = done === null ? undefined : messages.get(done)
  return text === undefined ? flashMessage(texts, done) : notice(text)
}
