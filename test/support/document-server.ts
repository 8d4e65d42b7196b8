/** An https server on loopback. Its certificate is valid for names under `documents.test`. */
import { createServer, type Server } from "node:https"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { NO_OUTGOING, type OutgoingConfig } from "../../src/platform/outgoing/guarded-fetch.ts"
import { selfSigned } from "./certificate.ts"

export const DOCUMENT_HOST = "app.documents.test"

const certificate = selfSigned("documents.test", "*.documents.test", "localhost")

/** With this configuration, a host that the operator named may be on loopback. */
export const LOOPBACK_ALLOWED: OutgoingConfig = {
  allowedRanges: ["127.0.0.0/8"],
  certificates: certificate.cert,
}

/** Trusts the certificate and allows no address. */
export const ONLY_CERTIFICATE: OutgoingConfig = { ...NO_OUTGOING, certificates: certificate.cert }

export const CERTIFICATE = certificate.cert

export const toLoopback = async (): Promise<readonly string[]> => ["127.0.0.1"]

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export class DocumentServer {
  readonly #server: Server
  readonly #handlers = new Map<string, Handler>()
  /** The paths that were requested, in order. */
  readonly asked: string[] = []
  readonly headers: IncomingMessage["headers"][] = []

  private constructor(server: Server) {
    this.#server = server
  }

  static async open(): Promise<DocumentServer> {
    const server = createServer(certificate)
    const documents = new DocumentServer(server)
    server.on("request", (request, response) => documents.#answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return documents
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  url(path: string, host = DOCUMENT_HOST): string {
    return `https://${host}:${this.port}${path}`
  }

  /** Handles requests for `path` with `handler` from now on. */
  on(path: string, handler: Handler): string {
    this.#handlers.set(path, handler)
    return this.url(path)
  }

  /** Serves `value` as JSON. */
  serve(path: string, value: unknown, headers: Readonly<Record<string, string>> = {}): string {
    return this.on(path, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json", ...headers })
      response.end(typeof value === "string" ? value : JSON.stringify(value))
    })
  }

  /** Responds to `path` with a status and a page. */
  fail(path: string, status: number): string {
    return this.on(path, (_request, response) => {
      response.writeHead(status, { "content-type": "text/html" })
      response.end("<!doctype html><title>Just a moment</title>")
    })
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? ""
    this.asked.push(path)
    this.headers.push(request.headers)
    const handler = this.#handlers.get(path)
    if (handler !== undefined) return handler(request, response)
    response.writeHead(404, { "content-type": "text/plain" })
    response.end("not found")
  }
}
