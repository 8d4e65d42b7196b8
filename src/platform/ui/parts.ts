/** Small parts of pages. */
import { type Html, html, type Insertable } from "../../kernel/html.ts"

/** Renders one row of a list of facts. */
export function fact(term: Insertable, value: Insertable): Html {
  return html`<div>
    <dt>${term}</dt>
    <dd>${value}</dd>
  </div>`
}

/** Renders the one link that leads on from a page. */
export function buttonLink(href: string, label: Insertable): Html {
  return html`<p class="actions"><a class="button" href="${href}">${label}</a></p>`
}
