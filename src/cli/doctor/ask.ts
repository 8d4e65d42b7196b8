/** Sends one request from outside. Returns the response with unmodified headers and the certificate. */
import { type IncomingMessage, request as plainRequest } from "node:http"
import { request as tlsRequest } from "node:https"
import type { PeerCertificate, TLSSocket } from "node:tls"

export type RequestOptions = {
  readonly method?: "GET" | "POST" | "OPTIONS"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Reply = {
  readonly status: number
  /** The values of each header, by its name in lower case. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: string
  /** The value is null over plain http. */
  readonly tls: { readonly protocol: string; readonly validTo: Date; readonly issuer: string } | null
  /** The service made its answer between `sentAt` and `receivedAt`, in milliseconds of the local clock. */
  readonly sentAt: number
  readonly receivedAt: number
}

/** Means that no response arrived. `code` is the error code of the network or of TLS. */
export class Unreachable extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const TIMEOUT_MS = 10_000
/** The maximum length of a response. Every response of the service is shorter than this. */
const BYTES_AT_MOST = 1_000_000

/** Sends the request. Redirects are not followed. Throws `Unreachable` if no response arrives. */
export function ask(url: URL, { method = "GET", headers = {}, body }: RequestOptions = {}): Promise<Reply> {
  const sentAt = Date.now()
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
  const options = {
    method,
    // Each request may reach another node, so each gets a new connection.
    headers: { "user-agent": "latchkey-doctor", connection: "close", ...length, ...headers },
    agent: false as const,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(unreachable(error))
    const send = url.protocol === "https:" ? tlsRequest : plainRequest
    const sent = send(url, options, (answer) => {
      const tls = tlsOf(answer)
      const parts: Buffer[] = []
      let bytes = 0
      answer.on("data", (part: Buffer) => {
        bytes += part.length
        if (bytes <= BYTES_AT_MOST) parts.push(part)
        else answer.destroy()
      })
      answer.on("error", fail)
      answer.on("close", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: headersOf(answer),
          body: Buffer.concat(parts).toString(),
          tls,
          sentAt,
          receivedAt: Date.now(),
        }),
      )
    })
    sent.on("error", fail)
    sent.end(body)
  })
}

function unreachable({ name, code = name, message }: NodeJS.ErrnoException): Unreachable {
  if (name === "AbortError" || name === "TimeoutError")
    return new Unreachable("ETIMEDOUT", `no answer within ${TIMEOUT_MS / 1000} seconds`)
  // The message of OpenSSL would only name a place in the source code of OpenSSL.
  if (code === "EPROTO")
    return new Unreachable(code, "the server there does not speak a version of TLS that this machine accepts")
  return new Unreachable(code, message || code)
}

/** Returns the value of a header, or null. Several values are joined, as in browsers. */
export function header(reply: Reply, name: string): string | null {
  return reply.headers.get(name)?.join(", ") ?? null
}

/** Parses the body. Returns null if it is not a JSON object. */
export function objectIn(reply: Reply): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(reply.body)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[i + 1] ?? ""])
  }
  return headers
}

function tlsOf({ socket }: IncomingMessage): Reply["tls"] {
  if (!("getPeerCertificate" in socket)) return null
  const secure = socket as TLSSocket
  const certificate: Partial<PeerCertificate> = secure.getPeerCertificate()
  return {
    protocol: secure.getProtocol() ?? "an unknown protocol",
    validTo: new Date(certificate.valid_to ?? Number.NaN),
    issuer: [certificate.issuer?.O, certificate.issuer?.CN].flat().filter(Boolean).join(", "),
  }
}
