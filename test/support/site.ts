/** Another site on loopback, which belongs to an app or to an attacker. */
import { createServer, type RequestListener } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo } from "node:net"
import { selfSigned } from "./certificate.ts"
import type { Span } from "./spawn.ts"

/** What a path answers: a page, or a redirect. Any other path shows "Arrived". */
export type SitePages = Readonly<
  Record<string, string | { readonly status: 302 | 307; readonly location: string }>
>

/** Serves `pages` until `span` ends. Returns the port. With `host`, the site uses https with its own certificate. */
export async function openSite(span: Span, pages: SitePages = {}, host?: string): Promise<number> {
  const answer: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site.example")
    const body = pages[pathname] ?? "<title>Arrived</title><h1>Arrived</h1>"
    if (typeof body !== "string")
      return void response.writeHead(body.status, { location: body.location }).end()
    response.setHeader("content-type", "text/html; charset=utf-8").end(`<!doctype html>${body}`)
  }
  const server = host === undefined ? createServer(answer) : createSecureServer(selfSigned(host), answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  span.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}
