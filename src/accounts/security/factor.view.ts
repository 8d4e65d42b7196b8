import { alert, field, hidden } from "../../platform/ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { FACTOR_NAME_LENGTH_AT_MOST } from "../../kernel/account-limits.ts"
import { defaultFactorNames, type FactorNameProblem } from "../../model/factor.rules.ts"
import type { TextKey, Texts } from "../../platform/languages/texts.ts"
import { type Html, html } from "../../kernel/html.ts"
import { factorName } from "../factors/factor-name.ts"
import { factorDates, type FactorView } from "./security.view.ts"

export type FactorInput = SignedInInput & {
  readonly factor: FactorView
  /** Whether removing this factor leaves the account with only its password. */
  readonly isLast: boolean
  readonly problem: string | null
}

export function factorNameProblem(texts: Texts, problem: FactorNameProblem): string {
  return texts.plain(`factor.name.${problem}`, { most: FACTOR_NAME_LENGTH_AT_MOST })
}

export function factorNameField(texts: Texts, value: string, hint: TextKey, problem: string | null): Html {
  return field({
    name: "name",
    label: texts.plain("factor.name"),
    value,
    hint: texts.plain(hint),
    problem,
    isOptional: true,
    maxlength: 100,
  })
}

export function renderFactor(input: FactorInput): string {
  const { basePath, texts, csrf, factor, isLast, problem } = input
  const name = factorName(texts, factor)
  const ownName = factor.name === defaultFactorNames[factor.kind] ? "" : factor.name
  const fields = [hidden("csrf", csrf), hidden("id", factor.factorId)]
  const main = html`<h1><bdi class="name">${name}</bdi></h1>
    <p class="lead">${factorDates(texts, factor)}</p>
    ${problem !== null && alert(problem)}
    <form class="stack" method="post" action="${basePath}/account/security/rename">
      ${fields} ${field({ name: "name", label: texts.plain("factor.name"), value: ownName, maxlength: 100 })}
      <button class="primary">${texts.html("factor.save")}</button>
    </form>
    <section class="next">
      <h2>${texts.html("factor.remove-title")}</h2>
      <p class="note">${texts.html(isLast ? "factor.remove-last" : "factor.remove-note")}</p>
      <form class="stack" method="post" action="${basePath}/account/security/remove">
        ${fields}<button class="danger">${texts.html("factor.remove")}</button>
      </form>
    </section>
    <p class="note"><a href="${basePath}/account/security">${texts.html("common.go-back")}</a></p>`
  return renderSecurityForm(input, { title: name, main })
}
