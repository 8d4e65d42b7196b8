/** Renders the stored icon and the upload form. CLIENT-5, ICON-2. */
import { ICON_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { pictureField } from "../../platform/ui/fields.ts"
import { alert, hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { monogram } from "../../platform/ui/monogram.ts"
import { appName } from "../../platform/ui/app-line.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { type AppPageInput, pathOf } from "./app-page.ts"

export type IconInput = AppPageInput & {
  readonly clientId: string
  readonly name: string
  readonly verified: boolean
  /** The stored icon: a PNG in base64. It is null if the app has no icon. */
  readonly icon: string | null
  readonly problem: string | null
}

export function renderIcon(input: IconInput): string {
  const { basePath, texts, csrf, paths, clientId, name, icon, problem } = input
  const hint = texts.plain("icon.hint", { kilobytes: ICON_BYTES_AT_MOST / 1024 })
  const fields = html`${hidden("csrf", csrf)}${hidden("id", clientId)}`
  const main = html`${problem !== null && alert(problem)}
    <div class="icons">
      ${
        icon !== null &&
        html`<figure>
          <img
            class="tile"
            src="data:image/png;base64,${icon}"
            width="64"
            height="64"
            alt="${texts.plain("icon.stored.alt")}"
          />
          <figcaption class="note">${texts.html("icon.stored")}</figcaption>
        </figure>`
      }
      <figure>
        ${monogram(clientId, name)}
        <figcaption class="note">${texts.html("icon.without")}</figcaption>
      </figure>
    </div>
    <p class="note">${whoSeesIt(input)}</p>
    <form class="stack" method="post" action="${basePath}${paths.icon}" enctype="multipart/form-data">
      ${fields} ${pictureField(texts, hint, problem)}
      <div class="buttons"><button class="primary">${texts.html("icon.store")}</button></div>
    </form>
    ${
      icon !== null &&
      html`<form
        method="post"
        action="${basePath}${paths.removeIcon}"
        ${paths.removeIcon === paths.icon && html`enctype="multipart/form-data"`}
      >
        ${fields}${hidden("remove", "yes")}<button class="quiet">${texts.html("icon.remove")}</button>
      </form>`
    }`
  const nameless = texts.plain("common.nameless-app")
  return input.frame({
    title: texts.plain("icon.title"),
    heading: texts.html("icon.heading", { app: html`<bdi class="name">${shownName(name, nameless)}</bdi>` }),
    up: { path: pathOf(paths.app, clientId), label: appName(texts, input) },
    main,
    isNarrow: true,
  })
}

function whoSeesIt({ texts, verified, isAdministrators }: IconInput): Html {
  if (!verified) return texts.html("icon.seen.unverified")
  return texts.html(isAdministrators ? "icon.seen.verified" : "icon.seen.verified-owner")
}
