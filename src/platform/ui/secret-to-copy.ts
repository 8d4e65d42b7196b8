/** Shows a new secret. The service never shows it again. */
import { type Html, html } from "../../kernel/html.ts"
import { caution } from "./mark.ts"

export function secretToCopy(secret: string): Html {
  return html`<section class="administration" aria-labelledby="secret">
    <h2 id="secret">${caution}Copy the secret now</h2>
    <p>It is shown only once. Keep it on your server, and do not share it.</p>
    <p><code class="secret copied">${secret}</code></p>
  </section>`
}
