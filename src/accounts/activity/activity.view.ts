/** The activity page: events of the account, newest first, grouped by day. */
import type { QuietEnd } from "../../model/credential.rules.ts"
import type { EventKind } from "../../model/event.rules.ts"
import { DAY } from "../../kernel/time.ts"
import { eventSentence, usedAppSentence } from "./activity-words.ts"
import type { Labels, Sentence } from "./detail-words.ts"
import { quietEndSentence } from "./ended-words.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { timeOf, wholeDay } from "../../platform/ui/instant.ts"

type Facts = {
  readonly at: number
  /** The name of the app. It is null if the app was removed or the event concerns no app. */
  readonly appName: string | null
}

export type HappenedView =
  | (Facts & {
      readonly what: "event"
      readonly kind: EventKind
      readonly detail: string | null
      readonly providers?: Labels
      /** The label of the installation. It is null if the label is unknown. */
      readonly installationName: string | null
      readonly isByAdministrator: boolean
      /** The IP address. It is null for actions of other accounts and of the command line. */
      readonly address: string | null
    })
  | (Facts & { readonly what: "used-app"; readonly kind: EventKind })
  | (Facts & {
      readonly what: "ended"
      readonly because: QuietEnd
      readonly installationName: string | null
    })

export type ActivityInput = SignedInInput & {
  /** The rows are sorted, newest first. */
  readonly rows: readonly HappenedView[]
  readonly isAnyAppGone: boolean
  /** The query string of the next page, including its question mark. It is null on the last page. */
  readonly older: string | null
  readonly isLater: boolean
}

function app(texts: Texts, { appName }: Facts): Html {
  return appName === null
    ? texts.html("activity.app-gone")
    : html`<bdi class="name">${shownName(appName, texts.plain("common.nameless-app"))}</bdi>`
}

function sentenceOf(texts: Texts, row: HappenedView): Sentence {
  switch (row.what) {
    case "event":
      return eventSentence(texts, row.kind, { ...row, app: labelled(texts, row) })
    case "used-app":
      return usedAppSentence(texts, row.kind, app(texts, row))
    case "ended":
      return quietEndSentence(texts, row.because, labelled(texts, row))
  }
}

/** Names the app, and its installation if that has a label. */
function labelled(texts: Texts, row: Exclude<HappenedView, { readonly what: "used-app" }>): Html {
  const label = row.installationName === null ? "" : shownName(row.installationName, "", 100)
  const name = app(texts, row)
  return label === ""
    ? name
    : texts.html("activity.app-with-label", { app: name, label: html`<bdi>${label}</bdi>` })
}

function happened(texts: Texts, row: HappenedView): Html {
  const { text, more, isSerious = false } = sentenceOf(texts, row)
  const address = row.what === "event" ? row.address : null
  return html`<li${isSerious && html` class="serious"`}>
    <p class="time">${timeOf(texts, row.at)}</p>
    <div>
      <p class="${row.appName === null ? "sentence capital" : "sentence"}">${text}</p>
      ${more !== undefined && html`<p class="note">${more}</p>`}
      ${
        address !== null &&
        html`<p class="note">
          ${texts.html("activity.network-address", { address: html`<bdi>${address}</bdi>` })}
        </p>`
      }
    </div>
  </li>`
}

function days({ texts, rows }: ActivityInput): Html {
  const byDay = Map.groupBy(rows, ({ at }) => Math.floor(at / DAY))
  return html`${Array.from(
    byDay.values(),
    (ofDay) =>
      html`<section class="day">
        <h2>${wholeDay(texts, ofDay[0]?.at ?? 0)}</h2>
        <ul class="happened">
          ${ofDay.map((row) => happened(texts, row))}
        </ul>
      </section>`,
  )}`
}

export function renderActivity(input: ActivityInput): string {
  const { basePath, texts, rows, isAnyAppGone, older, isLater } = input
  const main = html`<div class="opening">
      <h1>${texts.html("activity.title")}</h1>
      <p class="lead">${texts.html("activity.lead")}</p>
      ${isAnyAppGone && html`<p class="note gone">${texts.html("activity.app-gone.note")}</p>`}
    </div>
    ${rows.length === 0 ? html`<div class="empty"><p>${texts.html("activity.empty")}</p></div>` : days(input)}
    ${
      (older !== null || isLater) &&
      html`<p class="pages">
        ${isLater && html`<a href="${basePath}/account/activity">${texts.html("activity.newest")}</a>`}
        ${older !== null && html`<a href="${basePath}/account/activity${older}">${texts.html("activity.older")}</a>`}
      </p>`
    }`
  return renderAccountPage(input, { here: "/account/activity", title: texts.plain("activity.title"), main })
}
