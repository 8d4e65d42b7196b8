/** Adapter for `node:http`. */
import type { Access } from "../access.ts"
import { metadataAnswer } from "../metadata-answer.ts"
import type { Requirement } from "../requirement.ts"
import type { Incoming, Refusal, ResourceServer } from "../resource-server.ts"

/** The parts of `IncomingMessage` and `ServerResponse` that this file uses. */
export type NodeRequest = Incoming & {
  readonly url?: string | undefined
  readonly method?: string | undefined
}
export type NodeResponse = {
  readonly writeHead: (status: number, headers: Readonly<Record<string, string>>) => unknown
  readonly end: (body?: string) => unknown
}

/**
 * Returns a listener for `createServer`. It serves the metadata and checks every other request. It calls `listener` if
 * the request meets the requirements.
 */
export function protect<Req extends NodeRequest, Res extends NodeResponse>(
  api: ResourceServer,
  listener: (request: Req, response: Res, access: Access) => unknown,
  ...requirements: readonly Requirement[]
): (request: Req, response: Res) => Promise<void> {
  return async (request, response) => {
    if (serveMetadata(api, request, response)) return
    const checked = await api.verify(request, ...requirements)
    if (checked.ok) await listener(request, response, checked.access)
    else sendRefusal(response, checked.refusal)
  }
}

/** Serves the metadata if the request asks for it. Returns false for another path. */
export function serveMetadata(api: ResourceServer, request: NodeRequest, response: NodeResponse): boolean {
  if ((request.url ?? "").split("?", 1)[0] !== api.metadataPath) return false
  const { status, headers, body } = metadataAnswer(api, request.method ?? "GET")
  response.writeHead(status, headers)
  response.end(body)
  return true
}

export function sendRefusal(response: NodeResponse, { status, headers, body }: Refusal): void {
  response.writeHead(status, headers)
  response.end(JSON.stringify(body))
}
