/** A plain reader of the service's event stream. */
import { get, type ClientRequest, type IncomingMessage } from "node:http"
import { once } from "node:events"
import { EventParser, type StreamEvent } from "../../packages/resource-server/src/event-parser.ts"
import { until } from "../support/until.ts"

export type Identity = { readonly clientId: string; readonly secret: string | null }

export class Reader {
  readonly events: StreamEvent[] = []
  readonly response: IncomingMessage
  text = ""
  isOver = false
  readonly #request: ClientRequest

  private constructor(request: ClientRequest, response: IncomingMessage) {
    const parser = new EventParser()
    this.#request = request
    this.response = response
    response.setEncoding("utf8")
    response.on("data", (text: string) => {
      this.text += text
      this.events.push(...parser.take(text))
    })
    response.once("close", () => (this.isOver = true))
    response.on("error", () => (this.isOver = true))
  }

  static async open(base: string, identity: Identity | null, lastEventId?: string): Promise<Reader> {
    const request = get(`${base}/oauth/introspect/stream`, {
      agent: false,
      headers: {
        ...(identity !== null && { authorization: basic(identity) }),
        ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
      },
    })
    const [response] = (await once(request, "response")) as [IncomingMessage]
    return new Reader(request, response)
  }

  /** The names of the events so far. */
  get names(): readonly string[] {
    return this.events.map(({ event }) => event)
  }

  async event(name: string, occurrence = 1): Promise<StreamEvent> {
    const found = () => this.events.filter(({ event }) => event === name)[occurrence - 1]
    await until(() => found() !== undefined, `the ${occurrence}. ${name}`)
    return found() as StreamEvent
  }

  close(): void {
    this.#request.destroy()
  }
}

export function basic({ clientId, secret }: Identity): string {
  return `Basic ${Buffer.from(`${clientId}:${secret ?? ""}`).toString("base64")}`
}
