/** Fields of larger forms: choices with explanations, text areas, an image file. */
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import type { Texts } from "../languages/texts.ts"

type Option = {
  readonly name: string
  readonly value: string
  readonly title: string
  readonly explanation: Insertable
  readonly isChecked: boolean
  /** The class of its row. */
  readonly look?: string | undefined
}

/** Renders checkboxes or radio buttons. `legend` is the question. `problem` says what is wrong with the answer. */
export function options(
  type: "checkbox" | "radio",
  {
    legend,
    hint,
    problem = null,
  }: { readonly legend: string; readonly hint?: string; readonly problem?: string | null },
  all: readonly Option[],
): Html {
  return html`<fieldset>
    <legend>${legend}</legend>
    ${hint !== undefined && html`<p class="hint">${hint}</p>`}
    ${problem !== null && html`<p class="problem">${problem}</p>`}
    <ul class="options">
      ${all.map((one) => html`<li${one.look !== undefined && html` class="${one.look}"`}>${option(type, one)}</li>`)}
    </ul>
  </fieldset>`
}

export function option(type: "checkbox" | "radio", one: Option): Html {
  // Ids must not contain spaces, because aria-describedby separates ids by spaces.
  const id = `${one.name}-${one.value.replace(/\s/g, "_")}`
  return html`<div class="option">
    <input
      id="${id}"
      type="${type}"
      name="${one.name}"
      value="${one.value}"
      aria-describedby="${id}-note"
      ${one.isChecked && html` checked`}
    />
    <label for="${id}"><bdi>${one.title}</bdi></label>
    <p class="note" id="${id}-note">${one.explanation}</p>
  </div>`
}

/** A permission that a person can select. `implies` lists the titles of the permissions that it implies. */
export type PermissionChoice = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly implies: readonly string[]
}

export function permissionOptions(
  texts: Texts,
  group: string,
  permissions: readonly PermissionChoice[],
  ticked: ReadonlySet<string>,
): Html {
  return options(
    "checkbox",
    { legend: group === "" ? texts.plain("permissions.no-group") : group },
    permissions.map(({ name, title, description, implies }) => ({
      name: "permission",
      value: name,
      title,
      explanation: html`<code>${name}</code>
        <bdi>${description}</bdi
        >${implies.length > 0 && html` ${texts.html("permissions.implies", { permissions: html`${texts.formats.list(implies)}` })}`}`,
      isChecked: ticked.has(name),
    })),
  )
}

/** Renders a text area. Each line is one entry. */
export function lines(of: {
  readonly name: string
  readonly label: string
  readonly hint: Insertable
  readonly problem?: string | null
  readonly value: string
  readonly rows: number
}): Html {
  const { name, problem = null } = of
  const described = problem === null ? `${name}-hint` : `${name}-problem ${name}-hint`
  // HTML ignores the first line break of a text area. This additional line break protects one at the start of the
  // value.
  return html`<div class="field">
    <label for="${name}">${of.label}</label>
    <p class="hint" id="${name}-hint">${of.hint}</p>
    ${problem !== null && html`<p class="problem" id="${name}-problem">${problem}</p>`}
    <textarea
      id="${name}"
      name="${name}"
      rows="${of.rows}"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      aria-describedby="${described}"
      ${problem !== null && html` aria-invalid="true"`}
    >
${of.value}</textarea>
  </div>`
}

/** Renders the file field of an icon. If there is a problem, the page's alert describes the field. */
export function pictureField(texts: Texts, hint: string, problem: string | null): Html {
  return html`<div class="field">
    <label for="icon">${texts.html("icon.picture")}</label>
    <p class="hint" id="icon-hint">${hint}</p>
    <input
      id="icon"
      name="icon"
      type="file"
      accept="image/png,image/jpeg,image/webp,image/gif"
      required
      aria-describedby="icon-hint${problem !== null && " problem"}"
    />
  </div>`
}
