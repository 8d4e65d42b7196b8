/** A simple browser with forms and cookies, for tests that do not concern the browser itself. */
import { withPunctuation } from "../platform/ui/markup.ts"

type Page = {
  readonly status: number
  readonly location: string | null
  readonly headers: Headers
  readonly text: string
}

export class Browser {
  readonly #cookies = new Map<string, string>()
  readonly #base: string
  readonly #headers: Readonly<Record<string, string>>

  /** `base` is the URL of the service. `headers` are sent with every request. */
  constructor(base: string, headers: Readonly<Record<string, string>> = {}) {
    this.#base = base
    this.#headers = headers
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.#send(path, { headers: { ...this.#headers, ...headers } })
  }

  /**
   * Sends a form as a browser does from a page of the same origin. A field that is an array is sent once for each
   * entry.
   */
  post(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Page> {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries(fields))
      for (const one of [value].flat()) body.append(name, one)
    const sent = {
      origin: new URL(this.#base).origin,
      "sec-fetch-site": "same-origin",
      ...this.#headers,
      ...headers,
    }
    return this.#send(path, {
      method: "POST",
      body: body.toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...sent },
    })
  }

  /** Sends a form with a file. Without a file, an empty one is sent, as browsers do. */
  postFile(
    path: string,
    fields: Readonly<Record<string, string>>,
    name: string,
    file: Uint8Array | null,
  ): Promise<Page> {
    const body = new FormData()
    for (const [field, value] of Object.entries(fields)) body.append(field, value)
    body.append(name, new Blob(file === null ? [] : [new Uint8Array(file)]), "picture")
    const origin = new URL(this.#base).origin
    const headers = { origin, "sec-fetch-site": "same-origin", ...this.#headers }
    return this.#send(path, { method: "POST", body, headers })
  }

  /** Sends the page's form with this `action`. The form keeps its values, and `fields` replaces or adds some. */
  submit(
    page: Page,
    action: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<Page> {
    return this.post(action, { ...hiddenFields(page.text, action), ...fields })
  }

  async signIn(username: string, password: string): Promise<Page> {
    return this.submit(await this.get("/sign-in"), "/sign-in", { username, password })
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  /** Returns all cookies as the header of a request. */
  cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  }

  async #send(path: string, init: RequestInit): Promise<Page> {
    const url = path.startsWith("http") ? path : this.#base + path
    const cookie = this.cookies()
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { ...(init.headers as Record<string, string>), ...(cookie !== "" && { cookie }) },
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const location = response.headers.get("location")
    const text = withPunctuation(await response.text())
    return { status: response.status, location, headers: response.headers, text }
  }

  #keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === "") this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

/** Returns the hidden inputs of the form with this `action`. */
export function hiddenFields(text: string, action: string): Record<string, string> {
  const form = text.split("<form").find((part) => part.includes(`action="${action}"`)) ?? ""
  const fields: Record<string, string> = {}
  for (const [input] of form.split("</form>", 1)[0]?.matchAll(/<input[^>]*>/g) ?? []) {
    const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(input)?.[1]
    const name = attribute("name")
    if (attribute("type") === "hidden" && name !== undefined)
      fields[name] = unescaped(attribute("value") ?? "")
  }
  return fields
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
}
