/**
 * The HTTP server of the gate. A question of a proxy takes these steps:
 *
 * address → caller → headers of the family → host → path → route → token → answer
 *
 * No question has a body. A connection that sends one is closed after the answer.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { peerAddress } from "../platform/http/connection/client-address.ts"
import { type GateAnswer, headerMissing, NO_FAMILY, NOT_TRUSTED, UNCHECKED } from "./answer.rules.ts"
import type { CallerProblem, Callers } from "./caller.ts"
import { type ConnectionLimits, type ConnectionProblem, Connections, LIMITS } from "./connections.ts"
import { type Family, familyOf, readAsked } from "./families.rules.ts"
import type { Decided, Guard } from "./guard.ts"
import type { Published } from "./published.ts"
import type { GateRoute } from "./routes/route.rules.ts"

/** A question and its answer, for metrics and the log. */
export type Answered = {
  readonly family: Family
  readonly answer: GateAnswer
  /** The name of the host in the file, or null for any other host. */
  readonly host: string | null
  readonly route: GateRoute | null
  /** In milliseconds. */
  readonly took: number
}

/** `noFamily`: a trusted caller used an address that belongs to no family of proxies. */
export type RefusedReason = CallerProblem | ConnectionProblem | "noFamily"
/** A caller that was refused before its question was read. */
export type RefusedCaller = { readonly reason: RefusedReason; readonly address: string }

export type GateServerOptions = {
  readonly callers: Callers
  readonly guard: Guard
  readonly published: Published
  readonly answered: (answered: Answered) => void
  readonly refused: (refused: RefusedCaller) => void
  readonly failed: (error: unknown) => void
  readonly monotonic: () => number
  readonly limits?: ConnectionLimits
}

export class GateServer {
  readonly #options: GateServerOptions
  readonly #connections: Connections

  constructor(options: GateServerOptions) {
    this.#options = options
    this.#connections = new Connections({
      take: (request, response) => this.#take(request, response),
      isStranger: (socket) => options.callers.isStranger(socket),
      refused: (reason, address) => options.refused({ reason, address }),
      limits: options.limits ?? LIMITS,
    })
  }

  listen(host: string, port: number): Promise<number> {
    return this.#connections.listen(host, port)
  }

  /** Lets requests in progress finish for up to `milliseconds`. */
  close(milliseconds: number): Promise<void> {
    return this.#connections.close(milliseconds)
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url ?? ""
    const family = familyOf(url)
    if (family === undefined) return this.#publish(request, response, url)
    const problem = this.#options.callers.problemOf(request)
    if (problem !== null) return this.#refuse(request, response, problem, NOT_TRUSTED)
    this.#connections.prove(request.socket)
    if (family === null) return this.#refuse(request, response, "noFamily", NO_FAMILY)
    const startedAt = this.#options.monotonic()
    const end = ({ answer, host, route }: Decided) => {
      this.#send(response, answer, hasBody(request))
      this.#options.answered({ family, answer, host, route, took: this.#options.monotonic() - startedAt })
    }
    const fail = (error: unknown) => {
      this.#options.failed(error)
      if (!response.headersSent) end({ answer: UNCHECKED, host: null, route: null })
    }
    try {
      const decided = this.#decide(family, request, url)
      // An answer that HTTP cannot carry fails while it is sent.
      if (decided instanceof Promise) decided.then(end).catch(fail)
      else end(decided)
    } catch (error) {
      fail(error)
    }
  }

  #refuse(
    request: IncomingMessage,
    response: ServerResponse,
    reason: RefusedReason,
    answer: GateAnswer,
  ): void {
    this.#options.refused({ reason, address: peerAddress(request) })
    this.#send(response, answer, true)
  }

  #decide(family: Family, request: IncomingMessage, url: string): Decided | Promise<Decided> {
    const { rawHeaders, method = "" } = request
    const asked = readAsked(family, { method, url, rawHeaders })
    if ("missing" in asked) return { answer: headerMissing(asked.missing), host: null, route: null }
    return this.#options.guard.decide(asked, request)
  }

  #publish(request: IncomingMessage, response: ServerResponse, url: string): void {
    const path = url.split("?", 1)[0] ?? ""
    const answer = this.#options.published(request.method ?? "", path, request.headers.host ?? "")
    // An address that is not trusted gets one answer on a connection.
    const closes = hasBody(request) || !this.#options.callers.isAtTrustedAddress(request.socket)
    this.#send(response, { ...answer, headers: Object.entries(answer.headers).flat() }, closes)
  }

  #send(
    response: ServerResponse,
    { status, headers, body }: { status: number; headers: readonly string[]; body: string },
    closes: boolean,
  ): void {
    const all = [...headers, "Content-Length", String(Buffer.byteLength(body))]
    if (closes || this.#connections.isClosing) all.push("Connection", "close")
    response.writeHead(status, all)
    response.end(body)
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"]
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0")
}
