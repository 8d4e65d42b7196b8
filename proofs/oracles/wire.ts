/** One connection that measures each response: from the last byte of the request to the first byte of the response. */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

export type Request = {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fields?: Readonly<Record<string, string>>
}

export type Timed = {
  readonly microseconds: number
  readonly status: number
  /** The response, without what changes with the time and the request. */
  readonly text: string
}

export class Wire {
  readonly #socket: Socket
  readonly #host: string

  private constructor(socket: Socket, host: string) {
    this.#socket = socket
    this.#host = host
  }

  static async open(url: string): Promise<Wire> {
    const { hostname, port, host } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, "connect")
    return new Wire(socket, host)
  }

  close(): void {
    this.#socket.destroy()
  }

  async time(request: Request): Promise<Timed> {
    const text = this.#written(request)
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = []
      let first = 0
      const begun = performance.now()
      const onData = (part: Buffer) => {
        if (parts.length === 0) first = performance.now()
        parts.push(part)
        const whole = Buffer.concat(parts).toString("latin1")
        if (!isWhole(whole)) return
        end()
        const status = Number(whole.slice(9, 12))
        resolve({
          microseconds: (first - begun) * 1000,
          status,
          text: withoutMoment(withoutEcho(whole, request)),
        })
      }
      const onClose = () => {
        end()
        reject(new Error("the connection was closed in the place of an answer"))
      }
      const end = () => {
        this.#socket.off("data", onData)
        this.#socket.off("close", onClose)
      }
      this.#socket.on("data", onData)
      this.#socket.on("close", onClose)
      this.#socket.write(text)
    })
  }

  #written({ method, path, headers = {}, fields }: Request): string {
    const body = fields === undefined ? "" : new URLSearchParams(fields).toString()
    const lines = [
      `${method} ${path} HTTP/1.1`,
      `host: ${this.#host}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(fields === undefined
        ? []
        : ["content-type: application/x-www-form-urlencoded", `content-length: ${body.length}`]),
    ]
    return `${lines.join("\r\n")}\r\n\r\n${body}`
  }
}

function isWhole(text: string): boolean {
  const head = text.indexOf("\r\n\r\n")
  if (head < 0) return false
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, head + 2))?.[1]
  return length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length >= head + 4 + Number(length)
}

/** Removes what a page repeats from the request. */
function withoutEcho(text: string, { path, fields = {} }: Request): string {
  const query = new URL(path, "http://localhost").searchParams
  let rest = text
  for (const value of [...Object.values(fields), ...query.values()])
    if (value.length > 2) rest = rest.replaceAll(value, "…")
  return rest.replace(/\r\ncontent-length: \d+/i, "")
}

/**
 * Removes what differs between any two responses: the date, the request id, the form token, and the challenge for a
 * passkey.
 */
function withoutMoment(text: string): string {
  return text
    .replace(/\r\n(date|x-request-id|set-cookie): [^\r]*/gi, "")
    .replaceAll(/Request number[^<]*<[^>]*>[^<]*/g, "")
    .replaceAll(/challenge&quot;:&quot;[A-Za-z0-9_-]+/g, "")
    .replaceAll(/value="[A-Za-z0-9_-]{20,}"/g, "")
}
