/** The console's first page: events of the last hour, day or month, and the number of accounts and apps. */
import type { Period } from "../../apps/statistics/series.rules.ts"
import { PRODUCT } from "../../model/appearance.rules.ts"
import type { Gauges } from "../../store/list-shapes.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type BarPlot, barPlot, type Counts } from "../../platform/ui/plot/bars.ts"
import { levelPlot } from "../../platform/ui/plot/level.ts"
import { tick } from "../../platform/ui/mark.ts"
import { LOOKS, patterns } from "../../platform/ui/plot/pattern.ts"
import type { TimeRange } from "../../platform/ui/plot/scale.ts"
import { type ConsoleInput, heading, renderConsole } from "../../platform/ui/console/frame.ts"
import { tabs } from "../../platform/ui/console/list.ts"
import { count } from "../../platform/ui/console/words.ts"
import { fact } from "../../platform/ui/parts.ts"

export type OverviewInput = ConsoleInput & {
  readonly period: Period
  readonly version: string
  readonly range: TimeRange
  readonly issued: readonly number[]
  readonly refreshed: readonly number[]
  readonly repeated: readonly number[]
  /** The list is sorted, most frequent first. */
  readonly refusals: readonly Counts[]
  readonly devices: readonly Counts[]
  /** The value is null for a point without a sample. */
  readonly installations: readonly (number | null)[]
  readonly gauges: Gauges
  /** Whether the signed-in administrator has a second step. */
  readonly hasSecondStep: boolean
}

const periods = [
  { value: "hour", label: "Last hour" },
  { value: "day", label: "Last day" },
  { value: "month", label: "Last month" },
] as const satisfies readonly { value: Period; label: string }[]

const during: { readonly [K in Period]: string } = {
  hour: "in the last hour",
  day: "in the last day",
  month: "in the last month",
}

export function renderOverview(input: OverviewInput): string {
  const { basePath, period } = input
  const main = html`${heading(
      "Overview",
      tabs("Period", `${basePath}/console`, { period }, "period", periods),
    )}
    ${nextSteps(input)} ${gauges(input)}${patterns}
    <div class="plots">${plots(input)}</div>
    <p class="note">
      Times are UTC. The last point is still counting. Counts per minute are kept for a day, counts per hour
      for forty days.
    </p>`
  return renderConsole(input, { title: "Overview", place: "overview", main })
}

/** Leads on after the set-up, until there is an app and the administrator has a second step. */
function nextSteps({
  basePath,
  look,
  gauges: { accounts, apps },
  hasSecondStep,
}: OverviewInput): Html | false {
  if (apps > 0 && hasSecondStep) return false
  const steps = [
    {
      isDone: hasSecondStep,
      path: "/account/security",
      title: "Protect your account",
      why: "Add a passkey or an authenticator app. Without one, your password alone opens this console.",
    },
    {
      isDone: apps > 0,
      path: "/console/app/new",
      title: "Register an app",
      why: "It gets a client id, and people can sign in to it.",
    },
    {
      isDone: accounts > 1,
      path: "/console/invitation/new",
      title: "Invite people",
      why: "Each gets a link, and chooses a name and a way to sign in.",
    },
    {
      isDone: look.name !== PRODUCT || look.color !== null || look.logo !== null,
      path: "/console/appearance",
      title: "Appearance",
      why: "Give the service the name, the color and the logo of your product.",
    },
  ]
  const first = steps.find(({ isDone }) => !isDone)
  return html`<section class="next-steps" aria-labelledby="next">
    <h2 id="next">Next steps</h2>
    <ol>
      ${steps.map(
        (step) =>
          html`<li class="${step.isDone ? "reached" : "open"}">
            ${step.isDone ? tick : html`<span class="icon" aria-hidden="true"></span>`}
            <div>
              <p><strong>${step.title}</strong>${step.isDone && html` <span class="unseen">, done</span>`}</p>
              <p class="note">${step.why}</p>
            </div>
            ${
              !step.isDone &&
              html`<a class="${step === first ? "button primary" : "button"}" href="${basePath}${step.path}"
                >${step.title}</a
              >`
            }
          </li>`,
      )}
    </ol>
  </section>`
}

function gauges({ basePath, gauges: { accounts, apps, installations }, version }: OverviewInput): Html {
  const linked = (path: string, number: number) =>
    html`<a href="${basePath}/console/${path}">${count(number)}</a>`
  return html`<dl class="figures">
    ${fact("Accounts", linked("accounts", accounts))} ${fact("Apps", linked("apps", apps))}
    ${fact("Installations", linked("credentials?state=live", installations))} ${fact("Version", version)}
  </dl>`
}

function plots(input: OverviewInput): readonly Html[] {
  const { range, period, issued, refreshed, repeated, refusals, devices, installations } = input
  const bars = (id: string, title: string, nothing: string, series: BarPlot["series"]) =>
    barPlot({ id, title, range, series, nothing: `${nothing} ${during[period]}.` })
  return [
    bars("issued", "Credentials issued", "No app got a credential", [{ name: "Issued", values: issued }]),
    bars("refreshes", "Refreshes", "No app refreshed", [
      { name: "Refreshed", values: refreshed },
      { name: "Repeated within a minute", values: repeated },
    ]),
    bars("refusals", "Refusals by reason", "Nothing was refused", together(refusals, range.points)),
    bars("devices", "Device grants by outcome", "No device asked for anything", devices),
    levelPlot({
      id: "installations",
      title: "Active installations",
      range,
      name: "Active installations",
      values: installations,
      nothing: `No samples ${during[period]}.`,
    }),
  ]
}

/** Merges the last series into one if there are more series than colors. */
function together(series: readonly Counts[], points: number): readonly Counts[] {
  if (series.length <= LOOKS) return series
  const rest = series.slice(LOOKS - 1)
  const values = Array.from({ length: points }, (_, at) =>
    rest.reduce((sum, { values: counts }) => sum + (counts[at] ?? 0), 0),
  )
  return [...series.slice(0, LOOKS - 1), { name: "Everything else", values }]
}
