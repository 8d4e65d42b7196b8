/** A separate listener for metrics, so that the public address does not serve them. Its only path is /metrics. */
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type Metrics, METRICS_PATH } from "./metrics.ts"

export type ServedMetrics = Pick<Metrics, "text" | "contentType">

export type MetricsListener = { readonly port: number; readonly close: () => Promise<void> }

const CONNECTIONS_AT_MOST = 16
const INACTIVE_MS = 10_000
const TIMES = { requestTimeout: 5_000, headersTimeout: 5_000, connectionsCheckingInterval: 1_000 }

export async function listenForMetrics(
  metrics: ServedMetrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsListener> {
  let reading: Promise<string> | null = null
  // Concurrent requests for metrics share one text.
  const sharedText = () => (reading ??= metrics.text().finally(() => (reading = null)))
  const server = createServer(TIMES, (request, response) => {
    const { socket } = request
    // Each connection serves one request. Further bytes are ignored.
    socket.pause().on("resume", () => socket.pause())
    const path = (request.url ?? "").split("?", 1)[0]
    if (path !== METRICS_PATH) return answer(response, 404, "text/plain", "Metrics are at /metrics.\n")
    if (request.method !== "GET" && request.method !== "HEAD")
      return answer(response.setHeader("allow", "GET, HEAD"), 405, "text/plain", "Read with GET.\n")
    sharedText().then(
      (text) => answer(response, 200, metrics.contentType, text),
      () => answer(response, 500, "text/plain", "The metrics cannot be read.\n"),
    )
  })
  server.maxConnections = CONNECTIONS_AT_MOST
  server.maxRequestsPerSocket = 1
  server.timeout = INACTIVE_MS
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve))
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) }
}

function answer(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    connection: "close",
  })
  response.end(text)
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
