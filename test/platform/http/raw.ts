/** Sends requests byte for byte that no HTTP client would send. */
import { connect, type Socket } from "node:net"

export type RawAnswer = {
  /** The value is 0 if the connection was closed without a response. */
  readonly status: number
  /** The headers of the response, with names in lower case. */
  readonly headers: Headers
  readonly body: string
}

const PATIENCE_MILLISECONDS = 10_000

export function open(url: string): Socket {
  return connect({ host: "127.0.0.1", port: Number(new URL(url).port) })
}

/**
 * Sends `lines` as the head of a request, an empty line and `body`. Reads until the other side closes the connection.
 */
export function sendRaw(url: string, lines: readonly string[], body = ""): Promise<RawAnswer> {
  const socket = open(url)
  const answer = readAll(socket)
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`)
  return answer
}

export function readAll(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    socket.setTimeout(PATIENCE_MILLISECONDS, () => socket.destroy(new Error("no answer")))
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "ECONNRESET") reject(error)
    })
    socket.on("close", () => resolve(parse(Buffer.concat(chunks).toString("utf8"))))
  })
}

const CONTINUE = /^HTTP\/1\.1 100 Continue\r\n\r\n/

function parse(received: string): RawAnswer {
  const text = received.replace(CONTINUE, "")
  const end = text.indexOf("\r\n\r\n")
  const [status = "", ...lines] = text.slice(0, Math.max(0, end)).split("\r\n")
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(":")
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return { status: Number(status.split(" ")[1] ?? 0), headers, body: text.slice(end + 4) }
}
