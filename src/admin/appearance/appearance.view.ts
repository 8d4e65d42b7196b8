/** The console page of the appearance. */
import { type Html, html } from "../../kernel/html.ts"
import { type Appearance, PRODUCT, type TextMember } from "../../model/appearance.rules.ts"
import { hasNoHue, paletteOf, type Scheme } from "../../platform/ui/brand/color.rules.ts"
import { type ConsoleInput, heading, renderConsole, upTo } from "../../platform/ui/console/frame.ts"
import { alert, field, hidden } from "../../platform/ui/form.ts"
import { picturesOf } from "./picture.view.ts"

/** What was typed into the form, and what is wrong with it. */
export type Texted = {
  readonly typed: Readonly<Record<TextMember, string>>
  readonly problems: { readonly [M in TextMember]?: string }
}

type AppearanceInput = ConsoleInput &
  Texted & {
    /** What the pictures show: the stored appearance, or the previewed one. */
    readonly shown: Appearance
    readonly sheet: string
  }

const fields: readonly (readonly [TextMember, label: string, hint: string])[] = [
  ["name", "Name of the service", `People read it on every page and in every mail. Empty: ${PRODUCT}.`],
  ["color", "Color", "As #RRGGBB, such as #1a56db. Empty: the green of the product."],
  ["support", "Link to support", "An https:// or mailto: address. It is at the foot of every page."],
  ["terms", "Link to your terms", "An https:// address."],
  ["privacy", "Link to your privacy policy", "An https:// address."],
]

export function renderAppearance(input: AppearanceInput): string {
  const { basePath, csrf, problems, typed, shown, sheet } = input
  const main = html`${heading("Appearance", false, upTo(basePath, "/console/settings", "Settings"))}
    ${Object.keys(problems).length > 0 && alert("Nothing was saved. Check the fields below.")}
    <form class="stack" method="post" action="${basePath}/console/appearance">
      ${hidden("csrf", csrf)}
      ${fields.map(
        ([member, label, hint]) =>
          html`${field({
            name: member,
            label,
            type: "text",
            autocomplete: "off",
            isOptional: true,
            value: typed[member],
            hint,
            problem: problems[member] ?? null,
          })}${member === "color" && shown.color !== null && moves(shown.color)}`,
      )}
      <div class="deeds">
        <button class="primary">Save</button>
        <button class="quiet" name="preview" value="yes">Preview</button>
        <a class="button" href="${basePath}/console/appearance/logo">Logo</a>
      </div>
    </form>
    <section class="block">
      <h2>The consent page</h2>
      <p class="note">Preview shows here what you typed. Save puts it in force within a second.</p>
      ${picturesOf(input)}
    </section>
    <p class="note">
      You cannot add a style sheet, markup or a script of your own. What can restyle a consent page can fake
      one.
    </p>`
  return renderConsole(input, { title: "Appearance", place: "settings", main, sheet })
}

/** Says where the color itself would be too faint, and which color is used there. */
function moves(color: string): Html | false {
  const sentences = (["light", "dark"] as const).flatMap((scheme) => moveOf(color, scheme))
  if (sentences.length === 0) return false
  const why = hasNoHue(color)
    ? "A gray button would look disabled."
    : "A text needs a contrast of 4.5 to what is behind it, and a button one of 3 (WCAG 2.2)."
  return html`<div class="done">
    <p><strong>The color was moved, in lightness only.</strong> ${sentences} ${why}</p>
  </div>`
}

function moveOf(color: string, scheme: Scheme): readonly Html[] {
  const { accent, link } = paletteOf(color, scheme)
  if (link === color) return []
  const change = scheme === "light" ? "darker" : "lighter"
  const used =
    accent === link
      ? html`buttons and links are the ${change} <code>${link}</code>`
      : accent === color
        ? html`links are the ${change} <code>${link}</code>`
        : html`buttons are the ${change} <code>${accent}</code> and links <code>${link}</code>`
  return [html`On ${scheme} pages ${used}. `]
}
