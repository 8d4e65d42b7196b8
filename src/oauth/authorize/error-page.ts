/** The error page of a refusal that must not go to the app. Interface AUTHZ-12, CD-7, CD-8. */
import type { ErrorKind, MalformedParameter } from "../../platform/ui/error.ts"
import type { Reason, Refusal } from "../../model/refusals/refusal.rules.ts"

const pages: { readonly [R in Reason]?: ErrorKind } = {
  clientUnknown: { kind: "appUnknown" },
  clientDisabled: { kind: "appGone" },
  documentNotAllowed: { kind: "documentNotAllowed" },
  documentUnavailable: { kind: "documentUnavailable" },
  documentBusy: { kind: "busy" },
}

const problems: { readonly [R in Reason]?: MalformedParameter["problem"] } = {
  parameterMissing: "missing",
  parameterRepeated: "repeated",
  parameterMalformed: "malformed",
}

export function errorPageOf(refusal: Refusal): ErrorKind {
  if (refusal.reason === "redirectUriUnregistered")
    return { kind: "returnAddressUnknown", address: refusal.address }
  // Before the redirect URI is known, only `client_id` and `redirect_uri` are read.
  const problem = problems[refusal.reason]
  if (problem !== undefined && "parameter" in refusal)
    return { kind: "requestMalformed", problem: { parameter: refusal.parameter, problem } }
  return pages[refusal.reason] ?? { kind: "requestMalformed" }
}
