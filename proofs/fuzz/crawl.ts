/**
 * Finds the requests that the pages offer: the URLs that they link to, and their forms as a browser would send them.
 */
import { unescaped } from "../../test/platform/ui/markup.ts"
import type { Browser } from "../../test/support/browser.ts"
import { type Body, type Draft, pairsOf, type Pair } from "./draft.ts"
import { icon } from "./icon.ts"

/** If URLs differ only in values, this many of them are enough. */
const ALIKE = 2
export const PAGES_AT_MOST = 160

/** What a person might type into an empty field. */
const TYPED: Readonly<Record<string, string>> = {
  username: "typed",
  name: "Typed",
  password: "typed password of mine",
  code: "123456",
  redirect_uris: "https://typed.example/callback",
  icon: "",
  value: "600/60",
  reason: "typed",
}

/** Returns everything that can be reached from `starts`: pages to get, and forms to send. */
export async function crawl(
  browser: Browser,
  starts: readonly string[],
  pages: number,
  dress: (part: Pick<Draft, "name" | "method" | "path" | "query" | "body">) => Draft,
): Promise<readonly Draft[]> {
  const queue = [...starts]
  const seen = new Map<string, number>()
  const drafts: Draft[] = []
  for (
    let url = queue.shift();
    url !== undefined && drafts.length < Math.min(pages, PAGES_AT_MOST);
    url = queue.shift()
  ) {
    const [path = "", search = ""] = url.split("?")
    const query = queryPairs(search)
    const kind = `${path} ${query.map(([name]) => name).join(" ")}`
    const before = seen.get(kind) ?? 0
    seen.set(kind, before + 1)
    if (before >= ALIKE || path.endsWith("/export")) continue
    drafts.push(dress({ name: `page ${path}`, method: "GET", path, query, body: { kind: "none" } }))
    const { text, location, headers } = await browser.get(url)
    if (location?.startsWith("/") === true) queue.push(location)
    if (headers.get("content-type")?.startsWith("text/html") !== true) continue
    queue.push(...[...text.matchAll(/href="(\/[^"#]*)/g)].map(([, to = ""]) => to.replaceAll("&amp;", "&")))
    drafts.push(...formsIn(text).map((form) => dress({ ...form, name: `form ${form.path}` })))
  }
  return drafts
}

function queryPairs(search: string): readonly Pair[] {
  return search === ""
    ? []
    : search.split("&").map((pair): Pair => {
        const [name = "", value = ""] = pair.split("=", 2)
        return [name, value]
      })
}

export type Form = {
  readonly method: string
  readonly path: string
  readonly query: readonly Pair[]
  readonly body: Body
}

/** Returns the forms of a page with values. A form with several buttons gives several forms. */
export function formsIn(text: string): readonly Form[] {
  return text
    .split("<form")
    .slice(1)
    .flatMap((part) => {
      const form = part.split("</form>", 1)[0] ?? ""
      const tag = form.split(">", 1)[0] ?? ""
      const [path = "", search = ""] = (attribute(tag, "action") ?? "/").split("?")
      const fields = fieldsOf(form)
      const buttons = [...form.matchAll(/<button[^>]*>/g)].map(([button]) => [
        attribute(button, "name"),
        attribute(button, "value"),
      ])
      const pressed = buttons.filter(([name]) => name !== undefined)
      const sent =
        pressed.length === 0
          ? [fields]
          : pressed.map(([name = "", value = ""]) => [...fields, [name, value] as const])
      return sent.map((pairs): Form => {
        const written = pairsOf(Object.fromEntries(pairs))
        if ((attribute(tag, "method") ?? "get").toLowerCase() === "get")
          return { method: "GET", path, query: written, body: { kind: "none" } }
        const query = queryPairs(search)
        if (attribute(tag, "enctype") === "multipart/form-data")
          return { method: "POST", path, query, body: parts(pairs) }
        return { method: "POST", path, query, body: { kind: "form", pairs: written } }
      })
    })
}

function fieldsOf(form: string): readonly Pair[] {
  return [...form.matchAll(/<(input|textarea|select)\b[^>]*>(?:([^<]*)<\/textarea>)?/g)].flatMap(
    ([tag, kind, inner]) => {
      const name = attribute(tag, "name")
      const type = attribute(tag, "type")
      if (name === undefined || type === "radio" || (type === "checkbox" && !tag.includes(" checked")))
        return []
      const value = kind === "textarea" ? unescaped(inner ?? "") : (attribute(tag, "value") ?? "")
      return [[name, value === "" ? (TYPED[name] ?? "") : value] as const]
    },
  )
}

function parts(pairs: readonly Pair[]): Body {
  return {
    kind: "parts",
    boundary: "----latchkeyfuzz7",
    parts: pairs.map(([name, value]) =>
      name === "icon"
        ? {
            head: `Content-Disposition: form-data; name="icon"; filename="a.png"\r\nContent-Type: image/png`,
            content: icon,
          }
        : {
            head: `Content-Disposition: form-data; name="${name}"`,
            content: Buffer.from(value).toString("latin1"),
          },
    ),
  }
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescaped(value)
}
