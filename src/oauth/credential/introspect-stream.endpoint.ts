/**
 * GET /oauth/introspect/stream sends resource servers the ids of changed credentials, clients and accounts as
 * server-sent events (HTML standard §9.2). Resource servers then discard cached checks. The endpoint authenticates like
 * introspection. docs/resource-servers.md is the reference for clients.
 *
 * 1. After a reconnect with `Last-Event-ID`, the missed events come first. If they are no longer stored, `reset` comes
 * in their place.
 * 2. `ready` marks the start of live events.
 * 3. `credential`, `client` and `account` report changes. A comment every ten seconds keeps the connection alive.
 */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { parseClientAuthentication } from "../clients/client-authentication.rules.ts"
import type { Form } from "../../kernel/form.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { authenticateCaller, callerOf } from "../clients/authenticate-client.ts"
import type { Caller } from "../clients/client-authentication.rules.ts"
import { asResourceServer } from "./introspect.ts"
import type { Listener, FeedRow } from "../../platform/services/invalidation-feed.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import { decoders } from "../../platform/http/request.ts"
import { REQUEST_ID } from "../../platform/http/request-id.ts"
import { sendRefusal } from "../../platform/http/respond.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"

/** A reader with more unread bytes than this is disconnected. It can reconnect with its `Last-Event-ID`. */
const BEHIND_BYTES_AT_MOST = 256 * 1024

/** The `Retry-After` for an app that has too many open streams. */
const ROOM_SECONDS = 10

/** Asks readers to wait 1000 ms before they reconnect. The resource server kit has its own delay. */
const RETRY = "retry: 1000\n\n"

export const introspectStream: Endpoint = async (context, request, reply) => {
  const listening = await listenerOf(context, request)
  if (!listening.ok) {
    if (listening.error.reason === "streamsSpent") reply.header("retry-after", ROOM_SECONDS)
    return sendRefusal(context, request, reply, listening.error)
  }
  return send(context, request, reply, listening.value)
}

/** Refuses: every reason of client authentication; notAResourceServer; streamsSpent. */
async function listenerOf({ services }: HttpContext, request: HttpRequest): Promise<Result<Caller, Refusal>> {
  const presented = parseClientAuthentication(request.headers.authorization, NO_FORM, decoders)
  if (!presented.ok) return presented
  const caller = callerOf(presented.value)
  const known = await authenticateCaller(services, caller, asResourceServer)
  if (!known.ok) return known
  return services.feed.hasRoomFor(known.value.clientId) ? ok(caller) : err({ reason: "streamsSpent" })
}

function send({ services }: HttpContext, request: HttpRequest, reply: HttpReply, caller: Caller): HttpReply {
  const { raw } = reply.hijack()
  raw.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    [REQUEST_ID]: request.id,
    // Without this header, a proxy that buffers responses would delay the stream.
    "x-accel-buffering": "no",
  })
  if (request.method === "HEAD") {
    raw.end()
    return reply
  }
  raw.write(RETRY)
  const { socket } = request.raw
  const mayListen = async () => (await authenticateCaller(services, caller, asResourceServer)).ok
  const heard = { clientId: caller.presented.clientId, mayListen, ...listener(raw, socket) }
  const leave = services.feed.listen(heard, lastEventId(request))
  // The socket is watched too. While `raw` waits behind another pipelined response, it emits no "close".
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

/** Returns null if the header is missing. A malformed value counts as an id that is no longer stored. */
function lastEventId({ headers }: HttpRequest): number | null {
  const text = headers["last-event-id"]
  if (text === undefined || text === "") return null
  return typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER
}

/** A GET has no form, so only the header can authenticate. */
const NO_FORM: Form = { values: new Map(), repeated: new Set(), valuesOfRepeated: new Map() }
