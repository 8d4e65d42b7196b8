/** Fields that only the console has. */
import { type Html, html } from "../html.ts"

export type Choice = {
  readonly name: string
  readonly value: string
  readonly title: string
  readonly explanation?: string | Html | undefined
  readonly isChecked: boolean
}

/** One choice in a box of its own. */
export function checkbox(choice: Choice): Html {
  return html`<div class="choices">${choiceOf("checkbox", choice)}</div>`
}

export function choiceOf(
  type: "checkbox" | "radio",
  { name, value, title, explanation, isChecked }: Choice,
): Html {
  return html`<label class="choice">
    <input type="${type}" name="${name}" value="${value}" ${isChecked && html`checked`} />
    <strong>${title}</strong>
    ${explanation !== undefined && html`<span class="note">${explanation}</span>`}
  </label>`
}

/** Choices that belong together, under one heading. */
export function choices(legend: string, type: "checkbox" | "radio", all: readonly Choice[]): Html {
  return html`<fieldset>
    <legend>${legend}</legend>
    <ul class="choices">
      ${all.map((choice) => html`<li>${choiceOf(type, choice)}</li>`)}
    </ul>
  </fieldset>`
}

type LongText = {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly rows: number
  readonly hint?: string
}

/** Several lines. What it begins with would be lost if it were a line break. */
export function longText({ name, label, value, rows, hint }: LongText): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    <textarea
      id="${name}"
      name="${name}"
      rows="${rows}"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      ${hint !== undefined && html`aria-describedby="${name}-hint"`}
    >
${value}</textarea>
  </div>`
}
