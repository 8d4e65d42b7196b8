/** Renders the page of one app: registration, use, health and actions. */
import type { Finding } from "../statistics/findings.rules.ts"
import type { Health } from "../statistics/app-health.rules.ts"
import type { Switches } from "../../model/clients/app-switches.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { RecentRefusal } from "../../platform/services/recent-refusals.rules.ts"
import { anonymizedCount } from "../preview/anonymized-count.rules.ts"
import { appName } from "../../platform/ui/app-line.ts"
import { dayOf, secondOf } from "../../platform/ui/instant.ts"
import { alert, hidden } from "../../platform/ui/form.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { appTile, type AppView } from "../../platform/ui/monogram.ts"
import { refusalList } from "../refusal-list.ts"
import type { AppAction, AppPageInput } from "./app-page.ts"
import { type Connection, connectionFacts, whatComesNext } from "./connect.view.ts"
import { keyFacts, type ShownKeys } from "./keys.view.ts"
import { typeInWords } from "./form.view.ts"
import { switchFacts } from "./switches.view.ts"

export type AppInput = AppPageInput & {
  readonly app: AppView
  readonly client: Switches &
    Pick<Client, "type" | "enabled" | "disabledByOwner" | "issuedAt" | "redirectUris" | "binding">
  /** The permissions that the app may request, in the order of the catalog. */
  readonly permissions: readonly { readonly name: string; readonly title: string; readonly admin: boolean }[]
  readonly usedBy: { readonly installations: number; readonly accounts: number; readonly isWhole: boolean }
  readonly health: Pick<Health, "issued" | "refreshes" | "replays" | "reuses" | "codeReplays" | "errorCount">
  readonly findings: readonly Finding[]
  /** The refusals are sorted, newest first. */
  readonly refusals: readonly RecentRefusal[]
  /** The number of days that the statistics cover. */
  readonly days: number
  readonly connection: Connection
  /** The value is null for an app without keys. */
  readonly keys: ShownKeys | null
  readonly problem: string | null
  readonly administration: AdministratorsView | null
}

/** The parts that only administrators see: additional facts, and details about the facts that owners also see. */
export type AdministratorsView = {
  readonly facts: readonly Fact[]
  /** The value is null for an app without a document. */
  readonly document: Html | null
  readonly use: Html
  readonly behavior: Html
  readonly events: Html
}

type Fact = readonly [string, Insertable]

export function renderApp(input: AppInput): string {
  const { basePath, texts, paths, app, client, problem, usedBy, days, administration } = input
  const isUnused = client.enabled && usedBy.installations === 0
  const main = html`${problem !== null && alert(problem)}
    <p class="note">
      ${typeInWords(client.type)}, registered
      ${dayOf(texts, client.issuedAt)}${app.verified && html` <span class="tag">Verified</span>`}
    </p>
    ${!client.enabled && html`<p class="aside-note note">${disabledInWords(input)}</p>`} ${facts(input)}
    ${actions(input)} ${administration === null && isUnused && whatComesNext(basePath, client.type)}
    ${administration?.document}
    <section class="block">
      <h2>Who uses it</h2>
      ${administration?.use ?? use(usedBy)}
    </section>
    <section class="block">
      <h2>How it behaves</h2>
      <p class="note">Requests of the app in the last ${days} days.</p>
      ${administration?.behavior ?? behavior(input)}
    </section>
    <section class="block">
      <h2>Refused requests</h2>
      ${refusalList(input.refusals, (at) => secondOf(texts, at))}
    </section>
    ${administration?.events}`
  return input.frame({
    title: appName(texts, app),
    heading: html`<span class="app-head"
      >${appTile(basePath, app)}<bdi class="name">${appName(texts, app)}</bdi></span
    >`,
    up: { path: paths.list, label: administration === null ? "All my apps" : "Apps" },
    main,
  })
}

function disabledInWords({ client, administration }: AppInput): string {
  const again = "No one can use it until"
  if (administration !== null) return `The app is disabled. ${again} it is enabled again.`
  return client.disabledByOwner
    ? `You disabled it. ${again} you enable it again.`
    : `An administrator disabled it. ${again} an administrator enables it again.`
}

function facts({ texts, app, client, connection, keys, permissions, administration }: AppInput): Html {
  const addresses = html`<ul class="addresses">
    ${client.redirectUris.map(
      (uri) =>
        html`<li>
          <code><bdi>${uri}</bdi></code>
        </li>`,
    )}
  </ul>`
  const named = html`<ul class="named">
    ${permissions.map(
      ({ name, title, admin }) =>
        html`<li${admin && html` class="admin"`}>${title} <code>${name}</code></li>`,
    )}
  </ul>`
  const row = ([term, value]: Fact) =>
    html`<div>
      <dt>${term}</dt>
      <dd>${value}</dd>
    </div>`
  return html`<dl class="facts long">
    ${row(["Client id", html`<code class="copied">${app.clientId}</code>`])} ${connectionFacts(connection)}
    ${administration?.facts.map(row)} ${keys !== null && keyFacts(texts, keys).map(row)}
    ${row(["Returns to", client.redirectUris.length === 0 ? noAddress(client) : addresses])}
    ${row(["May ask for", permissions.length === 0 ? "Nothing" : named])}
    ${switchFacts(client, "owner").map(row)}
  </dl>`
}

function noAddress({ binding }: AppInput["client"]): string {
  return binding === null ? "No address: device flow only" : "No address"
}

function actions({ basePath, csrf, paths, app, client, keys, administration }: AppInput): Html {
  const { clientId } = app
  const { type, enabled, disabledByOwner, stepUp } = client
  const link = (path: string, label: string, query: Readonly<Record<string, string>> = {}, look = "button") =>
    html`<a
      class="${look}"
      href="${basePath}${path}?${new URLSearchParams({ id: clientId, ...query }).toString()}"
      >${label}</a
    >`
  const act = (action: AppAction, label: string, look?: string) =>
    link(paths.act(action).path, label, paths.act(action).fields, look)
  const enable = paths.act("enable")
  const mayEnable = !enabled && (administration !== null || disabledByOwner)
  return html`<div class="actions deeds" role="group" aria-label="What you can do">
    ${link(paths.edit, "Change")} ${link(paths.icon, "Icon")}
    ${type === "confidential" && keys === null && act("secret", "New secret")}
    ${administration !== null && (stepUp ? act("withdraw-step-up", "Withdraw step-up") : act("allow-step-up", "Allow step-up"))}
    ${enabled && act("disable", "Disable", "button danger")}
    ${
      mayEnable &&
      html`<form method="post" action="${basePath}${enable.path}">
        ${hidden("csrf", csrf)}${hidden("id", clientId)}
        ${Object.entries(enable.fields).map(([name, value]) => hidden(name, value))}
        <button class="quiet">Enable</button>
      </form>`
    }
    ${act("remove", "Remove", "button danger")}
  </div>`
}

function use({ installations, accounts, isWhole }: AppInput["usedBy"]): Html {
  if (installations === 0) return html`<p class="note">No account uses it at the moment.</p>`
  const counted = anonymizedCount(accounts, "account", isWhole)
  return html`<p class="note">
    ${counted.charAt(0).toUpperCase() + counted.slice(1)},
    ${anonymizedCount(installations, "installation", isWhole)}. The numbers are rounded, so that no account
    can be recognized.
  </p>`
}

function behavior({ health, findings }: AppInput): Html {
  const figure = (term: string, count: number) =>
    html`<div>
      <dt>${term}</dt>
      <dd>${count.toLocaleString("en")}</dd>
    </div>`
  return html`<dl class="figures">
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
              ({ sentence, advice }) =>
                html`<li>
                  <p>${sentence}</p>
                  <p class="note">${advice}</p>
                </li>`,
            )}
          </ul>`
    }`
}
