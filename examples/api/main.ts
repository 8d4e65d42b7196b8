/** Starts the notes API: see README.md. */
import { createServer } from "node:http"
import { createResourceServer } from "@latchkey/resource-server"
import { notesApi } from "./notes-api.ts"

const port = Number(process.env["PORT"] ?? 8789)

const api = createResourceServer({
  issuer: process.env["LATCHKEY_ISSUER"] ?? "http://localhost:8787",
  clientId: required("LATCHKEY_CLIENT_ID"),
  clientSecret: required("LATCHKEY_CLIENT_SECRET"),
  resource: `http://localhost:${port}`,
  requireAudience: true,
  permissions: ["notes:read", "notes:write"],
  resourceName: "Notes",
  onTrouble: ({ of, cause }) => console.error(`${of}: ${String(cause)}`),
})
const server = createServer(notesApi(api))
server.listen(port, "127.0.0.1", () => console.log(`Notes at http://localhost:${port}/notes`))

process.once("SIGTERM", end)
process.once("SIGINT", end)

function end(): void {
  api.close()
  server.close()
}

function required(name: string): string {
  const value = process.env[name]
  if (value !== undefined && value !== "") return value
  console.error(`${name} is not set. README.md explains where it comes from.`)
  process.exit(1)
}
