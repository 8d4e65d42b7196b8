/** Another site on loopback: that of an app, or of an attacker. */
import { createServer, type RequestListener } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo } from "node:net"
import { selfSigned } from "./certificate.ts"
import type { Span } from "./spawn.ts"

/** Pages by their path; anything else is "Arrived". */
export type SitePages = Readonly<Record<string, string>>

/** Serves `pages` until `span` ends, and answers the port. With `host` it is an https site with its own certificate. */
export async function openSite(span: Span, pages: SitePages = {}, host?: string): Promise<number> {
  const answer: RequestListener = (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site.example")
    const body = pages[pathname] ?? "<title>Arrived</title><h1>Arrived</h1>"
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
