/** How apps behave: what the counts say about the code of each, the worst first. */
import type { AppCounts } from "../../core/app-health.ts"
import type { Finding } from "../../core/app-findings.ts"
import { type Html, html } from "../html.ts"
import { type ConsoleInput, heading, renderConsole } from "./frame.ts"
import { tabs } from "./list.ts"
import { reasonInWords } from "./refusal-words.ts"
import { appLink, count, counted, factList, idOnly, tag } from "./words.ts"

export type HealthCounts = AppCounts & { readonly replayShare: number; readonly errorCount: number }

export type HealthInput = ConsoleInput & {
  readonly days: number
  /** The spans to choose from. */
  readonly spans: readonly number[]
  /** The worst first. */
  readonly apps: readonly {
    readonly clientId: string
    /** Null where the app is gone. */
    readonly name: string | null
    readonly counts: HealthCounts
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
        : html`<ol class="ailing">
            ${apps.map((app) => ailing(basePath, app))}
          </ol>`
    }`
  return renderConsole(input, { title: "App health", place: "health", main })
}

function ailing(basePath: string, { clientId, name, counts, findings }: HealthInput["apps"][number]): Html {
  return html`<li>
    <h2>${name === null ? idOnly(clientId) : appLink(basePath, { clientId, name })}</h2>
    ${findingList(findings)} ${healthFacts(counts)}
  </li>`
}

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

/** The numbers behind the findings. */
export function healthFacts({
  issued,
  refreshes,
  replays,
  reuses,
  codeReplays,
  errors,
  replayShare,
  errorCount,
}: HealthCounts): Html {
  const reasons = errors
    .slice(0, 5)
    .map(({ reason, count: times }) => `${reasonInWords(reason).toLowerCase()} ${count(times)}`)
  return factList([
    ["Credentials issued", count(issued)],
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
        : `${count(errorCount)}: ${reasons.join(", ")}${errors.length > 5 ? ", and others" : ""}`,
    ],
  ])
}

function inPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
