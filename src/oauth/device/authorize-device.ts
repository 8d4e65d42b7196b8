/**
 * A device asks for a device code: RFC 8628 §3.1 and §3.2; interface DAUTH-*. The grant stores what it asks for, and no
 * link or form can change it later.
 */
import { decided } from "../../records/change.rules.ts"
import { askedByDevice, type DeviceAuthorizationRequest } from "./device-authorization.rules.ts"
import { type Result, ok } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { authenticated, type Caller } from "../clients/authenticate-client.ts"
import { type DeviceAuthorization, openDeviceGrant } from "./device-codes.ts"
import type { Services } from "../../services/services.ts"

/** Refuses: what client authentication refuses; scopeUnknown, scopeOverCeiling, scopeEmpty. */
export function deviceAuthorize(
  services: Pick<Services, "store" | "clock" | "catalogue" | "issuer">,
  caller: Caller,
  request: DeviceAuthorizationRequest,
  address: string,
): Promise<Result<DeviceAuthorization, Refusal>> {
  return openDeviceGrant(services, { client: caller.presented.clientId }, address, ({ client }, now) => {
    const known = authenticated(client, caller, now)
    if (!known.ok) return decided(known)
    const asked = askedByDevice(services.catalogue, request, known.value)
    if (!asked.ok) return decided(asked)
    const { installationName } = request
    const purpose = { purpose: "access", asked: asked.value, installationName } as const
    return decided(ok({ clientId: known.value.clientId, purpose }))
  })
}
