/** Renders the forms that prove a factor: passkey, code, recovery code or password. */
import { alert, field, hidden } from "../../platform/ui/form.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { passkeyForm, type PasskeyView, withoutPasskeys } from "./passkey.view.ts"
import { waitInWords } from "../../platform/ui/words.ts"

export type ProofProblem =
  /** Wrong, used and expired codes get the same message. */
  | { readonly problem: "wrong" }
  | { readonly problem: "throttled"; readonly retryAfterSeconds: number }
  /** The account accepts codes from known browsers only. */
  | { readonly problem: "closed" }

export type ProofView = {
  readonly accepts: { readonly totp: boolean; readonly recovery: boolean; readonly password: boolean }
  /** The value is null if the account has no passkey or passkeys do not work at this URL. */
  readonly passkey: PasskeyView | null
  readonly problem: ProofProblem | null
}

export function proofAlert({ problem, accepts }: ProofView): Html | null {
  if (problem === null) return null
  if (problem.problem === "throttled")
    return alert(`Too many attempts. Wait ${waitInWords(problem.retryAfterSeconds)}, then try again.`)
  if (problem.problem === "closed")
    return alert(
      "Too many wrong codes were entered for this account. Codes now work only in a browser that has signed in before. Use that browser or a passkey, or ask an administrator to unlock the account.",
    )
  if (accepts.password) return alert("The password is not correct.")
  return alert(
    accepts.totp
      ? "That code is not valid. Check it, or wait for the next one. Each code works once."
      : "That code is not valid. Check it and try again. A recovery code works once.",
  )
}

type ProofButton = { readonly label: string; readonly sends?: readonly [name: string, value: string] }

/** Renders one form per kind of proof. All forms have the same action and hidden fields. */
export function proofForms(action: string, fields: Insertable, view: ProofView, button: ProofButton): Html {
  const { accepts, passkey } = view
  const isAlone = passkey === null
  // A form that a script submits sends no button. The button's field is therefore repeated as a hidden field.
  const sent = button.sends !== undefined && hidden(...button.sends)
  return html`${
    passkey !== null &&
    html`${passkeyForm({ action, passkey, fields: [fields, sent], button: "Use your passkey", look: "primary" })}
    ${withoutPasskeys()}`
  }
  ${accepts.totp && codeForm(action, fields, button, isAlone)}
  ${accepts.password && passwordForm(action, fields, button, view.problem)}
  ${accepts.recovery && recoveryForm(action, fields, button, !accepts.totp && isAlone)}`
}

/** Whether the account has nothing that the forms could ask for. */
export function hasNoProof({ accepts, passkey }: ProofView): boolean {
  return passkey === null && !Object.values(accepts).includes(true)
}

function codeForm(action: string, fields: Insertable, button: ProofButton, isAlone: boolean): Html {
  return html`<form class="stack" method="post" action="${action}">
    ${fields}${codeField(isAlone)} ${submit(button, isAlone ? "primary" : "quiet")}
  </form>`
}

function submit({ label, sends }: ProofButton, look: "primary" | "quiet"): Html {
  const named = sends !== undefined && html` name="${sends[0]}" value="${sends[1]}"`
  return html`<button class="${look}" ${named}>${label}</button>`
}

export function codeField(autofocus: boolean): Html {
  return field({
    name: "code",
    label: "Code",
    type: "text",
    autocomplete: "one-time-code",
    inputmode: "numeric",
    maxlength: 10,
    look: "code",
    hint: "The six digits in your authenticator app.",
    autofocus,
  })
}

function passwordForm(
  action: string,
  fields: Insertable,
  button: ProofButton,
  problem: ProofProblem | null,
): Html {
  return html`<form class="stack" method="post" action="${action}">
    ${fields}
    ${field({
      name: "password",
      label: "Password",
      type: "password",
      autocomplete: "current-password",
      describedBy: problem?.problem === "wrong" ? "problem" : null,
      autofocus: true,
    })}
    ${submit(button, "primary")}
  </form>`
}

/** Renders the recovery code form collapsed, because only people who lost their other factors need it. */
function recoveryForm(action: string, fields: Insertable, button: ProofButton, isExpanded: boolean): Html {
  return html`<details class="other" ${isExpanded && html` open`}>
    <summary>Use a recovery code</summary>
    <form class="stack" method="post" action="${action}">
      ${fields}
      ${field({
        name: "code",
        id: "recovery",
        label: "Recovery code",
        type: "text",
        autocomplete: "off",
        maxlength: 40,
        look: "code",
        hint: "One of the codes that you saved. Each works once.",
      })}
      ${submit(button, "quiet")}
    </form>
  </details>`
}

/** Renders hidden fields by name. Omits null values. */
export function hiddenFields(values: Readonly<Record<string, string | null>>): readonly Html[] {
  return Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [hidden(name, value)]))
}
