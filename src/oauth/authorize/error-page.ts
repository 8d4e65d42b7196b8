/** The error page of a refusal that must not go to the app. Interface AUTHZ-12, CD-7, CD-8. */
import type { ErrorKind } from "../../platform/ui/error.ts"
import type { Reason } from "../../model/refusals/refusal.rules.ts"

export function errorPageOf(reason: Reason): ErrorKind {
  switch (reason) {
    case "clientUnknown":
      return { kind: "appUnknown" }
    case "clientDisabled":
      return { kind: "appGone" }
    case "documentNotAllowed":
      return { kind: "documentNotAllowed" }
    case "documentUnavailable":
      return { kind: "documentUnavailable" }
    case "documentBusy":
      return { kind: "busy" }
    case "redirectUriUnregistered":
      return { kind: "returnAddressUnknown" }
    default:
      return { kind: "requestMalformed" }
  }
}
