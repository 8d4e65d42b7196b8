/** The icon of an app of one's own. CLIENT-5, ICON-2. */
import { pictureField } from "../../ui/fields.ts"
import { alert, hidden } from "../../ui/form.ts"
import { renderAccountPage, type SignedInInput } from "../../ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
import { monogram } from "../../ui/monogram.ts"
import { shownName } from "../../ui/shown-text.ts"

export type OwnIconInput = SignedInInput & {
  readonly clientId: string
  readonly name: string
  readonly verified: boolean
  /** The stored icon, a PNG in base64; null where there is none. */
  readonly icon: string | null
  readonly problem: string | null
}

const hint =
  "PNG, JPEG, WebP or GIF, up to 512 KB. Best a square of 256 pixels or more; anything else is centred on one."

export function renderOwnIcon(input: OwnIconInput): string {
  const { basePath, csrf, clientId, name, verified, icon, problem } = input
  const shown = shownName(name, "this app")
  const main = html`<h1>The icon of <bdi class="name">${shown}</bdi></h1>
    ${problem !== null && alert(problem)}
    <div class="icons">
      ${
        icon !== null &&
        html`<figure>
          <img
            class="tile"
            src="data:image/png;base64,${icon}"
            width="64"
            height="64"
            alt="The icon that is stored"
          />
          <figcaption class="note">Stored</figcaption>
        </figure>`
      }
      <figure>
        ${monogram(clientId, name)}
        <figcaption class="note">Without one</figcaption>
      </figure>
    </div>
    <p class="note">
      ${
        verified
          ? "People see the icon, because an administrator verified this app. With another icon it is not verified any more, until an administrator looks at it again."
          : "People see the icon once an administrator has verified the app; before, the letters."
      }
    </p>
    <form class="stack" method="post" action="${basePath}/account/apps/icon" enctype="multipart/form-data">
      ${hidden("csrf", csrf)}${hidden("id", clientId)} ${pictureField(hint, problem)}
      <div class="buttons"><button class="primary">Store the icon</button></div>
    </form>
    ${
      icon !== null &&
      html`<form method="post" action="${basePath}/account/apps/icon/remove">
        ${hidden("csrf", csrf)}${hidden("id", clientId)}<button class="quiet">Take the icon away</button>
      </form>`
    }
    <p class="note"><a href="${basePath}/account/apps/app?id=${clientId}">Go back</a></p>`
  return renderAccountPage(input, { here: "/account/apps", title: "The icon of an app", main })
}
