/** The template tag `html`, which creates all pages. Literal parts are markup. Inserted strings are escaped. */

/** Markup that the tag `html` created. The class is not exported, so no string can pass as markup. */
class Markup {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
}

export type Html = Markup

/** What a template accepts. `null`, `undefined` and `false` insert nothing. List items get no separator. */
export type Insertable = Html | string | number | false | null | undefined | readonly Insertable[]

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
])

/** Escapes text for element content and quoted attributes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character) ?? "")
}

function inserted(value: Insertable): string {
  if (value === null || value === undefined || value === false) return ""
  if (value instanceof Markup) return value.toString()
  if (typeof value === "object") return value.map(inserted).join("")
  return escaped(String(value))
}

/** Creates markup from a template. The template must put quotes around an inserted attribute value. */
export function html(literals: TemplateStringsArray, ...values: Insertable[]): Html {
  return new Markup(literals.reduce((text, literal, at) => text + inserted(values[at - 1]) + literal))
}
