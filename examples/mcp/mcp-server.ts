/**
 * An MCP server over streamable HTTP, protected with @latchkey/resource-server. It keeps no sessions. Each request has
 * an access token, which is checked.
 *
 *   list_notes   notes:read
 *   add_note     notes:write
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import {
  requirePermission,
  type Access,
  type Checked,
  type Requirement,
  type ResourceServer,
} from "@latchkey/resource-server"
import { sendRefusal, serveMetadata } from "@latchkey/resource-server/node"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"

const MAX_BODY_BYTES = 100_000

/** The permission that each tool needs. */
const needs: ReadonlyMap<string, Requirement> = new Map([
  ["list_notes", requirePermission("notes:read")],
  ["add_note", requirePermission("notes:write")],
])

const tools = [
  { name: "list_notes", description: "Lists your notes", inputSchema: { type: "object" as const } },
  {
    name: "add_note",
    description: "Adds a note",
    inputSchema: {
      type: "object" as const,
      properties: { text: { type: "string" as const } },
      required: ["text"],
    },
  },
]

export function mcpServer(api: ResourceServer): RequestListener {
  const notesOf = new Map<string, string[]>()
  const path = new URL(api.metadata.resource).pathname
  return (request, response) => {
    answer(api, path, notesOf, request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  }
}

async function answer(
  api: ResourceServer,
  path: string,
  notesOf: Map<string, string[]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (serveMetadata(api, request, response)) return
  if ((request.url ?? "").split("?", 1)[0] !== path) return end(response, 404)
  if (!hasOwnOrigin(api, request)) return end(response, 403)
  // The caller is identified first. The body is read after that.
  const known = await identify(api, request)
  if (!known.ok) return sendRefusal(response, known.refusal)
  // Without sessions, the server sends nothing between calls.
  if (request.method !== "POST") return end(response, 405, { allow: "POST" })
  const message = await jsonOf(request)
  if (message === undefined) return end(response, 400)
  const checked = await api.verify(request, ...neededBy(message))
  if (!checked.ok) return sendRefusal(response, checked.refusal)
  const notes = notesOf.get(checked.access.accountId) ?? []
  notesOf.set(checked.access.accountId, notes)
  await converse(checked.access, notes, request, response, message)
}

/**
 * Returns false for a request from a web page of another site, even if the site's name resolves to this address (DNS
 * rebinding). Clients other than browsers send no Origin.
 */
function hasOwnOrigin(api: ResourceServer, { headers }: IncomingMessage): boolean {
  return headers.origin === undefined || headers.origin === new URL(api.metadata.resource).origin
}

/**
 * Identifies the caller. A 401 lists the permissions of all tools, so that a client registers for them and its user
 * consents once.
 */
async function identify(api: ResourceServer, request: IncomingMessage): Promise<Checked> {
  const known = await api.verify(request)
  return known.ok ? known : api.verify(request, ...needs.values())
}

async function converse(
  access: Access,
  notes: string[],
  request: IncomingMessage,
  response: ServerResponse,
  message: unknown,
): Promise<void> {
  const server = toolServer(access, notes)
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.once("close", () => void server.close())
  await server.connect(transport as Parameters<typeof server.connect>[0])
  await transport.handleRequest(request, response, message)
}

function toolServer({ username }: Access, notes: string[]): Server {
  const server = new Server({ name: "notes", version: "1.0.0" }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (params.name === "add_note") notes.push(String(params.arguments?.["text"] ?? ""))
    else if (params.name !== "list_notes") throw new Error(`there is no tool ${params.name}`)
    return { content: [{ type: "text", text: JSON.stringify({ username, notes }) }] }
  })
  return server
}

/** Returns the requirements of a message or a batch. A tool without a row needs the permissions of all tools. */
function neededBy(message: unknown): readonly Requirement[] {
  return [message].flat().flatMap((one) => {
    const { method, params } = (one ?? {}) as { method?: unknown; params?: { name?: unknown } }
    return method === "tools/call" ? (needs.get(String(params?.name)) ?? [...needs.values()]) : []
  })
}

/** Parses the body. Returns undefined if it is not JSON or is too long. */
async function jsonOf(request: IncomingMessage): Promise<unknown> {
  let text = ""
  for await (const part of request.setEncoding("utf8")) {
    text += String(part)
    if (text.length > MAX_BODY_BYTES) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers)
  response.end()
}
