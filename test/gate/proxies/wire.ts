/** Sends requests byte by byte as given, because a client library would correct what an attacker writes. */
import { connect as connectSecurely } from "node:http2"
import { connect } from "node:net"

export type Sent = {
  readonly method?: string
  /** The request target, exactly as it is sent. */
  readonly path?: string
  readonly host?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly token?: string
}

export type Received = {
  /** The status, or 0 if the proxy closed the connection without a response. */
  readonly status: number
  /** The values of a header, by its name in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: string
}

const PATIENCE_MILLISECONDS = 20_000

export function sendTo(port: number, sent: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true })
    const parts: Buffer[] = []
    socket.setTimeout(PATIENCE_MILLISECONDS, () => socket.destroy(new Error("no response in time")))
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET") reject(error)
    })
    socket.on("data", (part) => parts.push(part))
    socket.once("close", () => resolve(parsed(Buffer.concat(parts).toString("latin1"))))
    socket.write(textOf(sent), "latin1")
  })
}

function textOf({ method = "GET", path = "/", host = "api.example", headers = [], token }: Sent): string {
  const all = [
    ...(host === "" ? [] : [["Host", host] as const]),
    ...(token === undefined ? [] : [["Authorization", `Bearer ${token}`] as const]),
    ...headers,
    ...(headers.some(([name]) => name.toLowerCase() === "connection")
      ? []
      : [["Connection", "close"] as const]),
    ...(method === "POST" || method === "PUT" ? [["Content-Length", "0"] as const] : []),
  ]
  return `${method} ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`
}

function parsed(text: string): Received {
  const end = text.indexOf("\r\n\r\n")
  const [line = "", ...fields] = text.slice(0, end === -1 ? undefined : end).split("\r\n")
  const headers = new Map<string, string[]>()
  for (const field of fields) {
    const at = field.indexOf(":")
    const name = field.slice(0, at).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), field.slice(at + 1).trim()])
  }
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1] ?? 0),
    headers,
    body: end === -1 ? "" : text.slice(end + 4),
  }
}

/** Sends a request by HTTP/2 over TLS. A stream that the proxy resets has status 0. */
export function sendSecurely(port: number, sent: Sent): Promise<Received> {
  const { method = "GET", path = "/", host = "api.example", headers = [], token } = sent
  const { promise, resolve } = Promise.withResolvers<Received>()
  // Certificates of tests are not for this name.
  const session = connectSecurely(`https://127.0.0.1:${port}`, {
    servername: "api.example",
    rejectUnauthorized: false,
  })
  const end = (received: Partial<Received>) => {
    session.destroy()
    resolve({ status: 0, headers: new Map(), body: "", ...received })
  }
  session.once("error", () => end({}))
  const stream = session.request({
    ":method": method,
    ":path": path,
    ...(host !== "" && { ":authority": host }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...Object.fromEntries(headers),
  })
  stream.setTimeout(PATIENCE_MILLISECONDS, () => end({}))
  stream.once("error", () => end({}))
  // A reset without an error code is only a close.
  stream.once("close", () => end({}))
  session.once("close", () => end({}))
  let body = ""
  stream.setEncoding("latin1").on("data", (part: string) => (body += part))
  stream.once("response", (fields) => {
    const all = Object.entries(fields).map(
      ([name, value]) => [name, [value ?? ""].flat().map(String)] as const,
    )
    stream.once("end", () => end({ status: Number(fields[":status"]), headers: new Map(all), body }))
  })
  stream.end()
  return promise
}
