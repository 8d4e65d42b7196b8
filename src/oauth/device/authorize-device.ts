/** Opens a device grant: RFC 8628 §3.1 and §3.2; interface DAUTH-*. The request in the grant never changes. */
import { decided } from "../../model/change.rules.ts"
import { decideDeviceAuthorization, type DeviceAuthorizationRequest } from "./device-authorization.rules.ts"
import { withOpenCeiling } from "../../model/clients/open-ceiling.rules.ts"
import { openCeiling } from "../../model/permissions/open-permissions.rules.ts"
import { type Result, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { authenticated, withAssertion } from "../clients/authenticate-client.ts"
import type { Caller } from "../clients/client-authentication.rules.ts"
import { spendAssertion } from "../clients/spent-assertion.rules.ts"
import { type DeviceAuthorization, openDeviceGrant } from "./device-codes.ts"
import type { Services } from "../../platform/services/services.ts"

/** Opens a device grant. Refuses: every reason of `decideDeviceAuthorization`. */
export async function deviceAuthorize(
  services: Pick<Services, "store" | "clock" | "catalog" | "issuer" | "resources" | "settings">,
  caller: Caller,
  request: DeviceAuthorizationRequest,
  address: string,
): Promise<Result<DeviceAuthorization, Refusal>> {
  const { catalog, resources } = services
  const ceiling = openCeiling(catalog, (await services.settings.current()).openPermissions)
  const load = withAssertion(caller, { client: caller.presented.clientId })
  return openDeviceGrant(services, load, address, (found, now) => {
    const known = authenticated(found.client, caller, now)
    if (!known.ok) return decided(known)
    const client = withOpenCeiling(known.value, ceiling)
    const judged = decideDeviceAuthorization(catalog, ok(client), request, resources.spellingOf)
    // The consent page and the tokens read the stored ceiling.
    const isFollowed = judged.ok && client !== known.value
    const followed = isFollowed ? ([{ change: "clientChanged", client }] as const) : []
    return spendAssertion(caller, found, decided(judged, ...followed))
  })
}
