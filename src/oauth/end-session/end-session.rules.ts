/** Decides on a request of an app to sign a person out. OpenID Connect RP-Initiated Logout §2, §3; interface OIDC-13…15. */
import type { FormRefusal, Query } from "../../kernel/form.ts"
import type { MatchedRedirectUri, UserId } from "../../kernel/ids.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { IdTokenHint } from "../openid/claims.rules.ts"
import { withParameters } from "../clients/redirect-uri.rules.ts"

const PARAMETERS = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"] as const

export type EndSession = { readonly [P in (typeof PARAMETERS)[number]]?: string | undefined }

type Refused =
  | FormRefusal
  | { readonly reason: "parameterMalformed"; readonly parameter: string }
  | { readonly reason: "hintConflict" }

/** Other parameters are ignored. Refuses: parameterRepeated, parameterMalformed. */
export function parseEndSession({ form, malformed }: Query): Result<EndSession, Refused> {
  for (const parameter of PARAMETERS) {
    if (form.repeated.has(parameter)) return err({ reason: "parameterRepeated", parameter })
    if (malformed.has(parameter)) return err({ reason: "parameterMalformed", parameter })
  }
  return ok(Object.fromEntries(PARAMETERS.map((name) => [name, form.values.get(name)])))
}

export type Facts = {
  /** The session of the browser. */
  readonly session: { readonly userId: UserId; readonly sid: string } | null
  /** What the hint says. Null if it is not an id_token of this service. Undefined without a hint. */
  readonly hint: IdTokenHint | null | undefined
  /** The app that the hint names or, without a hint, `client_id`. */
  readonly client: Client | null
  /** Whether the person confirmed it on the page. */
  readonly isConfirmed: boolean
}

export type Step =
  | { readonly step: "refuse"; readonly refusal: Refused }
  /** The page that asks. `address` is where the browser goes from there. */
  | { readonly step: "ask"; readonly client: Client | null; readonly address: string | null }
  | { readonly step: "end"; readonly address: string | null }

/**
 * Signs out without a question only if the hint names the session itself. A hint or the person's answer leads to an address
 * of the app. `client_id` alone does not, because anyone can write it into a link.
 */
export function endSessionStep(asked: EndSession, { session, hint, client, isConfirmed }: Facts): Step {
  const { client_id: clientId } = asked
  if (hint && clientId !== undefined && clientId !== hint.clientId)
    return { step: "refuse", refusal: { reason: "hintConflict" } }
  const known = hint !== null && client?.enabled === true ? client : null
  const address = addressOf(asked, known)
  const isProven = session !== null && hint?.userId === session.userId && hint.sid === session.sid
  if (session !== null && !isProven && !isConfirmed) return { step: "ask", client: known, address }
  return { step: "end", address: hint || isConfirmed ? address : null }
}

/** Returns the registered address with `state`. Returns null for an address that is not registered. */
function addressOf(
  { post_logout_redirect_uri: uri, state }: EndSession,
  client: Client | null,
): string | null {
  if (uri === undefined || client?.postLogoutRedirectUris.includes(uri) !== true) return null
  return state === undefined ? uri : withParameters(uri as MatchedRedirectUri, [["state", state]])
}
