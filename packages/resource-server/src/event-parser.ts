/** Parses the part of server-sent events that the service uses. HTML standard §9.2.6. */
export type StreamEvent = { readonly id: string | null; readonly event: string; readonly data: string }

/** Longer lines are invalid. Events of the service have only a few dozen characters. */
const MAX_LINE_LENGTH = 4096

/** Parses a stream piece by piece. */
export class EventParser {
  #rest = ""
  #id: string | null = null
  #event = ""
  #data: string[] = []

  /** Adds a piece of the stream and returns the events that it completes. Throws if a line is too long. */
  take(text: string): readonly StreamEvent[] {
    const lines = (this.#rest + text).split("\n")
    this.#rest = lines.pop() ?? ""
    if (this.#rest.length > MAX_LINE_LENGTH) throw new Error("a line of the stream is too long")
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
