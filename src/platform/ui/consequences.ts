/** The consequences of a change: the total first, and what makes it up folded below. PERM-5. */
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import type { Texts } from "../languages/texts.ts"

export type Consequences = {
  readonly total: readonly Insertable[]
  readonly rest: readonly Insertable[]
}

export const noConsequences: Consequences = { total: [], rest: [] }

/** Renders the total as a list with the class `look`, and one line for each permission below it. */
export function consequenceList(texts: Texts, { total, rest }: Consequences, look?: string): Html {
  const list = (lines: readonly Insertable[]) =>
    html`<ul${look !== undefined && html` class="${look}"`}>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`
  return html`${list(total)}${
    rest.length > 0 &&
    html`<details class="more">
      <summary>${texts.html("consequences.rest")}</summary>
      ${list(rest)}
    </details>`
  }`
}
