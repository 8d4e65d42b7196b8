/** The template tag `html`, which makes all pages. Literal parts are markup; inserted strings are escaped. */

/** Markup that `html` made. The class is not exported, so that no string is accepted as markup. */
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

/**
 * A value that a template accepts. `null`, `undefined` and `false` insert nothing. A list is joined without separator.
 */
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

/** Template tag that makes markup. The source must quote an attribute whose value is inserted. */
export function html(literals: TemplateStringsArray, ...values: Insertable[]): Html {
  return new Markup(literals.reduce((text, literal, at) => text + inserted(values[at - 1]) + literal))
}
