/** Asking for a passkey: a form that `passkey-script.ts` brings to life, and that stays hidden without it. */
import { hidden } from "../../ui/form.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"

export type PasskeyView = {
  /** What the browser is asked, as JSON. */
  readonly options: string
  /** Sealed; posted back as `challenge`, beside the browser's answer in `response`. */
  readonly challenge: string
  /** The path of the script below the base path. */
  readonly script: string
}

type PasskeyForm = {
  readonly action: string
  readonly passkey: PasskeyView
  /** Hidden fields, and visible ones where there are any. */
  readonly fields: Insertable
  readonly button: string
  readonly look: "primary" | "quiet"
}

export function passkeyForm({ action, passkey, fields, button, look }: PasskeyForm): Html {
  return form("get", { action, passkey, fields, button, look })
}

/** The same for a passkey that is to be made. */
export function newPasskeyForm(of: PasskeyForm): Html {
  return form("create", of)
}

function form(use: "get" | "create", { action, passkey, fields, button, look }: PasskeyForm): Html {
  return html`<form
    class="stack passkey"
    method="post"
    action="${action}"
    data-passkey="${use}"
    data-options="${passkey.options}"
    hidden
  >
    ${fields}${hidden("challenge", passkey.challenge)}${hidden("response", "")}
    <button class="${look}">${button}</button>
    <p class="problem" role="alert" data-problem hidden></p>
  </form>`
}

/** Stands where a passkey button would, until the script has put the button there. */
export function withoutPasskeys(): Html {
  return html`<p class="note" data-without-passkey>
    To use a passkey, turn on JavaScript in a browser that supports passkeys.
  </p>`
}
