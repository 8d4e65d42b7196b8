/** The app whose authorization request waits for a sign-in. */
import { appView } from "../../accounts/sign-in/app-view.ts"
import { parseQuery } from "../../kernel/form.ts"
import type { FindWaitingApp } from "../../platform/http/http-context.ts"
import { authorize } from "./authorize.ts"

const PATH = "/oauth/authorize?"

export const findWaitingApp: FindWaitingApp = async (services, next) => {
  if (!next.startsWith(PATH)) return null
  const authorization = await authorize(services, parseQuery(next.slice(PATH.length)), { cause: "visitor" })
  return authorization.outcome === "ask" ? appView(authorization.client) : null
}
