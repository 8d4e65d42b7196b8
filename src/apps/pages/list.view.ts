/** Renders the list of the account's own apps. SVC-8. */
import { appName } from "../../platform/ui/app-line.ts"
import { html } from "../../kernel/html.ts"
import { appTile, type AppView } from "../../platform/ui/monogram.ts"
import { type AppPageInput, pathOf } from "./app-page.ts"
import type { ClientType } from "../../model/clients/client.rules.ts"
import { dayOf } from "../../platform/ui/instant.ts"

export type OwnAppLine = {
  readonly app: AppView
  readonly type: ClientType
  readonly enabled: boolean
  readonly registeredAt: number
}

export type OwnAppsInput = AppPageInput & {
  readonly admin: boolean
  /** The apps are sorted, newest first. */
  readonly apps: readonly OwnAppLine[]
  /** The query string of the next page, including its question mark. It is null on the last page. */
  readonly older: string | null
}

export function renderOwnApps(input: OwnAppsInput): string {
  const { basePath, texts, paths, admin, apps, older } = input
  const main = html`${
    apps.length === 0
      ? html`<div class="empty">
          <p>${texts.html("own-apps.empty.title")}</p>
          <p class="note">${texts.html("own-apps.empty.lead")}</p>
        </div>`
      : html`<ul class="own-apps">
          ${apps.map(
            ({ app, type, enabled, registeredAt }) =>
              html`<li class="app-line">
                ${appTile(basePath, app)}
                <div>
                  <h2>
                    <a href="${basePath}${pathOf(paths.app, app.clientId)}"
                      ><bdi>${appName(texts, app)}</bdi></a
                    >
                  </h2>
                  <p class="note">
                    ${texts.html("own-app.registered", { type, day: dayOf(texts, registeredAt) })}
                    ${!enabled && html`<span class="tag">${texts.html("own-app.tag.disabled")}</span>`}
                    ${app.verified && html`<span class="tag">${texts.html("own-app.tag.verified")}</span>`}
                  </p>
                </div>
              </li>`,
          )}
        </ul>`
  }
  ${
    admin &&
    html`<p class="note"><a href="${basePath}/console/apps">${texts.html("own-apps.in-console")}</a></p>`
  }
  ${older !== null && html`<p class="pages"><a href="${basePath}${paths.list}${older}">${texts.html("own-apps.older")}</a></p>`}`
  const beside = html`<a class="button" href="${basePath}${paths.new}">${texts.html("own-apps.register")}</a>`
  const title = texts.plain("own-apps.title")
  return input.frame({ title, heading: title, beside, main })
}
