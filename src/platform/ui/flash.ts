/** Messages that a page shows once after a form has succeeded. The query parameter `done` names the message. */
import { notice } from "./form.ts"
import type { Html } from "../../kernel/html.ts"
import type { Texts } from "../languages/texts.ts"

/** Pages of owners show these. */
const messages = ["registered", "saved", "disabled", "enabled", "removed", "icon", "icon-removed"] as const

export function flashMessage(texts: Texts, done: string | null): Html | false {
  const name = messages.find((one) => one === done)
  return name !== undefined && notice(texts.html(`flash.${name}`))
}
