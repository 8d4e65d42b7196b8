/**
 * Notes for each account, with `node:http`:
 *
 *   GET    /notes   notes:read
 *   POST   /notes   notes:write; the body is the text of the note
 *   DELETE /notes   notes:write, and an elevated credential
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import {
  requireElevation,
  requirePermission,
  type Access,
  type Requirement,
  type ResourceServer,
} from "@latchkey/resource-server"
import { sendRefusal, serveMetadata } from "@latchkey/resource-server/node"

const MAX_NOTE_LENGTH = 10_000
const TOO_LONG = { error: { code: 413, status: "INVALID_ARGUMENT", message: "The note is too long." } }

type Route = {
  readonly needs: readonly Requirement[]
  readonly answer: (notes: string[], request: IncomingMessage, access: Access) => unknown
}

const routes: Readonly<Record<string, Route>> = {
  "GET /notes": {
    needs: [requirePermission("notes:read")],
    answer: (notes, _, { username }) => ({ username, notes }),
  },
  "POST /notes": {
    needs: [requirePermission("notes:write")],
    answer: async (notes, request) => {
      const text = await textOf(request)
      if (text === null) return TOO_LONG
      notes.push(text)
      return { notes }
    },
  },
  "DELETE /notes": {
    needs: [requirePermission("notes:write"), requireElevation()],
    answer: (notes) => {
      notes.length = 0
      return { notes }
    },
  },
}

export function notesApi(api: ResourceServer): RequestListener {
  const notesOf = new Map<string, string[]>()
  return (request, response) => {
    answer(api, notesOf, request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  }
}

async function answer(
  api: ResourceServer,
  notesOf: Map<string, string[]>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (serveMetadata(api, request, response)) return
  const path = (request.url ?? "").split("?", 1)[0]
  const route = new Map(Object.entries(routes)).get(`${request.method} ${path}`)
  if (route === undefined) return sendJson(response, 404, { error: { code: 404, status: "NOT_FOUND" } })
  const checked = await api.verify(request, ...route.needs)
  if (!checked.ok) return sendRefusal(response, checked.refusal)
  const { accountId } = checked.access
  const notes = notesOf.get(accountId) ?? []
  notesOf.set(accountId, notes)
  const body = await route.answer(notes, request, checked.access)
  sendJson(response, body === TOO_LONG ? 413 : 200, body)
}

async function textOf(request: IncomingMessage): Promise<string | null> {
  let text = ""
  for await (const part of request.setEncoding("utf8")) {
    text += String(part)
    if (text.length > MAX_NOTE_LENGTH) return null
  }
  return text
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(body))
}
