/** One request as an outsider makes it, and everything that came back: headers as they were sent, and the certificate. */
import { type IncomingMessage, request as plainRequest } from "node:http"
import { request as tlsRequest } from "node:https"
import type { PeerCertificate, TLSSocket } from "node:tls"

export type Question = {
  readonly method?: "GET" | "POST" | "OPTIONS"
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Reply = {
  readonly status: number
  /** Every value of each header, by its name in small letters. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: string
  /** Null over plain http. */
  readonly tls: { readonly protocol: string; readonly validTo: Date; readonly issuer: string } | null
  /** Between the two moments, by the clock here, the answer was made. Milliseconds. */
  readonly sentAt: number
  readonly gotAt: number
}

/** No answer came. `code` is the network's, or TLS's. */
export class Unreachable extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const PATIENCE_MILLISECONDS = 10_000
/** No answer of the service is longer. */
const BYTES_AT_MOST = 1_000_000

/** Follows no redirect. Throws Unreachable. */
export function ask(url: URL, { method = "GET", headers = {}, body }: Question = {}): Promise<Reply> {
  const sentAt = Date.now()
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
  const options = {
    method,
    // A connection of its own each time: another node may answer each.
    headers: { "user-agent": "latchkey-doctor", connection: "close", ...length, ...headers },
    agent: false as const,
    signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
  }
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const isLate = error.name === "AbortError" || error.name === "TimeoutError"
      const said = isLate
        ? `no answer within ${PATIENCE_MILLISECONDS / 1000} seconds`
        : // OpenSSL tells at length where in its source it noticed.
          error.code === "EPROTO"
          ? "what answers there does not speak TLS as this machine does"
          : error.message
      reject(
        new Unreachable(
          isLate ? "ETIMEDOUT" : (error.code ?? error.name),
          said || (error.code ?? error.name),
        ),
      )
    }
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
          gotAt: Date.now(),
        }),
      )
    })
    sent.on("error", fail)
    sent.end(body)
  })
}

/** The only value of a header; null where there is none. Several are joined, as browsers do. */
export function header(reply: Reply, name: string): string | null {
  return reply.headers.get(name)?.join(", ") ?? null
}

/** The object that the body is; null where it is none. */
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
