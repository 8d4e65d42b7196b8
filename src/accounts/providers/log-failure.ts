/** Writes why a sign-in through a provider failed to the log, with the id that the person's page shows too. */
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { UpstreamFailure } from "./upstream/upstream-failure.ts"

export function logFailure(
  { services }: HttpContext,
  { id }: HttpRequest,
  { name }: SignInProvider,
  { kind, detail }: UpstreamFailure,
): void {
  const facts = { request_id: id, provider: name, kind, detail }
  if (kind === "canceled") services.log.info(facts, "sign-in through a provider was canceled")
  // Strangers can cause as many of them as they like.
  else if (kind === "stale")
    services.log.info(facts, "an answer of a provider came late, again, or to a browser that did not ask")
  else services.log.warn(facts, "sign-in through a provider failed")
}
