/** Adapter for runtimes with the Fetch API, such as Deno, Bun and workers, and for their frameworks. */
import type { Access } from "../access.ts"
import { metadataAnswer } from "../metadata-answer.ts"
import type { Requirement } from "../requirement.ts"
import type { Refusal, ResourceServer } from "../resource-server.ts"

/** Serves the metadata and checks every other request. Calls `answer` if a request meets the requirements. */
export function protect<More extends readonly unknown[]>(
  api: ResourceServer,
  answer: (request: Request, access: Access, ...more: More) => Response | Promise<Response>,
  ...requirements: readonly Requirement[]
): (request: Request, ...more: More) => Promise<Response> {
  return async (request, ...more) => {
    const document = metadataResponse(api, request)
    if (document !== null) return document
    const checked = await api.verify(request, ...requirements)
    return checked.ok ? answer(request, checked.access, ...more) : refusalResponse(checked.refusal)
  }
}

/** Returns the response to a request for the metadata. Returns null for another path. */
export function metadataResponse(api: ResourceServer, { url, method }: Request): Response | null {
  if (new URL(url).pathname !== api.metadataPath) return null
  const { status, headers, body } = metadataAnswer(api, method)
  return new Response(body === "" ? null : body, { status, headers })
}

export function refusalResponse({ status, headers, body }: Refusal): Response {
  return new Response(JSON.stringify(body), { status, headers })
}
