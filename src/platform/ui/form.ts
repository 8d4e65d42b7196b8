/** Parts of forms. Every form uses POST and contains the CSRF token of the session. */
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { PASSWORD_LENGTH } from "../../kernel/account-limits.ts"
import type { TextKey, Texts } from "../languages/texts.ts"
import type { PageInput } from "./layout.ts"
import { caution, tick } from "./mark.ts"

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

type Field = {
  readonly name: string
  readonly label: string
  readonly type?: "text" | "password" | "email"
  readonly autocomplete?: "username" | "current-password" | "new-password" | "one-time-code" | "email" | "off"
  /** The id is needed only if a page has two fields with the same name. */
  readonly id?: string
  readonly inputmode?: "numeric"
  readonly maxlength?: number
  /** `code` uses a monospaced font, because people compare the text character by character. */
  readonly look?: "code"
  readonly isOptional?: boolean
  readonly value?: string
  readonly hint?: string
  readonly problem?: string | null
  /** The id of the alert that explains the problem of this field. */
  readonly describedBy?: string | null
  readonly autofocus?: boolean
}

/** Renders a field with its label. For screen readers, `aria-describedby` points to its hint and its problem. */
export function field(of: Field): Html {
  const {
    name,
    id = name,
    type = "text",
    autocomplete = "off",
    hint,
    problem = null,
    describedBy = null,
  } = of
  const notes = [describedBy, problem !== null && `${id}-problem`, hint !== undefined && `${id}-hint`]
  const described = notes.filter(Boolean).join(" ")
  const invalid = problem !== null || describedBy !== null
  const attributes: Insertable[] = [
    of.value !== undefined && html` value="${of.value}"`,
    of.isOptional !== true && html` required`,
    of.look === "code" && html` class="code"`,
    of.inputmode !== undefined && html` inputmode="${of.inputmode}"`,
    of.maxlength !== undefined && html` maxlength="${of.maxlength}"`,
    (name === "username" || of.look === "code") && html` autocapitalize="none" spellcheck="false"`,
    invalid && html` aria-invalid="true"`,
    described !== "" && html` aria-describedby="${described}"`,
    of.autofocus === true && html` autofocus`,
  ]
  return html`<div class="field">
    <label for="${id}">${of.label}</label>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${problem !== null && html`<p class="problem" id="${id}-problem">${problem}</p>`}
    <input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" ${attributes} />
  </div>`
}

type NewPassword = Partial<Pick<Field, "name" | "problem" | "autofocus">> & { readonly label?: TextKey }

/** Renders the field of a new password, with the rule that it must meet. */
export function newPasswordField(
  texts: Texts,
  { name = "password", label = "common.new-password", problem = null, autofocus = true }: NewPassword,
): Html {
  return field({
    name,
    label: texts.plain(label),
    type: "password",
    autocomplete: "new-password",
    hint: texts.plain("common.new-password-hint", PASSWORD_LENGTH),
    problem,
    autofocus,
  })
}

export function accountField(texts: Texts, username: string): Html {
  return html`<div hidden>
    <label for="account">${texts.html("common.username")}</label>
    <input id="account" name="account" type="text" autocomplete="username" value="${username}" />
  </div>`
}

/** Renders an error. Screen readers announce it when the page opens. */
export function alert(text: Insertable): Html {
  return html`<div class="alert" id="problem" role="alert">
    ${caution}
    <p>${text}</p>
  </div>`
}

/** Renders what the last form has done. Screen readers announce it when the page opens. */
export function notice(text: Insertable): Html {
  return html`<div class="done" role="status">
    ${tick}
    <p>${text}</p>
  </div>`
}

/**
 * Renders the sign-out form. `continueTo` is the sealed request that continues after the next sign-in. Divergence: D-21,
 * the consent page has it as a second form.
 */
export function signOutForm(
  { basePath, texts }: PageInput,
  csrf: string,
  continueTo: string | null = null,
): Html {
  return html`<form class="sign-out" method="post" action="${basePath}/sign-out">
    ${hidden("csrf", csrf)}${continueTo !== null && hidden("continue", continueTo)}
    <button class="link">${texts.html("common.sign-out")}</button>
  </form>`
}
