/** Opens a device grant: RFC 8628 §3.1 and §3.2; interface DAUTH-*. The request in the grant never changes. */
import { decided } from "../../model/change.rules.ts"
import { decideDeviceAuthorization, type DeviceAuthorizationRequest } from "./device-authorization.rules.ts"
import type { Result } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { authenticated, withAssertion } from "../clients/authenticate-client.ts"
import type { Caller } from "../clients/client-authentication.rules.ts"
import { spendAssertion } from "../clients/spent-assertion.rules.ts"
import { type DeviceAuthorization, openDeviceGrant } from "./device-codes.ts"
import type { Services } from "../../platform/services/services.ts"

/** Opens a device grant. Refuses: every reason of `decideDeviceAuthorization`. */
export function deviceAuthorize(
  services: Pick<Services, "store" | "clock" | "catalog" | "issuer" | "resources">,
  caller: Caller,
  request: DeviceAuthorizationRequest,
  address: string,
): Promise<Result<DeviceAuthorization, Refusal>> {
  const { spellingOf } = services.resources
  const load = withAssertion(caller, { client: caller.presented.clientId })
  return openDeviceGrant(services, load, address, (found, now) => {
    const known = authenticated(found.client, caller, now)
    const judged = decided(decideDeviceAuthorization(services.catalog, known, request, spellingOf))
    return known.ok ? spendAssertion(caller, found, judged) : judged
  })
}
