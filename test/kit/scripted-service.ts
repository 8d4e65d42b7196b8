/** A service that answers by script, in place of `fetch`. The vectors use it for answers that no real service gives. */
import { until } from "../support/until.ts"

export type ScriptedResponse = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A JSON value, or `text` as it is. */
  readonly body?: unknown
  readonly text?: string
}

type Stream = {
  readonly lastEventId: string | null
  readonly controller: ReadableStreamDefaultController<Uint8Array>
  /** Whether the kit waits for the next piece of the stream. */
  isRead: boolean
  isOver: boolean
}

export type Sent = { readonly url: string; readonly init: RequestInit }

export class ScriptedService {
  readonly #respond: (token: string) => ScriptedResponse
  readonly #streams: Stream[] = []
  readonly #held: (() => void)[] = []
  /** The introspections, oldest first. */
  readonly introspections: Sent[] = []
  refusedStreams = 0
  /** The status with which streams are refused. Null accepts streams. */
  streamStatus: number | null = null
  isUnreachable = false
  /** The number of next introspections that lose their connection. */
  lost = 0
  isHolding = false

  constructor(respond: (token: string) => ScriptedResponse) {
    this.#respond = respond
  }

  get streams(): readonly { readonly lastEventId: string | null }[] {
    return this.#streams
  }

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input)
    return url.endsWith("/stream") ? this.#open(init) : await this.#introspect({ url, init })
  }

  /** Sends a piece of the stream. Resolves when the kit asks for the next piece or has given up the stream. */
  async send(text: string): Promise<void> {
    const stream = this.#last()
    await until(() => stream.isRead, "the kit reads")
    stream.isRead = false
    stream.controller.enqueue(new TextEncoder().encode(text))
    await until(() => stream.isRead || stream.isOver, "the kit reads on")
  }

  breakStream(): void {
    this.#last().isOver = true
    this.#last().controller.error(new TypeError("terminated"))
  }

  endStream(): void {
    this.#last().isOver = true
    this.#last().controller.close()
  }

  release(): void {
    for (const release of this.#held.splice(0)) release()
  }

  #last(): Stream {
    const stream = this.#streams.at(-1)
    if (stream === undefined) throw new Error("no stream is open")
    return stream
  }

  async #introspect(sent: Sent): Promise<Response> {
    this.introspections.push(sent)
    if (this.isUnreachable) throw connectionError("ECONNREFUSED")
    if (this.lost > 0) {
      this.lost--
      throw connectionError("ECONNRESET")
    }
    const form = new URLSearchParams(String(sent.init.body))
    const { status, headers, body, text } = this.#respond(form.get("token") ?? "")
    if (this.isHolding) await new Promise<void>((release) => this.#held.push(release))
    // `fetch` follows a redirect unless the option says that a redirect is an error.
    if (status === 302 && sent.init.redirect === "error") throw new TypeError("unexpected redirect")
    return new Response(text ?? JSON.stringify(body), { status, headers: { ...headers } })
  }

  #open({ headers, signal }: RequestInit): Response {
    if (this.streamStatus !== null) {
      this.refusedStreams++
      return new Response(null, { status: this.streamStatus })
    }
    const lastEventId = new Headers(headers).get("last-event-id")
    const streams = this.#streams
    let stream: Stream
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          stream = { lastEventId, controller, isRead: false, isOver: false }
          streams.push(stream)
          signal?.addEventListener("abort", () => {
            if (stream.isOver) return
            stream.isOver = true
            controller.error(signal.reason)
          })
        },
        pull: () => {
          stream.isRead = true
        },
      },
      // The stream never reads ahead of the kit.
      { highWaterMark: 0 },
    )
    return new Response(body, { status: 200 })
  }
}

function connectionError(code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) })
}
