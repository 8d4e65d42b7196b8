/**
 * GET /oauth/introspect/stream: tells resource servers which cached checks are stale, as server-sent events (HTML
 * standard §9.2). Authenticated like introspection. docs/resource-servers.md describes it for its readers.
 *
 *   1. With `Last-Event-ID`, first what was missed since; `reset` where that is not known any more.
 *   2. `ready`: from here on nothing is missed.
 *   3. `credential`, `client`, `account` as they happen; a comment every ten seconds.
 */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { parseClientAuthentication } from "../clients/client-authentication.rules.ts"
import type { Form } from "../../kernel/form.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { type Caller, caller } from "../clients/authenticate-client.ts"
import { resourceServer } from "./introspect.ts"
import type { Listener, FeedRow } from "../../services/invalidation-feed.ts"
import type { HttpReply, HttpRequest } from "../../http/connection/message.ts"
import { decodeBase64 } from "../../http/request.ts"
import { REQUEST_ID } from "../../http/request-id.ts"
import { sendRefusal } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import type { Endpoint } from "../../http/endpoint.ts"

/** A reader this far behind is disconnected. It reconnects with its `Last-Event-ID`. */
const BEHIND_BYTES_AT_MOST = 256 * 1024

/** How long an app with too many streams waits before it tries again. */
const ROOM_SECONDS = 10

/** Milliseconds that a reader waits before it reconnects. The resource server kit has its own delay. */
const RETRY = "retry: 1000\n\n"

export const introspectStream: Endpoint = async (context, request, reply) => {
  const asked = await listenerOf(context, request)
  if (!asked.ok) {
    if (asked.error.reason === "streamsSpent") reply.header("retry-after", ROOM_SECONDS)
    return sendRefusal(context, request, reply, asked.error)
  }
  return send(context, request, reply, asked.value)
}

/** Refuses: what client authentication refuses; notAResourceServer; streamsSpent. */
async function listenerOf({ services }: HttpContext, request: HttpRequest): Promise<Result<Caller, Refusal>> {
  const presented = parseClientAuthentication(request.headers.authorization, NO_FORM, decodeBase64)
  if (!presented.ok) return presented
  const who = caller(presented.value)
  const known = await resourceServer(services, who)
  if (!known.ok) return known
  return services.feed.hasRoomFor(known.value.clientId) ? ok(who) : err({ reason: "streamsSpent" })
}

function send({ services }: HttpContext, request: HttpRequest, reply: HttpReply, who: Caller): HttpReply {
  const { raw } = reply.hijack()
  raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    [REQUEST_ID]: request.id,
    // A proxy that buffers responses would never pass the stream on.
    "x-accel-buffering": "no",
  })
  if (request.method === "HEAD") {
    raw.end()
    return reply
  }
  raw.write(RETRY)
  const { socket } = request.raw
  const mayListen = async () => (await resourceServer(services, who)).ok
  const heard = { clientId: who.presented.clientId, mayListen, ...listener(raw, socket) }
  const leave = services.feed.listen(heard, lastEventId(request))
  // A pipelined response that waits for another one does not see its connection close.
  socket.once("close", leave)
  raw.once("close", () => {
    socket.off("close", leave)
    leave()
  })
  raw.on("error", leave)
  return reply
}

function listener(raw: ServerResponse, socket: Socket): Omit<Listener, "clientId" | "mayListen"> {
  const write = (text: string) => {
    raw.write(text)
    if (raw.writableLength > BEHIND_BYTES_AT_MOST) socket.destroy()
  }
  return {
    onRows: (rows) => write(rows.map(streamEvent).join("")),
    reset: (last) => write(event(last, "reset", {})),
    ready: (last) => write(event(last, "ready", {})),
    beat: () => write(":\n\n"),
    over: () => void raw.end(),
  }
}

const MEMBERS = { credential: "token_id", client: "client_id", account: "user_id" } as const

function streamEvent({ id, of, key }: FeedRow): string {
  return event(id, of, { [MEMBERS[of]]: key })
}

function event(id: number, name: string, members: object): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(members)}\n\n`
}

/** Null if the header is missing. An id of another form counts as one that is no longer kept. */
function lastEventId({ headers }: HttpRequest): number | null {
  const text = headers["last-event-id"]
  if (text === undefined || text === "") return null
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER
}

/** A GET has no form, so only the header authenticates. */
const NO_FORM: Form = { values: new Map(), repeated: new Set(), valuesOfRepeated: new Map() }
