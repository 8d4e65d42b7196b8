/** The loopback address that the browser returns to (RFC 8252 §7.3): one path, one answer, then gone. */
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { STYLE_SOURCE } from "../../http/headers.ts"
import { html } from "../../kernel/html.ts"
import { renderDocument } from "../../ui/layout.ts"

export type Ending = { readonly isSignedIn: boolean; readonly text: string }

/** The browser is back and waits to be told how it went. */
export type Return = {
  readonly parameters: URLSearchParams
  readonly answer: (ending: Ending) => Promise<void>
}

export type Listener = {
  readonly redirectUri: string
  /** Rejects when `patience` ends. */
  readonly returned: Promise<Return>
  readonly close: () => void
}

/**
 * Listens on a free port of 127.0.0.1. A request without the right `state` is not the awaited one, whoever sent it:
 * it is told so and changes nothing.
 */
export async function listenForReturn(state: string, patience: AbortSignal): Promise<Listener> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const returned = new Promise<Return>((resolve, reject) => {
    patience.addEventListener("abort", () => reject(patience.reason as Error), { once: true })
    acceptReturn(server, state, resolve)
  })
  // Whoever awaits it sees the rejection; where nobody does yet, it must not end the process.
  returned.catch(() => undefined)
  return { redirectUri: `http://127.0.0.1:${port}/callback`, returned, close: () => closeNow(server) }
}

function acceptReturn(server: Server, state: string, resolve: (returned: Return) => void): void {
  let isBack = false
  server.on("request", (request, response) => {
    // Any page may send anything here, also what is no address.
    const url = URL.parse(request.url ?? "/", "http://127.0.0.1")
    if (url === null) return void response.writeHead(404).end()
    const { pathname, searchParams } = url
    if (request.method !== "GET" || pathname !== "/callback") return void response.writeHead(404).end()
    if (isBack || searchParams.get("state") !== state)
      return void show(response, 400, {
        isSignedIn: false,
        text: "This is not the sign-in that the terminal waits for.",
      })
    isBack = true
    resolve({
      parameters: searchParams,
      answer: (ending) => show(response, ending.isSignedIn ? 200 : 400, ending),
    })
  })
}

function show(response: ServerResponse, status: number, { isSignedIn, text }: Ending): Promise<void> {
  const title = isSignedIn ? "The terminal is signed in" : "The terminal is not signed in"
  const main = html`<h1>${title}</h1>
    <p class="lead">${text}</p>`
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src ${STYLE_SOURCE}; frame-ancestors 'none'; base-uri 'none'`,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  })
  return new Promise((resolve) => {
    // A browser that went away is no reason to lose the tokens.
    response.once("close", resolve)
    response.end(renderDocument({ basePath: null, title, main }))
  })
}

function closeNow(server: Server): void {
  server.close()
  server.closeAllConnections()
}
