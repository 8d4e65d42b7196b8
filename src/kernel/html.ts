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

/**
 * Curly quotes and other punctuation become references too. A single one in the text would make each character of the
 * page two bytes wide, and its encoding take five times as long.
 */
const SPECIAL = /[&<>"'\u2010-\u203a]/

/** Escapes text for element content and quoted attributes. Most texts have nothing to escape. */
function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replaceAll(
    /[&<>"'\u2010-\u203a]/g,
    (character) => entities.get(character) ?? `&#${character.charCodeAt(0)};`,
  )
}

function inserted(value: Insertable): string {
  if (typeof value === "string") return escaped(value)
  if (value === null || value === undefined || value === false) return ""
  if (value instanceof Markup) return value.toString()
  if (typeof value === "object") return value.reduce<string>((text, one) => text + inserted(one), "")
  return escaped(String(value))
}

/** Creates markup from a template. The template must put quotes around an inserted attribute value. */
export function html(literals: TemplateStringsArray, ...values: Insertable[]): Html {
  let text = literals[0] ?? ""
  for (let at = 0; at < values.length; at++) text += inserted(values[at]) + (literals[at + 1] ?? "")
  return new Markup(text)
}
