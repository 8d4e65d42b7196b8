/** Messages that a page shows once after a form has succeeded. The query parameter `done` names the message. */
import { notice } from "./form.ts"
import type { Html } from "../../kernel/html.ts"

const messages: ReadonlyMap<string, string> = new Map([
  ["added", "The account was added."],
  ["renamed", "The account was renamed."],
  ["disabled", "Disabled. It does not work until you enable it again."],
  ["enabled", "Enabled. Access that was not revoked works again."],
  ["removed", "Removed permanently."],
  ["granted", "The account is now an administrator."],
  ["withdrawn", "The account is no longer an administrator."],
  ["password", "The password was changed. Every browser of the account was signed out."],
  ["unlocked", "Unlocked. Codes work in every browser again."],
  ["factors", "The factors were removed. Every browser of the account was signed out."],
  ["registered", "The app was registered."],
  ["saved", "Saved. The change takes effect within a second."],
  ["unchanged", "Nothing was changed."],
  ["revoked", "Revoked. The app no longer has this access."],
  ["allow-step-up", "The app can now ask for a step-up."],
  ["withdraw-step-up", "The app can no longer ask for a step-up."],
  ["document-fetched", "The document was requested. Its state below says what came of it."],
  ["icon", "The icon was saved. Pages show it while the app is verified."],
  ["icon-removed", "The icon was removed. Pages show the monogram."],
])

export function flashMessage(done: string | null): Html | false {
  const text = done === null ? undefined : messages.get(done)
  return text !== undefined && notice(text)
}
