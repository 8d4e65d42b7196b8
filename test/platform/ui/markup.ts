/**
 * Reads a page strictly. Everything that is not our markup is a fault, so that no unescaped text can hide in the page.
 */
import assert from "node:assert/strict"

export type Tag = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** The position of the tag in the page. */
  readonly at: number
}

const elements = new Set(
  (
    "html head meta title link style body header nav main span h1 h2 h3 p div section form input label button a " +
    "ul ol li dl dt dd strong bdi code time img svg path circle rect g text script details summary figure figcaption " +
    "fieldset legend textarea select option table caption thead tbody tr th td title desc line defs pattern footer picture source"
  ).split(" "),
)

const attributes = new Set(
  (
    "lang dir charset name content rel type href class id action method value autocomplete autocapitalize spellcheck " +
    "required autofocus for role aria-hidden aria-invalid aria-describedby aria-labelledby aria-current data-label " +
    "datetime title src alt loading width height viewbox fill stroke stroke-width stroke-linecap stroke-linejoin d cx cy r x y rx font-size " +
    "font-weight text-anchor dominant-baseline inputmode maxlength hidden open defer aria-label data-passkey " +
    "data-options data-problem data-added-already data-wrong-address data-canceled data-without-passkey enctype accept checked rows " +
    "scope tabindex selected novalidate formnovalidate x1 x2 y1 y2 overflow pointer-events patternunits preserveaspectratio inert media srcset hreflang"
  ).split(" "),
)

/**
 * Returns every opening tag of the page. Fails on an element or attribute that no page has, and on an unescaped `<`.
 */
export function tagsOf(page: string): readonly Tag[] {
  const style = /<style>[^<]*<\/style>/
  assert.match(page, style)
  const markup = page.replace(/^<!doctype html>/i, "").replace(style, "<style></style>")
  const opened: Tag[] = []
  const rest = markup.replace(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9-]*(?:="[^"<>]*")?)*)\s*\/?>/g,
    (_, closing: string, name: string, inside: string, at: number) => {
      assert.ok(elements.has(name), `an element <${name}>`)
      if (closing === "") opened.push({ name, attributes: attributesOf(inside), at })
      return ""
    },
  )
  assert.doesNotMatch(rest, /[<>]/, "text that looks like markup")
  return opened
}

function attributesOf(inside: string): ReadonlyMap<string, string> {
  const found = [...inside.matchAll(/([a-zA-Z][a-zA-Z0-9-]*)(?:="([^"]*)")?/g)].map(
    ([, name = "", value = ""]) => [name.toLowerCase(), unescaped(value)] as const,
  )
  for (const [name] of found) assert.ok(attributes.has(name), `an attribute ${name}`)
  return new Map(found)
}

const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
}

/** Returns the page with the letters for which it has references, such as curly quotes. They are no markup. */
export function withPunctuation(page: string): string {
  return page.replace(/&#(8\d{3});/g, (_, code: string) => String.fromCharCode(Number(code)))
}

export function unescaped(text: string): string {
  return withPunctuation(text).replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)
}

/** Returns what a person reads: the text of the page with single spaces. */
export function textOf(page: string): string {
  const body = page.slice(page.indexOf("<body>"))
  return unescaped(body.replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim()
}

export type Form = {
  readonly action: string
  readonly method: string
  /** Hidden and visible inputs, by name. */
  readonly inputs: ReadonlyMap<string, Tag>
  readonly buttons: readonly Tag[]
}

/** Returns the forms of the page in order. */
export function formsOf(page: string): readonly Form[] {
  const forms: { action: string; method: string; inputs: Map<string, Tag>; buttons: Tag[] }[] = []
  for (const tag of tagsOf(page)) {
    const attribute = (name: string) => tag.attributes.get(name) ?? ""
    if (tag.name === "form")
      forms.push({
        action: attribute("action"),
        method: attribute("method"),
        inputs: new Map(),
        buttons: [],
      })
    const form = forms.at(-1)
    if (tag.name === "input") form?.inputs.set(attribute("name"), tag)
    if (tag.name === "button") form?.buttons.push(tag)
  }
  return forms
}

/** Returns the value of an input of the form. */
export function valueOf(form: Form | undefined, name: string): string | undefined {
  return form?.inputs.get(name)?.attributes.get("value")
}
