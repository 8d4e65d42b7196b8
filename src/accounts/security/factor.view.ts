import { alert, field, hidden } from "../../platform/ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
import { factorKind, type FactorView } from "./security.view.ts"
import { wholeDay } from "../../platform/ui/instant.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

export type FactorInput = SignedInInput & {
  readonly factor: FactorView
  /** Whether removing this factor leaves the account with only its password. */
  readonly isLast: boolean
  readonly problem: string | null
}

export function renderFactor(input: FactorInput): string {
  const { basePath, texts, csrf, factor, isLast, problem } = input
  const name = shownName(factor.name, factorKind(factor))
  const fields = [hidden("csrf", csrf), hidden("id", factor.factorId)]
  const main = html`<h1><bdi class="name">${name}</bdi></h1>
    <p class="lead">
      ${factorKind(factor)}, added ${wholeDay(texts, factor.addedAt)},
      ${factor.usedAt === null ? "not used yet" : html`last used ${wholeDay(texts, factor.usedAt)}`}.
    </p>
    ${problem !== null && alert(problem)}
    <form class="stack" method="post" action="${basePath}/account/security/rename">
      ${fields}
      ${field({ name: "name", label: "Name", type: "text", autocomplete: "off", value: factor.name, maxlength: 100 })}
      <button class="primary">Save name</button>
    </form>
    <section class="next">
      <h2>Remove it</h2>
      <p class="note">
        ${
          isLast
            ? "This is your last second step. Without it, only your password protects your account. Your recovery codes are removed too."
            : "You can no longer sign in with it. Your other second steps stay."
        }
      </p>
      <form class="stack" method="post" action="${basePath}/account/security/remove">
        ${fields}<button class="danger">Remove</button>
      </form>
    </section>
    <p class="note"><a href="${basePath}/account/security">Go back</a></p>`
  return renderSecurityForm(input, { title: name, main })
}
