/** The heading of an app. It shows the tile of the app, its name and who registered it. */
import type { RegisteredBy } from "../../model/clients/client.rules.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import type { Values } from "../languages/message.ts"
import type { Texts } from "../languages/texts.ts"
import type { PageInput } from "./layout.ts"
import { appTile, type AppView } from "./monogram.ts"
import { shownName } from "./shown-text.ts"

export type KnownApp = AppView & {
  readonly registeredBy: RegisteredBy
  /** The value is null for an app without an owner. */
  readonly ownerName: string | null
  readonly enabled: boolean
}

/** Returns the name of an app for the beginning of a sentence. */
export function appName(texts: Texts, { name }: Pick<AppView, "name">): string {
  const nameless = texts.plain("common.nameless-app")
  return shownName(name, nameless.charAt(0).toLocaleUpperCase(texts.language.tag) + nameless.slice(1))
}

/** Renders who registered the app, and whether this service has verified it. MISC-1. */
export function standing(texts: Texts, app: KnownApp): Html {
  const state = app.verified ? "verified" : "registered"
  return texts.html(`app.${state}.${registrarOf(app)}`, valuesOf(texts, app))
}

type Registered = Pick<KnownApp, "clientId" | "registeredBy" | "ownerName">

export function registrar(texts: Texts, app: Registered): Html {
  return texts.html(`app.registered.${registrarOf(app)}`, valuesOf(texts, app))
}

/** Renders the warning about an app that no person of this service registered. */
export function unchecked(texts: Texts, app: Registered): Html {
  const by = app.registeredBy === "document" ? "document" : "itself"
  return texts.html(`app.unchecked.${by}`, valuesOf(texts, app))
}

function registrarOf({ registeredBy, ownerName }: Registered): RegisteredBy | "named-user" {
  return registeredBy === "user" && ownerName !== null ? "named-user" : registeredBy
}

function valuesOf(texts: Texts, { clientId, ownerName }: Registered): Values {
  const owner = html`<bdi>${shownName(ownerName ?? "", texts.plain("common.unnamed"))}</bdi>`
  return { owner, host: html`<strong class="host"><bdi>${hostOfUrl(clientId)}</bdi></strong>` }
}

/** Returns the host and port of an https URL. */
function hostOfUrl(url: string): string {
  return /^https:\/\/([^/?#]*)/.exec(url)?.[1] ?? url
}

/** Renders the heading of an app. `more` is placed after the name. */
export function appLine({ basePath, texts }: PageInput, app: AppView, more: Insertable): Html {
  const name = html`<bdi class="name">${appName(texts, app)}</bdi>`
  return html`<div class="app-line">
    ${appTile(basePath, app)}
    <div>
      <h2>${name}</h2>
      ${more}
    </div>
  </div>`
}
