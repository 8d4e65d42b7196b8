/** Pages are written with one tag: what is literal in the source is markup, what is inserted is text. */

/** Markup that `html` made. The class stays in this file, so that no string can pass for it. */
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

/** What a page may insert. The empty values and `false` draw nothing; a list is joined without a separator. */
export type Insertable = Html | string | number | false | null | undefined | readonly Insertable[]

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
])

/** Text as it may stand between tags and inside a quoted attribute. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character) ?? "")
}

function inserted(value: Insertable): string {
  if (value === null || value === undefined || value === false) return ""
  if (value instanceof Markup) return value.toString()
  if (typeof value === "object") return value.map(inserted).join("")
  return escaped(String(value))
}

/** Makes markup. Attributes around an inserted value must be quoted in the source. */
export function html(literals: TemplateStringsArray, ...values: Insertable[]): Html {
  return new Markup(literals.reduce((text, literal, at) => text + inserted(values[at - 1]) + literal))
}
