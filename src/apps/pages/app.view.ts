/** Renders the page of one app: registration, use, health and actions. */
import type { Finding } from "../statistics/findings.rules.ts"
import type { Health } from "../statistics/app-health.rules.ts"
import type { Switches } from "../../model/clients/app-switches.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { RecentRefusal } from "../../platform/services/recent-refusals.rules.ts"
import { anonymizedValues } from "../preview/anonymized-count.rules.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { appName } from "../../platform/ui/app-line.ts"
import { dayOf, secondOf } from "../../platform/ui/instant.ts"
import { alert, hidden } from "../../platform/ui/form.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { appTile, type AppView } from "../../platform/ui/monogram.ts"
import { refusalList } from "../refusal-list.ts"
import type { AppAction, AppPageInput } from "./app-page.ts"
import { type Connection, connectionFacts, whatComesNext } from "./connect.view.ts"
import { keyFacts, type ShownKeys } from "./keys.view.ts"
import { switchFacts } from "./switches.view.ts"
import { fact } from "../../platform/ui/parts.ts"

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
      ${texts.html("own-app.registered", { type: client.type, day: dayOf(texts, client.issuedAt) })}
      ${app.verified && html`<span class="tag">${texts.html("own-app.tag.verified")}</span>`}
    </p>
    ${!client.enabled && html`<p class="aside-note note">${disabledInWords(input)}</p>`} ${facts(input)}
    ${actions(input)} ${administration === null && isUnused && whatComesNext(input, client.type)}
    ${administration?.document}
    <section class="block">
      <h2>${texts.html("own-app.use.title")}</h2>
      ${administration?.use ?? use(texts, usedBy)}
    </section>
    <section class="block">
      <h2>${texts.html("own-app.behavior.title")}</h2>
      <p class="note">${texts.html("own-app.behavior.days", { days })}</p>
      ${administration?.behavior ?? behavior(input)}
    </section>
    <section class="block">
      <h2>${texts.html("own-app.refusals.title")}</h2>
      ${refusalList(texts, input.refusals, (at) => secondOf(texts, at))}
    </section>
    ${administration?.events}`
  return input.frame({
    title: appName(texts, app),
    heading: html`<span class="app-head"
      >${appTile(basePath, app)}<bdi class="name">${appName(texts, app)}</bdi></span
    >`,
    up: {
      path: paths.list,
      label: texts.plain(administration === null ? "own-app.up" : "own-app.up.administrator"),
    },
    main,
  })
}

function disabledInWords({ texts, client, administration }: AppInput): Html {
  if (administration !== null) return texts.html("own-app.disabled")
  return texts.html(client.disabledByOwner ? "own-app.disabled.by-you" : "own-app.disabled.by-administrator")
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
        html`<li${admin && html` class="admin"`}><bdi>${title}</bdi> <code>${name}</code></li>`,
    )}
  </ul>`
  const row = (one: Fact) => fact(...one)
  return html`<dl class="facts long">
    ${fact(texts.plain("own-app.client-id"), html`<code class="copied">${app.clientId}</code>`)}
    ${connectionFacts(texts, connection)} ${administration?.facts.map(row)}
    ${keys !== null && keyFacts(texts, keys).map(row)}
    ${fact(texts.plain("own-app.returns-to"), client.redirectUris.length === 0 ? noAddress(texts, client) : addresses)}
    ${fact(texts.plain("own-app.may-ask"), permissions.length === 0 ? texts.html("own-app.may-ask.nothing") : named)}
    ${switchFacts(texts, client, "owner").map(row)}
  </dl>`
}

function noAddress(texts: Texts, { binding }: AppInput["client"]): Html {
  return texts.html(binding === null ? "own-app.no-address.device" : "own-app.no-address")
}

function actions({ basePath, texts, csrf, paths, app, client, keys, administration }: AppInput): Html {
  const { clientId } = app
  const { type, enabled, disabledByOwner, stepUp } = client
  const link = (path: string, label: Html, query: Readonly<Record<string, string>> = {}, look = "button") =>
    html`<a
      class="${look}"
      href="${basePath}${path}?${new URLSearchParams({ id: clientId, ...query }).toString()}"
      >${label}</a
    >`
  const act = (action: AppAction, label: Html, look?: string) =>
    link(paths.act(action).path, label, paths.act(action).fields, look)
  const enable = paths.act("enable")
  const stepUpAction = stepUp ? "withdraw-step-up" : "allow-step-up"
  const mayEnable = !enabled && (administration !== null || disabledByOwner)
  return html`<div class="actions deeds" role="group" aria-label="${texts.plain("own-app.actions")}">
    ${link(paths.edit, texts.html("own-app.change"))} ${link(paths.icon, texts.html("own-app.icon"))}
    ${type === "confidential" && keys === null && act("secret", texts.html("own-app.new-secret"))}
    ${administration !== null && act(stepUpAction, texts.html(`own-app.${stepUpAction}`))}
    ${enabled && act("disable", texts.html("own-app.disable"), "button danger")}
    ${
      mayEnable &&
      html`<form method="post" action="${basePath}${enable.path}">
        ${hidden("csrf", csrf)}${hidden("id", clientId)}
        ${Object.entries(enable.fields).map(([name, value]) => hidden(name, value))}
        <button class="quiet">${texts.html("own-app.enable")}</button>
      </form>`
    }
    ${act("remove", texts.html("own-app.remove"), "button danger")}
  </div>`
}

function use(texts: Texts, { installations, accounts, isWhole }: AppInput["usedBy"]): Html {
  if (installations === 0) return html`<p class="note">${texts.html("own-app.use.none")}</p>`
  const [users, copies] = [anonymizedValues(accounts, isWhole), anonymizedValues(installations, isWhole)]
  const values = {
    ...{ accountsAbout: users.about, accounts: users.count },
    ...{ installationsAbout: copies.about, installations: copies.count },
  }
  return html`<p class="note">${texts.html("own-app.use.some", values)}</p>`
}

type Figure = "sign-ins" | "refreshes" | "repeated" | "signed-out" | "refused"

function behavior({ texts, health, findings }: AppInput): Html {
  const figure = (name: Figure, count: number) =>
    fact(texts.html(`own-app.figure.${name}`), texts.formats.number(count))
  return html`<dl class="figures">
      ${figure("sign-ins", health.issued)} ${figure("refreshes", health.refreshes)}
      ${figure("repeated", health.replays)} ${figure("signed-out", health.reuses + health.codeReplays)}
      ${figure("refused", health.errorCount)}
    </dl>
    ${
      findings.length === 0
        ? html`<p class="note">${texts.html("own-app.behavior.nothing")}</p>`
        : html`<ul class="findings">
            ${findings.map(
              ({ sentence, advice }) =>
                html`<li lang="en" dir="ltr">
                  <p>${sentence}</p>
                  <p class="note">${advice}</p>
                </li>`,
            )}
          </ul>`
    }`
}
