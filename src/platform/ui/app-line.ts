/** The heading of an app. It shows the tile of the app, its name and who registered it. */
import type { RegisteredBy } from "../../model/clients/client.rules.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { appTile, type AppView } from "./monogram.ts"
import { shownName } from "./shown-text.ts"

export type KnownApp = AppView & {
  readonly registeredBy: RegisteredBy
  /** The value is null for an app without an owner. */
  readonly ownerName: string | null
  readonly enabled: boolean
}

export function appName({ name }: Pick<AppView, "name">): string {
  return shownName(name, "An app without a name")
}

/** Renders who registered the app, and whether this service has verified it. MISC-1. */
export function standing(app: KnownApp): Html {
  if (!app.verified) return registrar(app)
  const registered = app.registeredBy === "itself" ? "Registered itself" : registrar(app)
  return html`${registered}. Verified by this service`
}

export function registrar({
  clientId,
  registeredBy,
  ownerName,
}: Pick<KnownApp, "clientId" | "registeredBy" | "ownerName">): Html {
  switch (registeredBy) {
    case "administrator":
      return html`Registered by an administrator`
    case "user":
      return ownerName === null
        ? html`Registered by a user`
        : html`Registered by a user: <bdi>${shownName(ownerName, "without a name")}</bdi>`
    case "document":
      return html`Describes itself at <strong class="host"><bdi>${hostOfUrl(clientId)}</bdi></strong>`
    case "itself":
      return html`Registered itself, not checked by this service`
  }
}

/** Returns the host and port of an https URL. */
function hostOfUrl(url: string): string {
  return /^https:\/\/([^/?#]*)/.exec(url)?.[1] ?? url
}

/** Renders the heading of an app. `more` is placed after the name. */
export function appLine(basePath: string, app: AppView, more: Insertable): Html {
  const name = html`<bdi class="name">${appName(app)}</bdi>`
  return html`<div class="app-line">
    ${appTile(basePath, app)}
    <div>
      <h2>${name}</h2>
      ${more}
    </div>
  </div>`
}
