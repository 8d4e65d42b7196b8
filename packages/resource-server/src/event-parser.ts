/** Server-sent events, as far as the service sends them. HTML standard §9.2.6. */
export type StreamEvent = { readonly id: string | null; readonly event: string; readonly data: string }

/** An event of the service is a few dozen characters; a longer line is an error. */
const LINE_LENGTH_AT_MOST = 4096

/** Takes the text of a stream piece by piece and gives the events that are complete. */
export class EventParser {
  #rest = ""
  #id: string | null = null
  #event = ""
  #data: string[] = []

  /** Throws where a line has no end. */
  take(text: string): readonly StreamEvent[] {
    const lines = (this.#rest + text).split("\n")
    this.#rest = lines.pop() ?? ""
    if (this.#rest.length > LINE_LENGTH_AT_MOST) throw new Error("the stream has a line without an end")
    return lines.flatMap((line) => this.#line(line.endsWith("\r") ? line.slice(0, -1) : line) ?? [])
  }

  #line(line: string): StreamEvent | null {
    if (line === "") return this.#complete()
    const colon = line.indexOf(":")
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
    if (name === "id") this.#id = value
    else if (name === "event") this.#event = value
    else if (name === "data") this.#data.push(value)
    return null
  }

  #complete(): StreamEvent | null {
    const event = { id: this.#id, event: this.#event, data: this.#data.join("\n") }
    this.#id = null
    this.#event = ""
    this.#data = []
    return event.event === "" ? null : event
  }
}
