/** Renders the latest refused requests of an app for its developer. */
import type { RecentRefusal } from "../platform/services/recent-refusals.rules.ts"
import type { Reason } from "../model/refusals/refusal.rules.ts"
import { type Html, html } from "../kernel/html.ts"
import type { Texts } from "../platform/languages/texts.ts"
import { reasons } from "../model/refusals/reasons.rules.ts"

/** Renders the list. `time` formats a time for the page. */
export function refusalList(
  texts: Texts,
  refusals: readonly RecentRefusal[],
  time: (at: number) => Html,
): Html {
  if (refusals.length === 0) return html`<p class="note">${texts.html("own-app.refusals.none")}</p>`
  return html`<p class="note">${texts.html("own-app.refusals.lead")}</p>
    <ol class="refusals">
      ${refusals.map(
        ({ at, reason, parameter, requestId }) =>
          html`<li>
            <p lang="en" dir="ltr">${refusalSentence(reason, parameter)}</p>
            <p class="note">
              ${texts.html(`own-app.refusals.${parameterKind(reason, parameter)}`, {
                time: time(at),
                request: html`<code>${requestId}</code>`,
                parameter: html`<code>${parameter}</code>`,
              })}
            </p>
          </li>`,
      )}
    </ol>`
}

/** Sentences contain this placeholder for the name of a parameter. */
const PARAMETER = "{parameter}"

export function refusalSentence(reason: Reason, parameter: string | null): Html {
  const [before, after] = reasons[reason].sentence.split(PARAMETER)
  return after === undefined ? html`${before}` : html`${before}<code>${parameter}</code>${after}`
}

function isNamedIn(reason: Reason): boolean {
  return reasons[reason].sentence.includes(PARAMETER)
}

function parameterKind(reason: Reason, parameter: string | null): "request" | "header" | "parameter" {
  if (parameter === null || isNamedIn(reason)) return "request"
  return parameter === "Authorization" ? "header" : "parameter"
}
