/** The error page of a refusal that must not go to the app. Interface AUTHZ-12, CD-7, CD-8. */
import type { ErrorKind } from "../../platform/ui/error.ts"
import type { Reason } from "../../model/refusals/refusal.rules.ts"

const pages: { readonly [R in Reason]?: ErrorKind } = {
  clientUnknown: { kind: "appUnknown" },
  clientDisabled: { kind: "appGone" },
  documentNotAllowed: { kind: "documentNotAllowed" },
  documentUnavailable: { kind: "documentUnavailable" },
  documentBusy: { kind: "busy" },
  redirectUriUnregistered: { kind: "returnAddressUnknown" },
}

export function errorPageOf(reason: Reason): ErrorKind {
  return pages[reason] ?? { kind: "requestMalformed" }
}
