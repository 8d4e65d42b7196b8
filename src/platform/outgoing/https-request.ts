/** Sends one request over a new connection to checked addresses. */
import { isIP, type LookupFunction, type TcpSocketConnectOpts } from "node:net"
import type { IncomingMessage } from "node:http"
import type { ConnectionOptions, SecureContext } from "node:tls"
import { type Result, err, ok } from "../../kernel/result.ts"
import { version } from "../../kernel/process/version.ts"
import { cacheLifetime } from "./cache-lifetime.rules.ts"
import {
  connectionFailure,
  fetchFailure,
  type FetchFailure,
  isJsonType,
  statusFailure,
  typeFailure,
} from "./fetch-failure.rules.ts"
import type { HttpsUrl } from "../../kernel/https-url.ts"

export type Answer = {
  readonly status: number
  readonly contentType: string
  readonly text: string
  /** The seconds for which the response may be reused, or null if its headers do not say. */
  readonly cacheSeconds: number | null
}

type RequestOptions = {
  readonly url: HttpsUrl
  /** Headers in addition to those of every request. They replace headers of the same name. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body of a POST. Without it, the request is a GET. */
  readonly body?: string
  /** Whether an answer with an error status is an answer too, because its JSON says what is wrong. */
  readonly takesErrors?: boolean
  readonly addresses: readonly string[]
  readonly bytesAtMost: number
  /** Without this context, Node's certificate authorities apply. */
  readonly secureContext: SecureContext | undefined
  readonly signal: AbortSignal
}

const HEADER_BYTES_AT_MOST = 8 * 1024

/** Sends the request. Succeeds only with a complete response of uncompressed JSON, and usually only with status 200. */
export function httpsRequest(options: RequestOptions): Promise<Result<Answer, FetchFailure>> {
  const { promise, resolve } = Promise.withResolvers<Result<Answer, FetchFailure>>()
  const { host, port, path } = options.url
  const { body } = options
  // The module takes memory and time. Most services send no requests, so it is loaded with the first one.
  const { request: startRequest } = process.getBuiltinModule("node:https")
  const request = startRequest({
    host,
    port,
    path,
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": `Latchkey/${version}`,
      ...options.headers,
      ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
    },
    // Without an agent, no connection is reused. A proxy from the environment does not apply either.
    createConnection: () => connectTo(options),
    maxHeaderSize: HEADER_BYTES_AT_MOST,
    insecureHTTPParser: false,
    signal: options.signal,
  })
  const end = (result: Result<Answer, FetchFailure>) => {
    resolve(result)
    request.destroy()
  }
  const fail = (problem: unknown) => end(err(failureOf(problem, options.signal)))
  request.on("error", fail)
  request.on("information", () => end(err(fetchFailure("malformed"))))
  request.on("upgrade", () => end(err(fetchFailure("malformed"))))
  request.on("response", (response) => {
    const refused = headFailure(response, options)
    if (refused !== null) return end(err(refused))
    readBody(response, options.bytesAtMost).then(end, fail)
  })
  request.end(body)
  return promise
}

function failureOf(problem: unknown, signal: AbortSignal): FetchFailure {
  return signal.aborted
    ? fetchFailure("deadlinePassed")
    : connectionFailure((problem as NodeJS.ErrnoException).code)
}

function connectTo({ url, addresses, secureContext }: RequestOptions) {
  const options: ConnectionOptions & TcpSocketConnectOpts = {
    host: url.host,
    port: url.port,
    servername: url.host,
    lookup: pinnedLookup(addresses),
    // If the network has no route for one address family, the other addresses are tried.
    autoSelectFamily: true,
    // Certificates are checked even if the environment disables the check.
    rejectUnauthorized: true,
    ...(secureContext !== undefined && { secureContext }),
    ALPNProtocols: ["http/1.1"],
  }
  return process.getBuiltinModule("node:tls").connect(options)
}

function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, done) => {
    if (all === true) done(null, found)
    else done(null, found[0]?.address ?? "", found[0]?.family)
  }
}

function headFailure(
  { statusCode = 0, headers }: IncomingMessage,
  { bytesAtMost, takesErrors = false }: RequestOptions,
): FetchFailure | null {
  const isError = statusCode >= 400 && statusCode < 500 && isJsonType(headers["content-type"])
  const refused = takesErrors && isError ? null : statusFailure(statusCode)
  if (refused !== null) return refused
  if (!isJsonType(headers["content-type"])) return typeFailure(headers["content-type"])
  if ((headers["content-encoding"] ?? "identity") !== "identity") return fetchFailure("encoded")
  return Number(headers["content-length"] ?? 0) > bytesAtMost ? fetchFailure("tooLong") : null
}

async function readBody(
  response: IncomingMessage,
  bytesAtMost: number,
): Promise<Result<Answer, FetchFailure>> {
  // The body is collected in one buffer. A list of one-byte pieces would take far more memory.
  const body = Buffer.alloc(bytesAtMost)
  let length = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    if (length + piece.length > bytesAtMost) return err(fetchFailure("tooLong"))
    length += piece.copy(body, length)
  }
  const text = utf8(body.subarray(0, length))
  if (text === null) return err(fetchFailure("notJson"))
  const { "cache-control": cacheControl, age } = response.headers
  const { statusCode: status = 0 } = response
  const contentType = response.headers["content-type"] ?? ""
  return ok({ status, contentType, text, cacheSeconds: cacheLifetime(cacheControl, age) })
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
