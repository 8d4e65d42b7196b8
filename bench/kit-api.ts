/**
 * An API that only checks the token of each request:
 *
 *   node bench/kit-api.ts '{"mode":"kit"|"introspection"|"none","issuer":…,"clientId":…,"clientSecret":…}'
 *
 * Prints its port.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { sendRefusal } from "../packages/resource-server/src/adapter/node.ts"
import { createResourceServer, requirePermission } from "../packages/resource-server/src/resource-server.ts"
import { NEEDED } from "./kit-seed.ts"

export type ApiOptions = {
  readonly mode: "kit" | "introspection" | "none"
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

const { mode, ...identity } = JSON.parse(process.argv[2] ?? "{}") as ApiOptions
const api = createResourceServer({
  ...identity,
  resource: "https://api.example",
  stream: mode === "kit",
  onTrouble: ({ of, status, cause }) => console.error(of, status, cause),
})
const needed = requirePermission(NEEDED)
const headers = { "content-type": "application/json" }

const server = createServer((request, response) => {
  if (mode === "none") return void response.writeHead(200, headers).end('{"username":"none"}')
  void api.verify(request, needed).then((checked) => {
    if (checked.ok)
      response.writeHead(200, headers).end(JSON.stringify({ username: checked.access.username }))
    else sendRefusal(response, checked.refusal)
  })
})
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port))

process.once("SIGTERM", () => {
  api.close()
  server.close()
  server.closeAllConnections()
})
