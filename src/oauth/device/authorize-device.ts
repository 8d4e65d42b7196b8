/** Opens a device grant: RFC 8628 §3.1 and §3.2; interface DAUTH-*. The request in the grant never changes. */
import { decided } from "../../model/change.rules.ts"
import { decideDeviceAuthorization, type DeviceAuthorizationRequest } from "./device-authorization.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { openCeiling } from "../../model/permissions/open-permissions.rules.ts"
import { storeOpenCeiling, withCeilingOf } from "../clients/open-ceiling.ts"
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
  const settings = await services.settings.current()
  const load = withAssertion(caller, { client: caller.presented.clientId })
  let outdated: readonly Client[] = []
  const answer = await openDeviceGrant(services, load, address, (found, now) => {
    const known = authenticated(found.client, caller, now)
    const current = known.ok ? ok(withCeilingOf(settings, catalog, known.value)) : known
    outdated = known.ok && current.ok && current.value !== known.value ? [known.value] : []
    const judged = decided(decideDeviceAuthorization(catalog, current, request, resources.spellingOf))
    return known.ok ? spendAssertion(caller, found, judged) : judged
  })
  // The consent page and the tokens read the stored ceiling.
  const ceiling = () => openCeiling(catalog, settings.openPermissions)
  if (answer.ok) for (const client of outdated) await storeOpenCeiling(services, client, ceiling())
  return answer
}
