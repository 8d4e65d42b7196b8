/** One app: its registration, who uses it, how it is doing, and what may be done to it. */
import type { Finding } from "../../statistics/findings.rules.ts"
import type { RecentRefusal } from "../../services/recent-refusals.rules.ts"
import { hidden } from "../../ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type AppView, appTile } from "../../ui/monogram.ts"
import { refusalList } from "../refusal-list.ts"
import { shownName } from "../../ui/shown-text.ts"
import { type AppRow, appStanding } from "./apps.view.ts"
import { type CredentialView, credentialTable } from "../../oauth/credential/credentials.view.ts"
import { type EventView, eventTable } from "../../audit/events.view.ts"
import { type ConsoleInput, heading, renderConsole, upTo } from "../../ui/console/frame.ts"
import { type HealthCounts, findingList, healthFacts } from "../../statistics/pages/health.view.ts"
import { moment, secondMoment } from "../../ui/console/instant.ts"
import { accountLink, counted, factList, registrars } from "../../ui/console/words.ts"
import { wholeList } from "../../ui/console/list.ts"

export type AppInput = ConsoleInput & {
  readonly app: AppRow & {
    readonly redirectUris: readonly string[]
    readonly stepUp: boolean
    readonly hasIcon: boolean
    readonly deleteAfter: number | null
  }
  readonly tile: AppView
  /** The ceiling in the catalogue's order; a title of null is of a name that left the catalogue. */
  readonly ceiling: readonly { readonly name: string; readonly title: string | null }[]
  readonly users: {
    readonly installations: number
    readonly accounts: number
    /** False where there are more than were counted. */
    readonly isWhole: boolean
  }
  readonly health: {
    readonly days: number
    readonly counts: HealthCounts
    readonly findings: readonly Finding[]
    /** The newest first. */
    readonly refusals: readonly RecentRefusal[]
  }
  readonly credentials: readonly CredentialView[]
  readonly events: readonly EventView[]
}

export function renderConsoleApp(input: AppInput): string {
  const { basePath, app, tile, users, health, credentials, events } = input
  const { clientId } = app
  const main = html`${heading(
      html`<span class="app-head"
        >${appTile(basePath, tile)}<bdi class="name"
          >${shownName(app.name, "An app without a name")}</bdi
        ></span
      >`,
      false,
      upTo(basePath, "/apps", "Apps"),
    )}
    ${facts(input)} ${actions(input)}
    <section class="block" aria-labelledby="health">
      <h2 id="health">How it is doing</h2>
      <p class="note">
        In the last ${counted(health.days, "day")}. Pass the words on to whoever makes the app.
      </p>
      ${findingList(health.findings)} ${healthFacts(health.counts)}
      <h3>Refused requests</h3>
      ${refusalList(health.refusals, secondMoment)}
    </section>
    <section class="block" aria-labelledby="users">
      <h2 id="users">Who uses it</h2>
      <p class="note">${usersInWords(users)}</p>
      ${credentialTable(basePath, credentials, "Nobody has let it in yet.", { app: false })}
      ${credentials.length > 0 && wholeList(basePath, "/console/credentials", { app: clientId }, "All its credentials")}
    </section>
    <section class="block" aria-labelledby="events">
      <h2 id="events">What happened</h2>
      ${eventTable(basePath, events, "Nothing is recorded.", { app: false })}
      ${events.length > 0 && wholeList(basePath, "/console/events", { app: clientId }, "All its events")}
    </section>`
  return renderConsole(input, { title: shownName(app.name, "App"), place: "apps", main })
}

function usersInWords({ installations, accounts, isWhole }: AppInput["users"]): string {
  if (installations === 0) return "Nobody at the moment."
  const summary = `${counted(installations, "active installation")} of ${counted(accounts, "account")}`
  return `${isWhole ? summary : `More than ${summary}`}. The newest credentials:`
}

function facts({ basePath, app, ceiling }: AppInput): Html {
  const { registeredBy, ownerId, ownerName, redirectUris, stepUp, issuedAt, deleteAfter } = app
  const owner =
    ownerId !== null && ownerName !== null && accountLink(basePath, { userId: ownerId, username: ownerName })
  return factList([
    ["Status", appStanding(app)],
    ["Client id", html`<code class="id">${app.clientId}</code>`],
    ["Registered", html`${moment(issuedAt)} by ${registrars[registeredBy].toLowerCase()}`],
    ["Owner", owner === false ? "Nobody" : owner],
    ["Goes by itself", deleteAfter !== null && html`${moment(deleteAfter)}, unless somebody uses it`],
    [
      "Returns to",
      redirectUris.length === 0 ? "Nowhere: no browser can come back to it" : codes(redirectUris),
    ],
    [
      "May ask for",
      ceiling.length === 0
        ? "Nothing"
        : html`<ul>
            ${ceiling.map(
              ({ name, title }) =>
                html`<li><code>${name}</code> ${title ?? "no longer in the catalogue"}</li>`,
            )}
          </ul>`,
    ],
    ["Step-up", stepUp ? "May ask people to prove a second factor again" : "Not allowed"],
  ])
}

function codes(list: readonly string[]): Html {
  return html`<ul>
    ${list.map(
      (text) =>
        html`<li>
          <code class="id"><bdi>${text}</bdi></code>
        </li>`,
    )}
  </ul>`
}

function actions({ basePath, csrf, app }: AppInput): Html {
  const { clientId, type, enabled, stepUp } = app
  const act = (deed: string, label: string, look = "button") =>
    html`<a class="${look}" href="${basePath}/console/app/act?id=${clientId}&do=${deed}">${label}</a>`
  return html`<div class="deeds" role="group" aria-label="What you can do">
    <a class="button primary" href="${basePath}/console/app/edit?id=${clientId}">Change the registration</a>
    <a class="button" href="${basePath}/console/app/icon?id=${clientId}">Icon</a>
    ${type === "confidential" && act("secret", "Make a new secret")}
    ${stepUp ? act("withdraw-step-up", "Withdraw step-up") : act("allow-step-up", "Allow step-up")}
    ${
      enabled
        ? act("disable", "Disable")
        : html`<form method="post" action="${basePath}/console/app/act">
            ${hidden("csrf", csrf)}${hidden("id", clientId)}${hidden("do", "enable")}
            <button class="quiet">Enable</button>
          </form>`
    }
    ${act("remove", "Remove", "button danger")}
  </div>`
}
