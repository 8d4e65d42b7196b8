/** Forms that ask the browser for a passkey. They stay hidden until `passkey-script.ts` has started. */
import { hidden } from "../../platform/ui/form.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"

export type PasskeyView = {
  /** The WebAuthn options as JSON. */
  readonly options: string
  /** The sealed challenge. The form sends it as `challenge` and the browser's response as `response`. */
  readonly challenge: string
  /** The URL of the script, relative to the base path. */
  readonly script: string
}

type PasskeyForm = {
  readonly action: string
  readonly passkey: PasskeyView
  readonly fields: Insertable
  readonly button: string
  readonly look: "primary" | "quiet"
}

export function passkeyForm(texts: Texts, of: PasskeyForm): Html {
  return form(texts, "get", of)
}

export function newPasskeyForm(texts: Texts, of: PasskeyForm): Html {
  return form(texts, "create", of)
}

function form(
  texts: Texts,
  use: "get" | "create",
  { action, passkey, fields, button, look }: PasskeyForm,
): Html {
  return html`<form
    class="stack passkey"
    method="post"
    action="${action}"
    data-passkey="${use}"
    data-options="${passkey.options}"
    data-added-already="${texts.plain("passkey.added-already")}"
    data-wrong-address="${texts.plain("passkey.wrong-address")}"
    data-canceled="${texts.plain("passkey.canceled")}"
    hidden
  >
    ${fields}${hidden("challenge", passkey.challenge)}${hidden("response", "")}
    <button class="${look}">${button}</button>
    <p class="problem" role="alert" data-problem hidden></p>
  </form>`
}

/** A note in browsers without passkeys. The script replaces it by the passkey button. */
export function withoutPasskeys(texts: Texts): Html {
  return html`<p class="note" data-without-passkey>${texts.html("passkey.needs-script")}</p>`
}
