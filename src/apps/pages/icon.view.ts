/** Renders the stored icon and the upload form. CLIENT-5, ICON-2. */
import { ICON_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { pictureField } from "../../platform/ui/fields.ts"
import { alert, hidden } from "../../platform/ui/form.ts"
import { html } from "../../kernel/html.ts"
import { monogram } from "../../platform/ui/monogram.ts"
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

const hint = `PNG, JPEG, WebP or GIF, at most ${ICON_BYTES_AT_MOST / 1024} KB. A square of at least 256 pixels works best. Any other picture is centered on a square.`

export function renderIcon(input: IconInput): string {
  const { basePath, csrf, paths, clientId, name, icon, problem } = input
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
            alt="The stored icon"
          />
          <figcaption class="note">Stored</figcaption>
        </figure>`
      }
      <figure>
        ${monogram(clientId, name)}
        <figcaption class="note">Without an icon</figcaption>
      </figure>
    </div>
    <p class="note">${whoSeesIt(input)}</p>
    <form class="stack" method="post" action="${basePath}${paths.icon}" enctype="multipart/form-data">
      ${fields} ${pictureField(input.texts, hint, problem)}
      <div class="buttons"><button class="primary">Store the icon</button></div>
    </form>
    ${
      icon !== null &&
      html`<form
        method="post"
        action="${basePath}${paths.removeIcon}"
        ${paths.removeIcon === paths.icon && html`enctype="multipart/form-data"`}
      >
        ${fields}${hidden("remove", "yes")}<button class="quiet">Remove the icon</button>
      </form>`
    }`
  const shown = shownName(name, "this app")
  return input.frame({
    title: "The icon of an app",
    heading: html`The icon of <bdi class="name">${shown}</bdi>`,
    up: { path: pathOf(paths.app, clientId), label: shown },
    main,
    isNarrow: true,
  })
}

function whoSeesIt({ verified, isAdministrators }: IconInput): string {
  if (!verified)
    return "People see the letters until an administrator verifies the app. Then they see the icon."
  if (isAdministrators) return "People see the icon, because the app is verified."
  return "People see the icon, because an administrator verified the app. With a new icon the app is unverified until an administrator checks it again."
}
