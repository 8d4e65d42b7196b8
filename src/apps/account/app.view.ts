/** One app of one's own: what is registered, who uses it without who they are, and how its code behaves. */
import type { Finding } from "../../statistics/findings.rules.ts"
import type { Health } from "../../statistics/app-health.rules.ts"
import type { ClientType } from "../../records/client.rules.ts"
import type { RecentRefusal } from "../../services/recent-refusals.rules.ts"
import { anonymizedCount } from "../../permissions/preview/anonymized-count.rules.ts"
import { appLine, appName } from "../../ui/app-line.ts"
import { dayOf, secondOf } from "../../ui/instant.ts"
import { alert, hidden, notice } from "../../ui/form.ts"
import { renderAccountPage, type SignedInInput } from "../../ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { AppView } from "../../ui/monogram.ts"
import { refusalList } from "../refusal-list.ts"
import { type Connection, connectionFacts, whatComesNext } from "./connect.view.ts"
import { kindInWords } from "./form.view.ts"

export type OwnAppInput = SignedInInput & {
  readonly app: AppView
  readonly type: ClientType
  readonly enabled: boolean
  readonly isDisabledByAdministrator: boolean
  readonly stepUp: boolean
  readonly registeredAt: number
  readonly redirectUris: readonly string[]
  /** Titles of what it may ask for, in the catalogue's order. */
  readonly permissions: readonly { readonly title: string; readonly admin: boolean }[]
  readonly usedBy: { readonly installations: number; readonly accounts: number; readonly isWhole: boolean }
  readonly health: Pick<Health, "issued" | "refreshes" | "replays" | "reuses" | "codeReplays" | "errorCount">
  readonly findings: readonly Finding[]
  /** The newest first. */
  readonly refusals: readonly RecentRefusal[]
  /** So many days are counted. */
  readonly days: number
  readonly connection: Connection
  /** What was done a moment ago. */
  readonly done: keyof typeof notices | null
  readonly problem: string | null
}

export const notices = {
  registered: "The app is registered.",
  saved: "Saved. It is in force within a second.",
  enabled: "The app is enabled again. What it held before works again.",
} as const

export function renderOwnApp(input: OwnAppInput): string {
  const { basePath, app, type, problem, done, enabled, isDisabledByAdministrator, usedBy } = input
  const main = html`${done !== null && notice(notices[done])} ${heading(input)}
    ${problem !== null && alert(problem)}
    ${
      !enabled &&
      html`<p class="aside-note note">
        ${
          isDisabledByAdministrator
            ? "An administrator disabled it: nobody can use it until an administrator enables it again."
            : "You disabled it: nobody can use it until you enable it again."
        }
      </p>`
    }
    ${registration(input)} ${actions(input)}
    ${enabled && usedBy.installations === 0 && whatComesNext(basePath, type)} ${uses(input)}
    ${behaviour(input)}
    <section>
      <h2>Refused requests</h2>
      ${refusalList(input.refusals, secondOf)}
    </section>
    <p class="note"><a href="${basePath}/account/apps">All my apps</a></p>`
  return renderAccountPage(input, { here: "/account/apps", title: appName(app), main })
}

function heading({ basePath, app, type, registeredAt }: OwnAppInput): Html {
  const line = html`<p class="note">
    ${kindInWords(type)}, registered
    ${dayOf(registeredAt)}${app.verified && html` <span class="tag">Verified</span>`}
  </p>`
  return html`<div class="first-line">${appLine(basePath, app, line, "h1")}</div>`
}

function registration({ app, connection, redirectUris, permissions, stepUp }: OwnAppInput): Html {
  return html`<dl class="facts long">
    <div>
      <dt>Client id</dt>
      <dd><code class="copied">${app.clientId}</code></dd>
    </div>
    ${connectionFacts(connection)}
    <div>
      <dt>Returns to</dt>
      <dd>
        ${
          redirectUris.length === 0
            ? "nowhere: device flow only"
            : html`<ul class="addresses">
                ${redirectUris.map(
                  (uri) =>
                    html`<li>
                      <code><bdi>${uri}</bdi></code>
                    </li>`,
                )}
              </ul>`
        }
      </dd>
    </div>
    <div>
      <dt>May ask for</dt>
      <dd>
        ${
          permissions.length === 0
            ? "nothing"
            : html`<ul class="chips">
                ${permissions.map(({ title, admin }) => html`<li${admin && html` class="admin"`}>${title}</li>`)}
              </ul>`
        }
      </dd>
    </div>
    <div>
      <dt>Step-up</dt>
      <dd>${stepUp ? "may be asked for" : "not allowed"}</dd>
    </div>
  </dl>`
}

function actions({ basePath, csrf, app, type, enabled, isDisabledByAdministrator }: OwnAppInput): Html {
  const link = (path: string, label: string) =>
    html`<a class="button" href="${basePath}/account/apps/${path}?id=${app.clientId}">${label}</a>`
  return html`<div class="actions deeds">
    ${link("edit", "Change")} ${link("icon", "Icon")}
    ${type === "confidential" && link("secret", "New secret")} ${enabled && link("disable", "Disable")}
    ${
      !enabled &&
      !isDisabledByAdministrator &&
      html`<form method="post" action="${basePath}/account/apps/enable">
        ${hidden("csrf", csrf)}${hidden("id", app.clientId)}
        <button class="quiet">Enable</button>
      </form>`
    }
    ${link("remove", "Remove")}
  </div>`
}

function uses({ usedBy: { installations, accounts, isWhole } }: OwnAppInput): Html {
  return html`<section>
    <h2>Who uses it</h2>
    ${
      installations === 0
        ? html`<p class="note">Nobody, at the moment.</p>`
        : html`<p class="note">
            ${sentence(anonymizedCount(accounts, "account", isWhole))},
            ${anonymizedCount(installations, "installation", isWhole)}. The numbers are rounded, and who they
            are is not told.
          </p>`
    }
  </section>`
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function behaviour({ health, findings, days }: OwnAppInput): Html {
  const figure = (term: string, count: number) =>
    html`<div>
      <dt>${term}</dt>
      <dd>${count.toLocaleString("en")}</dd>
    </div>`
  return html`<section>
    <h2>How it behaves</h2>
    <p class="note">What came from the app in the last ${days} days.</p>
    <dl class="figures">
      ${figure("Sign-ins", health.issued)} ${figure("Refreshes", health.refreshes)}
      ${figure("Repeated refreshes", health.replays)}
      ${figure("Signed out for safety", health.reuses + health.codeReplays)}
      ${figure("Refused requests", health.errorCount)}
    </dl>
    ${
      findings.length === 0
        ? html`<p class="note">Nothing stands out.</p>`
        : html`<ul class="findings">
            ${findings.map(
              ({ sentence: seen, advice }) =>
                html`<li>
                  <p>${seen}</p>
                  <p class="note">${advice}</p>
                </li>`,
            )}
          </ul>`
    }
  </section>`
}
