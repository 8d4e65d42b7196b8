/**
 * The yardstick: an HTTP server that reads a request of the same size and answers as many bytes under the same headers,
 * and stores nothing. What it does a second on one core is the most that this runtime can.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const answer = JSON.stringify({
  access_token: `lka_${"a".repeat(75)}`,
  refresh_token: `lkr_${"r".repeat(92)}`,
  token_type: "Bearer",
  expires_in: 3600,
  refresh_expires_in: 7776000,
  scope: "account:read account:write credentials:read",
  token_id: "t".repeat(26),
  user_id: "u".repeat(26),
  username: "user-0001",
})

const headers = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "WWW-Authenticate, Retry-After, Service-Elevation-Required",
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-length": Buffer.byteLength(answer),
}

const server = createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8")
  request.on("data", (text: string) => (body += text))
  request.on("end", () => response.writeHead(body === "" ? 400 : 200, headers).end(answer))
})

process.once("SIGTERM", () => {
  server.close()
  server.closeAllConnections()
})
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port))
