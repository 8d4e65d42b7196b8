/** Renders the page about the health of apps. The worst apps come first. */
import type { Health } from "../../apps/statistics/app-health.rules.ts"
import type { Finding } from "../../apps/statistics/findings.rules.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type ConsoleInput, heading, renderConsole } from "../../platform/ui/console/frame.ts"
import { tabs } from "../../platform/ui/console/list.ts"
import { labelOf } from "../../model/refusals/reasons.rules.ts"
import { appLink, count, counted, factList, tag } from "../../platform/ui/console/words.ts"

export type HealthInput = ConsoleInput & {
  readonly days: number
  /** The periods that the page offers, in days. */
  readonly spans: readonly number[]
  /** The list is sorted, worst first. */
  readonly apps: readonly {
    readonly clientId: string
    /** The value is null if the app was removed. */
    readonly name: string | null
    readonly counts: Health
    readonly findings: readonly Finding[]
  }[]
}

export function renderHealth(input: HealthInput): string {
  const { basePath, days, spans, apps } = input
  const choices = spans.map((span) => ({ value: String(span), label: span === 1 ? "Today" : `${span} days` }))
  const main = html`${heading("App health", tabs("Days", `${basePath}/console/health`, { days: String(days) }, "days", choices))}
    <p class="note">
      Which apps repeat refreshes, lose sign-ins or send requests that are refused: the worst first, with what
      their developers can do about it.
    </p>
    ${
      apps.length === 0
        ? html`<div class="empty">
            <p>No app did anything odd ${days === 1 ? "today" : `in the last ${days} days`}.</p>
          </div>`
        : healthList(basePath, apps)
    }`
  return renderConsole(input, { title: "App health", place: "health", main })
}

/** Shows the findings and counts of each app that has findings. Summarizes every other app in one line. */
function healthList(basePath: string, apps: HealthInput["apps"]): Html {
  const ailing = apps.filter(({ findings }) => findings.length > 0)
  const well = apps.filter(({ findings }) => findings.length === 0)
  return html`${
    ailing.length > 0 &&
    html`<ol class="ailing">
      ${ailing.map(
        ({ clientId, name, counts, findings }) =>
          html`<li>
            <h2>${appLink(basePath, { clientId, name })}</h2>
            ${findingList(findings)} ${healthFacts(counts)}
          </li>`,
      )}
    </ol>`
  }
  ${
    well.length > 0 &&
    html`<section class="block" aria-labelledby="well">
      <h2 id="well">Nothing stands out</h2>
      <ul class="well">
        ${well.map(
          ({ clientId, name, counts }) =>
            html`<li>
              ${appLink(basePath, { clientId, name })} <span class="note">${inShort(counts)}</span>
            </li>`,
        )}
      </ul>
    </section>`
  }`
}

/** Describes the refused requests and the repeated refreshes of an app without findings. */
function inShort({ errorCount, errors, replays }: Health): string {
  const [first] = errors
  const refused =
    first !== undefined &&
    `${counted(errorCount, "refused request")}${errors.length === 1 ? `: ${lowered(labelOf(first.reason))}` : ""}`
  return [refused, replays > 0 && counted(replays, "repeated refresh", "repeated refreshes")]
    .filter((part) => part !== false)
    .join(", ")
}

/** Changes the first letter to lower case. Abbreviations such as PKCE stay unchanged. */
const lowered = (text: string) =>
  /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)

const weights = {
  1: ["Wasteful", "plain"],
  2: ["Failing", "serious"],
  3: ["Signs people out", "wrong"],
} as const

export function findingList(findings: readonly Finding[]): Html {
  if (findings.length === 0) return html`<p class="note">Nothing stands out.</p>`
  return html`<ul class="findings">
    ${findings.map(({ weight, sentence, advice }) => {
      const [word, look] = weights[weight]
      return html`<li>
        ${tag(word, look)}
        <p>${sentence}</p>
        <p class="note">${advice}</p>
      </li>`
    })}
  </ul>`
}

/** Renders the numbers behind the findings. */
export function healthFacts({
  issued,
  refreshes,
  serviceTokens,
  replays,
  reuses,
  codeReplays,
  errors,
  replayShare,
  errorCount,
}: Health): Html {
  return factList([
    ["Credentials issued", count(issued)],
    ["Tokens of its service account", serviceTokens === 0 ? null : count(serviceTokens)],
    [
      "Refreshes",
      replays === 0
        ? count(refreshes)
        : `${count(refreshes)}, and ${count(replays)} repeated (${inPercent(replayShare)})`,
    ],
    ["Revoked for reuse", reuses === 0 ? "None" : html`<strong>${counted(reuses, "credential")}</strong>`],
    ["Codes sent twice", codeReplays === 0 ? null : count(codeReplays)],
    [
      "Refused requests",
      errorCount === 0
        ? "None"
        : html`${count(errorCount)}
            <ul class="reasons">
              ${errors.map(({ reason, count: times }) => html`<li>${labelOf(reason)}: ${count(times)}</li>`)}
            </ul>`,
    ],
  ])
}

function inPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
