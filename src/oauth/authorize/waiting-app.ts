/** The app whose authorization request waits for a sign-in. */
import { appView } from "../../accounts/sign-in/app-view.ts"
import { forgetWaiting } from "../../accounts/sign-in/waiting-cookie.ts"
import { parseQuery } from "../../kernel/form.ts"
import type { WaitingApps } from "../../platform/http/http-context.ts"
import type { Services } from "../../platform/services/services.ts"
import { sendRefused } from "./authorize.endpoint.ts"
import { authorize } from "./authorize.ts"

const PATH = "/oauth/authorize?"

export const waitingApps: WaitingApps = {
  find: async (services, next) => {
    const waiting = await waitingAt(services, next)
    return waiting && appView(waiting.client)
  },
  deny: async (context, reply, next) => {
    const waiting = await waitingAt(context.services, next)
    if (waiting === null) return null
    const { client, request, query } = waiting
    forgetWaiting(context, reply)
    const refused = { ...request, client, refusal: { reason: "accessDenied" } } as const
    return sendRefused(context, reply.request, reply, refused, query)
  },
}

async function waitingAt(services: Services, next: string | null) {
  if (next?.startsWith(PATH) !== true) return null
  const query = parseQuery(next.slice(PATH.length))
  const authorization = await authorize(services, query, { cause: "visitor" })
  return authorization.outcome === "ask" ? { ...authorization, query } : null
}
