/** The activity page: events of the account, newest first, grouped by day. */
import type { QuietEnd } from "../../model/credential.rules.ts"
import type { EventKind } from "../../model/event.rules.ts"
import { DAY } from "../../kernel/time.ts"
import { eventSentence, usedAppSentence } from "./activity-words.ts"
import type { Sentence } from "./detail-words.ts"
import { quietEndSentence } from "./ended-words.ts"
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

function app({ appName }: Facts): Html {
  return appName === null
    ? html`an app that is gone`
    : html`<bdi class="name">${shownName(appName, "an app without a name")}</bdi>`
}

function sentenceOf(row: HappenedView): Sentence {
  switch (row.what) {
    case "event":
      return eventSentence(row.kind, { ...row, app: labelled(app(row), row.installationName) })
    case "used-app":
      return usedAppSentence(row.kind, app(row))
    case "ended":
      return quietEndSentence(row.because, labelled(app(row), row.installationName))
  }
}

function labelled(name: Html, installationName: string | null): Html {
  const label = installationName === null ? "" : shownName(installationName, "", 100)
  return label === "" ? name : html`${name} (<bdi>${label}</bdi>)`
}

function happened(row: HappenedView): Html {
  const { text, more, isSerious = false } = sentenceOf(row)
  const address = row.what === "event" ? row.address : null
  return html`<li${isSerious && html` class="serious"`}>
    <p class="time">${timeOf(row.at)}</p>
    <div>
      <p class="${row.appName === null ? "sentence capital" : "sentence"}">${text}</p>
      ${more !== undefined && html`<p class="note">${more}</p>`}
      ${address !== null && html`<p class="note">Network address <bdi>${address}</bdi></p>`}
    </div>
  </li>`
}

function days(rows: readonly HappenedView[]): Html {
  const byDay = Map.groupBy(rows, ({ at }) => Math.floor(at / DAY))
  return html`${Array.from(
    byDay.values(),
    (ofDay) =>
      html`<section class="day">
        <h2>${wholeDay(ofDay[0]?.at ?? 0)}</h2>
        <ul class="happened">
          ${ofDay.map(happened)}
        </ul>
      </section>`,
  )}`
}

export function renderActivity(input: ActivityInput): string {
  const { basePath, rows, isAnyAppGone, older, isLater } = input
  const main = html`<div class="opening">
      <h1>Activity</h1>
      <p class="lead">What happened to your account and to the apps that you use. Times are in UTC.</p>
      ${
        isAnyAppGone &&
        html`<p class="note gone">
          An app that is gone is not registered here any more. It has to register again before you can sign in
          to it.
        </p>`
      }
    </div>
    ${rows.length === 0 ? html`<div class="empty"><p>Nothing yet.</p></div>` : days(rows)}
    ${
      (older !== null || isLater) &&
      html`<p class="pages">
        ${isLater && html`<a href="${basePath}/account/activity">Back to the newest</a>`}
        ${older !== null && html`<a href="${basePath}/account/activity${older}">Older</a>`}
      </p>`
    }`
  return renderAccountPage(input, { here: "/account/activity", title: "Activity", main })
}
