/** Sends requests to the service on connections that stay open, because a history sends hundreds of requests. */
import { Agent, type IncomingHttpHeaders, request } from "node:http"

const ANSWERED_WITHIN_MS = 20_000

export type Reply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export type Sent = {
  readonly method: string
  readonly path: string
  readonly form?: Readonly<Record<string, string | readonly string[]>>
  readonly headers?: Readonly<Record<string, string>>
}

export class Wire {
  readonly #url: URL
  readonly #agent = new Agent({ keepAlive: true })

  constructor(url: string) {
    this.#url = new URL(url)
  }

  send({ method, path, form, headers }: Sent): Promise<Reply> {
    const body = form === undefined ? null : encoded(form)
    const type = body !== null && { "content-type": "application/x-www-form-urlencoded" }
    const options = {
      host: "127.0.0.1",
      port: this.#url.port,
      agent: this.#agent,
      method,
      path,
      headers: { host: this.#url.host, ...type, ...headers },
    }
    return new Promise((resolve, reject) => {
      const asking = request(options, (answer) => {
        let text = ""
        answer.setEncoding("utf8")
        answer.on("data", (part: string) => (text += part))
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
        answer.on("error", reject)
      })
      asking.on("error", reject)
      asking.setTimeout(ANSWERED_WITHIN_MS, () => asking.destroy(new Error(`no answer to ${method} ${path}`)))
      asking.end(body ?? undefined)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

function encoded(form: Readonly<Record<string, string | readonly string[]>>): string {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) for (const one of [value].flat()) body.append(name, one)
  return body.toString()
}
