/** One API on every framework that the kit supports. */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { getRequestListener } from "@hono/node-server"
import express from "express"
import Fastify, { type FastifyReply } from "fastify"
import { Hono } from "hono"
import * as forExpress from "../../packages/resource-server/src/adapter/express.ts"
import * as forFastify from "../../packages/resource-server/src/adapter/fastify.ts"
import * as forFetch from "../../packages/resource-server/src/adapter/fetch.ts"
import * as forHono from "../../packages/resource-server/src/adapter/hono.ts"
import * as forNode from "../../packages/resource-server/src/adapter/node.ts"
import {
  type Access,
  requireElevation,
  requirePermission,
  type ResourceServer,
} from "../../packages/resource-server/src/resource-server.ts"

/** GET needs `files:read`. POST needs `files:write` and `account:write`. DELETE needs `files:read` and an elevation. */
const reading = [requirePermission("files:read")]
const writing = [requirePermission("files:write", "account:write")]
const deleting = [requirePermission("files:read"), requireElevation()]
const needsOf = new Map([
  ["GET", reading],
  ["POST", writing],
  ["DELETE", deleting],
])

/** Every framework returns this body if it accepts a request. */
const accessBody = ({ username, tokenId, permissions }: Access) => ({ username, tokenId, permissions })

export type Served = { readonly url: string; readonly close: () => Promise<void> }

export const adapters: Readonly<Record<string, (api: ResourceServer) => Promise<Served>>> = {
  "node:http": (api) => {
    const guards = new Map(
      [...needsOf].map(([method, needs]) => [
        method,
        forNode.protect(
          api,
          (_request, response, access) => {
            response.writeHead(200, { "content-type": "application/json" })
            response.end(JSON.stringify(accessBody(access)))
          },
          ...needs,
        ),
      ]),
    )
    const otherwise = forNode.protect(api, (_request, response) => response.writeHead(405, {}))
    return served(
      createServer(
        (request, response) => void (guards.get(request.method ?? "") ?? otherwise)(request, response),
      ),
    )
  },

  Express: (api) => {
    const app = express()
    app.use(forExpress.metadata(api))
    const answer: express.RequestHandler = (request, response) =>
      void response.json(accessBody(forExpress.accessOf(request)))
    app.get("/notes", forExpress.protect(api, ...reading), answer)
    app.post("/notes", forExpress.protect(api, ...writing), answer)
    app.delete("/notes", forExpress.protect(api, ...deleting), answer)
    return served(createServer(app))
  },

  Fastify: async (api) => {
    const app = Fastify()
    await app.register(forFastify.metadata, { api })
    const answer = (request: object, reply: FastifyReply) =>
      reply.send(accessBody(forFastify.accessOf(request)))
    app.get("/notes", { onRequest: forFastify.protect(api, ...reading) }, answer)
    app.post("/notes", { onRequest: forFastify.protect(api, ...writing) }, answer)
    app.delete("/notes", { onRequest: forFastify.protect(api, ...deleting) }, answer)
    const url = await app.listen({ host: "127.0.0.1", port: 0 })
    return { url, close: () => app.close() }
  },

  Hono: (api) => {
    const app = new Hono()
    app.use(forHono.metadata(api))
    app.get("/notes", forHono.protect(api, ...reading), (c) => c.json(accessBody(forHono.accessOf(c))))
    app.post("/notes", forHono.protect(api, ...writing), (c) => c.json(accessBody(forHono.accessOf(c))))
    app.delete("/notes", forHono.protect(api, ...deleting), (c) => c.json(accessBody(forHono.accessOf(c))))
    return servedByFetch((request) => app.fetch(request))
  },

  fetch: (api) => {
    const guards = new Map(
      [...needsOf].map(([method, needs]) => [
        method,
        forFetch.protect(api, (_, access) => Response.json(accessBody(access)), ...needs),
      ]),
    )
    const otherwise = forFetch.protect(api, () => new Response(null, { status: 405 }))
    return servedByFetch((request) => (guards.get(request.method) ?? otherwise)(request))
  },
}

function servedByFetch(answer: (request: Request) => Response | Promise<Response>): Promise<Served> {
  const listener = getRequestListener(answer)
  return served(createServer((request, response) => void listener(request, response)))
}

async function served(server: Server): Promise<Served> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
