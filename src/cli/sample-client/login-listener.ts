/** Listens on the loopback redirect URI (RFC 8252 §7.3). The listener accepts one redirect and then closes. */
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { sourceOf, style } from "../../platform/ui/style/style.ts"
import { html } from "../../kernel/html.ts"
import { renderDocument } from "../../platform/ui/layout.ts"

export type SignInResult = { readonly isSignedIn: boolean; readonly text: string }

/** The redirect of a browser, which waits for a page. */
export type Redirect = {
  readonly parameters: URLSearchParams
  readonly answer: (result: SignInResult) => Promise<void>
}

export type Listener = {
  readonly redirectUri: string
  /** The redirect of the browser. The promise is rejected when `timeout` ends. */
  readonly returned: Promise<Redirect>
  readonly close: () => void
}

/** Listens on a free port of 127.0.0.1. A request with another `state` gets an error page and changes nothing. */
export async function listenForRedirect(state: string, timeout: AbortSignal): Promise<Listener> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const returned = new Promise<Redirect>((resolve, reject) => {
    timeout.addEventListener("abort", () => reject(timeout.reason as Error), { once: true })
    acceptRedirect(server, state, resolve)
  })
  // Without this handler, a rejection before the first `await` would end the process.
  returned.catch(() => undefined)
  return { redirectUri: `http://127.0.0.1:${port}/callback`, returned, close: () => closeNow(server) }
}

function acceptRedirect(server: Server, state: string, resolve: (returned: Redirect) => void): void {
  let isBack = false
  server.on("request", (request, response) => {
    // Any web page can send requests to this port, and the URL may be invalid.
    const url = URL.parse(request.url ?? "/", "http://127.0.0.1")
    if (url === null) return void response.writeHead(404).end()
    const { pathname, searchParams } = url
    if (request.method !== "GET" || pathname !== "/callback") return void response.writeHead(404).end()
    if (isBack || searchParams.get("state") !== state)
      return void show(response, 400, {
        isSignedIn: false,
        text: "The terminal is waiting for another sign-in.",
      })
    isBack = true
    resolve({
      parameters: searchParams,
      answer: (result) => show(response, result.isSignedIn ? 200 : 400, result),
    })
  })
}

function show(response: ServerResponse, status: number, { isSignedIn, text }: SignInResult): Promise<void> {
  const title = isSignedIn ? "The terminal is signed in" : "The terminal is not signed in"
  const main = html`<h1>${title}</h1>
    <p class="lead">${text}</p>`
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src ${sourceOf(style)}; frame-ancestors 'none'; base-uri 'none'`,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  })
  return new Promise((resolve) => {
    // If the browser was closed, the promise resolves too, so that the tokens are printed.
    response.once("close", resolve)
    response.end(renderDocument(null, { title, main }))
  })
}

function closeNow(server: Server): void {
  server.close()
  server.closeAllConnections()
}
