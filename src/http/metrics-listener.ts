/** A listener of its own for metrics, where no visitor of the service comes by. It knows one address. */
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type Metrics, METRICS_PATH } from "./metrics.ts"

export type MetricsListener = { readonly port: number; readonly close: () => Promise<void> }

export async function listenForMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsListener> {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const path = (request.url ?? "").split("?", 1)[0]
    if (path !== METRICS_PATH) return answer(response, 404, "text/plain", "Metrics are at /metrics.\n")
    if (request.method !== "GET" && request.method !== "HEAD")
      return answer(response.setHeader("allow", "GET, HEAD"), 405, "text/plain", "Read with GET.\n")
    metrics.text().then(
      (text) => answer(response, 200, metrics.contentType, text),
      () => answer(response, 500, "text/plain", "The metrics cannot be read.\n"),
    )
  })
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve))
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) }
}

function answer(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  })
  response.end(text)
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
