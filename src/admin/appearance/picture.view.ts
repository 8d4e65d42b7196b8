/** The consent page as the appearance makes it: light and dark, wide and on a phone. It accepts no input. BRAND-4. */
import type { Appearance } from "../../model/appearance.rules.ts"
import { consentCard } from "../../oauth/authorize/consent.view.ts"
import type { Scheme } from "../../platform/ui/brand/color.rules.ts"
import { brand, footOf, variablesOf } from "../../platform/ui/brand.ts"
import type { ConsoleInput } from "../../platform/ui/console/frame.ts"
import { style, textOf } from "../../platform/ui/style/style.ts"
import { type Html, html } from "../../kernel/html.ts"

type Width = "wide" | "phone"

const pictures: readonly { readonly scheme: Scheme; readonly width: Width; readonly caption: string }[] = [
  { scheme: "light", width: "wide", caption: "Light" },
  { scheme: "dark", width: "wide", caption: "Dark" },
  { scheme: "light", width: "phone", caption: "Light, on a phone" },
  { scheme: "dark", width: "phone", caption: "Dark, on a phone" },
]

const sheet = textOf(["appearance"])

/** The variables of light and dark pages: the first two blocks of `base.css`. */
const [light = "", dark = ""] = Array.from(style.matchAll(/:root\{([^}]*)\}/g), ([, block]) => block)

/** The browser shows one color scheme at a time, so each picture has the variables of its scheme. */
export function pictureSheet(color: string | null): string {
  const scheme = (name: Scheme, neutrals: string) =>
    `.picture.${name}{${neutrals}color-scheme:${name};${color === null ? "" : variablesOf(color, name)}}`
  return `${scheme("light", light)}${scheme("dark", dark)}${sheet}`
}

export function picturesOf(input: ConsoleInput & { readonly shown: Appearance }): Html {
  return html`<div class="pictures">
    ${pictures.map(
      ({ scheme, width, caption }) =>
        html`<figure class="${width}">
          <figcaption class="note">${caption}</figcaption>
          <div class="picture ${scheme}" inert>${consentPicture(input, scheme)}</div>
        </figure>`,
    )}
  </div>`
}

/** A sample of the consent page. */
function consentPicture({ shown, ...frame }: ConsoleInput & { shown: Appearance }, scheme: Scheme): Html {
  const page = { ...frame, look: shown }
  const permission = (title: string, description: string) => ({
    ...{ name: title, title, description, group: "", admin: false, implied: false },
  })
  return html`<header class="brand">${brand(page, scheme)}</header>
    <div class="card wide">
      ${consentCard({
        ...frame,
        app: {
          clientId: "sample",
          name: "Paperclip",
          verified: false,
          iconUrl: null,
          registeredBy: "administrator",
          ownerName: frame.username,
        },
        installationName: null,
        granted: [
          permission("See your files", "Reads names and contents."),
          permission("Change your files", "Adds, renames and deletes them."),
        ],
        refusedToAccount: [],
        origin: { from: "browser", returnsTo: { kind: "web", host: "paperclip.example" } },
        lastsSeconds: 2_592_000,
        continueTo: "",
        ticket: "",
      })}
    </div>
    ${footOf(page)}`
}
