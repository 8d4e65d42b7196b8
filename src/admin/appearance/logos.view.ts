/** The console page of the logos. */
import { html } from "../../kernel/html.ts"
import { ICON_BYTES_AT_MOST } from "../../kernel/limits.ts"
import type { Appearance, LogoMember } from "../../model/appearance.rules.ts"
import {
  type ConsoleInput,
  heading,
  problemAlert,
  renderConsole,
  upTo,
} from "../../platform/ui/console/frame.ts"
import { options, pictureField } from "../../platform/ui/fields.ts"
import { hidden } from "../../platform/ui/form.ts"

type LogosInput = ConsoleInput & {
  readonly shown: Appearance
  readonly problem: string | null
  /** The choice of the form that has the problem. */
  readonly chosen?: LogoMember
}

const hint = `PNG, JPEG, WebP or GIF, at most ${ICON_BYTES_AT_MOST / 1024} KB. Pages show it 40 pixels high, without your name beside it. A picture of at least 80 pixels in height, without a margin, works best.`

export function renderLogos(input: LogosInput): string {
  const { basePath, csrf, shown, problem, chosen = "logo" } = input
  const action = `${basePath}/console/appearance/logo`
  const remove = (logo: "light" | "dark", label: string) =>
    html`<form method="post" action="${action}" enctype="multipart/form-data">
      ${hidden("csrf", csrf)}${hidden("logo", logo)}${hidden("remove", "yes")}
      <button class="quiet">${label}</button>
    </form>`
  const main = html`${heading("Logo", false, upTo(basePath, "/console/appearance", "Appearance"))}
    ${problemAlert(problem)}
    <form class="stack" method="post" action="${action}" enctype="multipart/form-data">
      ${hidden("csrf", csrf)} ${pictureField(input.texts, hint, problem)}
      ${options("radio", { legend: "Where it is shown" }, [
        {
          name: "logo",
          value: "light",
          title: "On all pages",
          explanation: "Until dark pages have a logo of their own, they show this one on a light plate.",
          isChecked: chosen === "logo",
        },
        {
          name: "logo",
          value: "dark",
          title: "On dark pages",
          explanation:
            "It replaces the other logo there. Alone it is shown on light pages too, on a dark plate.",
          isChecked: chosen === "logoDark",
        },
      ])}
      <div class="deeds">
        <button class="primary">Store the logo</button>
        <a class="button" href="${basePath}/console/appearance">Cancel</a>
      </div>
    </form>
    ${
      (shown.logo !== null || shown.logoDark !== null) &&
      html`<section class="block">
        <h2>Stored</h2>
        <div class="deeds">
          ${shown.logo !== null && remove("light", "Remove the logo")}
          ${shown.logoDark !== null && remove("dark", "Remove the logo of dark pages")}
        </div>
      </section>`
    }`
  return renderConsole(input, { title: "Logo", place: "settings", main, narrow: true })
}
