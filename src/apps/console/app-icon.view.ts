/** The icon of an app: what there is, and the form that brings another. */
import { pictureField } from "../../ui/fields.ts"
import { hidden } from "../../ui/form.ts"
import { html } from "../../kernel/html.ts"
import { type AppView, appTile } from "../../ui/monogram.ts"
import { shownName } from "../../ui/shown-text.ts"
import { type ConsoleInput, heading, problemAlert, renderConsole, upTo } from "../../ui/console/frame.ts"

export type IconInput = ConsoleInput & {
  readonly clientId: string
  readonly tile: AppView
  readonly hasIcon: boolean
  readonly verified: boolean
  readonly bytesAtMost: string
  readonly problem: string | null
}

export function renderIcon(input: IconInput): string {
  const { basePath, csrf, clientId, tile, hasIcon, verified, bytesAtMost, problem } = input
  const action = `${basePath}/console/app/icon`
  const main = html`${heading("Icon", false, upTo(basePath, `/app?id=${clientId}`, shownName(tile.name, "The app")))}
    ${problemAlert(problem)}
    <div class="deeds">${appTile(basePath, tile)}</div>
    <p class="note">
      ${
        !hasIcon
          ? "There is none: pages show the monogram."
          : verified
            ? "Pages show it."
            : "There is one. Pages show the monogram, because the app is not verified."
      }
    </p>
    <form class="stack" method="post" action="${action}" enctype="multipart/form-data">
      ${hidden("csrf", csrf)}${hidden("id", clientId)}
      ${pictureField(`PNG, JPEG, WebP or GIF, square, at most ${bytesAtMost}. It is drawn anew.`, problem)}
      <div class="deeds"><button class="primary">Store the icon</button></div>
    </form>
    ${
      hasIcon &&
      html`<form method="post" action="${action}" enctype="multipart/form-data">
        ${hidden("csrf", csrf)}${hidden("id", clientId)}${hidden("remove", "yes")}
        <button class="quiet">Take the icon away</button>
      </form>`
    }`
  return renderConsole(input, { title: "Icon", place: "apps", main, narrow: true })
}
