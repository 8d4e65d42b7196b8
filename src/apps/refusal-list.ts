/** Renders the latest refused requests of an app for its developer. */
import type { RecentRefusal } from "../platform/services/recent-refusals.rules.ts"
import type { Reason } from "../model/refusals/refusal.rules.ts"
import { type Html, html } from "../kernel/html.ts"
import { reasons } from "../model/refusals/reasons.rules.ts"

/** Renders the list. `time` formats a time for the page. */
export function refusalList(refusals: readonly RecentRefusal[], time: (at: number) => Html): Html {
  if (refusals.length === 0)
    return html`<p class="note">No request was refused since this server process started.</p>`
  return html`<p class="note">
      The latest refused requests, newest first. The request number is in the X-Request-Id header of the
      answer. Where the service runs on several nodes, this list is of the node that shows it; it begins again
      when that node restarts.
    </p>
    <ol class="refusals">
      ${refusals.map(
        ({ at, reason, parameter, requestId }) =>
          html`<li>
            <p>${refusalSentence(reason, parameter)}</p>
            <p class="note">
              ${time(at)}, request <code>${requestId}</code>${parameterNote(reason, parameter)}
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

function parameterNote(reason: Reason, parameter: string | null): Html | false {
  if (parameter === null || isNamedIn(reason)) return false
  return html`, ${parameter === "Authorization" ? "header" : "parameter"} <code>${parameter}</code>`
}
