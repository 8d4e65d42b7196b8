/** The account's landing page: who is signed in, and which apps hold access. */
import { hidden, signOutForm } from "./form.ts"
import { type Html, html } from "./html.ts"
import { type PageInput, renderDocument } from "./layout.ts"
import { type AppView, appTile } from "./monogram.ts"
import { shownName } from "./shown-text.ts"
import { day } from "./words.ts"

/** One access that an app holds. Instants are integer seconds. */
export type AccessView = {
  readonly tokenId: string
  readonly app: AppView
  readonly installationName: string | null
  /** What it reaches now, in the catalogue's order. */
  readonly permissions: readonly { readonly title: string; readonly admin: boolean }[]
  readonly consentedAt: number
  /** The last time that the app renewed its access; null before the first. */
  readonly refreshedAt: number | null
  readonly endsAt: number
}

export type AccountInput = PageInput & {
  readonly username: string
  readonly admin: boolean
  readonly csrf: string
  /** Newest first. */
  readonly access: readonly AccessView[]
}

function date(term: string, at: number): Html {
  const { iso, text } = day(at)
  return html`<div>
    <dt>${term}</dt>
    <dd><time datetime="${iso}">${text}</time></dd>
  </div>`
}

function permissions(held: AccessView["permissions"]): Html {
  if (held.length === 0) return html`<p class="note">It can do nothing at the moment.</p>`
  return html`<ul class="chips">
    ${held.map(
      ({ title, admin }) =>
        html`<li${admin && html` class="admin"`}>${title}${admin && html`<span class="unseen"> (administration)</span>`}</li>`,
    )}
  </ul>`
}

function access(basePath: string, csrf: string, held: AccessView): Html {
  const { app, installationName, consentedAt, refreshedAt, endsAt } = held
  return html`<li class="access">
    ${appTile(basePath, app)}
    <div>
      <h3><bdi class="name">${shownName(app.name, "An app without a name")}</bdi></h3>
      ${installationName !== null && html`<p class="note"><bdi>${shownName(installationName, "", 100)}</bdi></p>`}
      ${permissions(held.permissions)}
      <dl class="dates">
        ${date("Since", consentedAt)}${refreshedAt !== null && date("Last renewed", refreshedAt)}${date("Ends", endsAt)}
      </dl>
      <form method="post" action="${basePath}/account/end-access">
        ${hidden("csrf", csrf)}${hidden("token_id", held.tokenId)}
        <button class="link">
          End access<span class="unseen"> of ${shownName(app.name, "this app")}</span>
        </button>
      </form>
    </div>
  </li>`
}

const nothing = html`<div class="empty">
  <p>No app has access to your account.</p>
  <p class="note">
    When an app asks, you decide on a page like this one what it may do. It is listed here from then on.
  </p>
</div>`

export function renderAccount({ basePath, username, admin, csrf, access: held }: AccountInput): string {
  const main = html`<div class="who">
      <div>
        <p class="note">Signed in as</p>
        <h1><bdi class="name">${shownName(username, "An account without a name")}</bdi></h1>
        ${admin && html`<p class="note">Administrator of this service</p>`}
        <p class="note"><a href="${basePath}/account/security">Sign-in and security</a></p>
      </div>
      ${signOutForm(basePath, csrf, "Sign out", "quiet")}
    </div>
    <section>
      <h2>Your apps and devices</h2>
      ${
        held.length === 0
          ? nothing
          : html`<ul class="accesses">
              ${held.map((one) => access(basePath, csrf, one))}
            </ul>`
      }
    </section>`
  return renderDocument({ basePath, title: "Your account", main, wide: true })
}
