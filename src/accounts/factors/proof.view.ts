/** Renders the forms that prove a factor: passkey, code, recovery code or password. */
import { alert, field, hidden } from "../../platform/ui/form.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { passkeyForm, type PasskeyView, withoutPasskeys } from "./passkey.view.ts"
import { waitOf } from "../../platform/languages/span.rules.ts"
import type { Texts } from "../../platform/languages/texts.ts"

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

export function proofAlert(texts: Texts, { problem, accepts }: ProofView): Html | null {
  if (problem === null) return null
  if (problem.problem === "throttled")
    return alert(texts.html("common.throttled", waitOf(problem.retryAfterSeconds)))
  if (problem.problem === "closed") return alert(texts.html("proof.closed"))
  if (accepts.password) return alert(texts.html("proof.wrong-password"))
  return alert(texts.html(accepts.totp ? "proof.wrong-code" : "proof.wrong-recovery-code"))
}

type ProofButton = { readonly label: string; readonly sends?: readonly [name: string, value: string] }

/** Renders one form per kind of proof. All forms have the same action and hidden fields. */
export function proofForms(
  texts: Texts,
  action: string,
  fields: Insertable,
  view: ProofView,
  button: ProofButton,
): Html {
  const { accepts, passkey } = view
  const isAlone = passkey === null
  const { label, sends } = button
  // A form that a script submits sends no button. The button's field is therefore repeated as a hidden field.
  const sent = sends !== undefined && hidden(...sends)
  const named = sends !== undefined && html` name="${sends[0]}" value="${sends[1]}"`
  const form = (content: Html, look: "primary" | "quiet") =>
    html`<form class="stack" method="post" action="${action}">
      ${fields}${content}
      <button class="${look}" ${named}>${label}</button>
    </form>`
  return html`${
    passkey !== null &&
    html`${passkeyForm(texts, { action, passkey, fields: [fields, sent], button: texts.plain("proof.use-passkey"), look: "primary" })}
    ${withoutPasskeys(texts)}`
  }
  ${accepts.totp && form(codeField(texts, isAlone), isAlone ? "primary" : "quiet")}
  ${accepts.password && form(passwordField(texts, view.problem), "primary")}
  ${
    // It is collapsed, because only people who lost their other factors need it.
    accepts.recovery &&
    html`<details class="other" ${!accepts.totp && isAlone && html` open`}>
      <summary>${texts.html("proof.use-recovery-code")}</summary>
      ${form(recoveryCodeField(texts), "quiet")}
    </details>`
  }`
}

/** Whether the account has nothing that the forms could ask for. */
export function hasNoProof({ accepts, passkey }: ProofView): boolean {
  return passkey === null && !Object.values(accepts).includes(true)
}

export function codeField(texts: Texts, autofocus: boolean): Html {
  return field({
    name: "code",
    label: texts.plain("proof.code"),
    autocomplete: "one-time-code",
    inputmode: "numeric",
    maxlength: 10,
    look: "code",
    hint: texts.plain("proof.code-hint"),
    autofocus,
  })
}

function passwordField(texts: Texts, problem: ProofProblem | null): Html {
  return field({
    name: "password",
    label: texts.plain("common.password"),
    type: "password",
    autocomplete: "current-password",
    describedBy: problem?.problem === "wrong" ? "problem" : null,
    autofocus: true,
  })
}

function recoveryCodeField(texts: Texts): Html {
  return field({
    name: "code",
    id: "recovery",
    label: texts.plain("proof.recovery-code"),
    maxlength: 40,
    look: "code",
    hint: texts.plain("proof.recovery-code-hint"),
  })
}

/** Renders hidden fields by name. Omits null values. */
export function hiddenFields(values: Readonly<Record<string, string | null>>): readonly Html[] {
  return Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [hidden(name, value)]))
}
