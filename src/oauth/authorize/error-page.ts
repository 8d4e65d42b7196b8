/** The error page of a refusal that must not go to the app. Interface AUTHZ-12, CD-7, CD-8. */
import type { ErrorKind } from "../../platform/ui/error.ts"
import type { Reason, Refusal } from "../../model/refusals/refusal.rules.ts"

const pages: { readonly [R in Reason]?: ErrorKind } = {
  clientUnknown: { kind: "appUnknown" },
  clientDisabled: { kind: "appGone" },
  documentNotAllowed: { kind: "documentNotAllowed" },
  documentUnavailable: { kind: "documentUnavailable" },
  documentBusy: { kind: "busy" },
}

export function errorPageOf(refusal: Refusal): ErrorKind {
  if (refusal.reason === "redirectUriUnregistered")
    return { kind: "returnAddressUnknown", address: refusal.address }
  return pages[refusal.reason] ?? { kind: "requestMalformed" }
}
