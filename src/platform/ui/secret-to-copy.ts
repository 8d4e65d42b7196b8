/** Shows a new secret. The service never shows it again. */
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../languages/texts.ts"
import { caution } from "./mark.ts"

export function secretToCopy(texts: Texts, secret: string): Html {
  return html`<section class="administration" aria-labelledby="secret">
    <h2 id="secret">${caution}${texts.html("secret.title")}</h2>
    <p>${texts.html("secret.warning")}</p>
    <p><code class="secret copied">${secret}</code></p>
  </section>`
}
