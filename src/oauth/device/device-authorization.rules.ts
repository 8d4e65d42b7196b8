/** Parses POST /oauth/device-authorization and decides on the request: RFC 8628 §3.1; interface DAUTH-*. */
import type { Client } from "../../model/clients/client.rules.ts"
import type { DeviceRequest } from "../../model/device-grant.rules.ts"
import { DEVICE_TEXTS_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { anyResource, type ResourceSpelling } from "../../model/known-resources.rules.ts"
import type { Form } from "../../kernel/form.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { requestedPermissions, parseScope } from "../../model/permissions/scope.rules.ts"
import { parseResources } from "../authorize/authorization-request.rules.ts"
import { spelledResources } from "../credential/audience.rules.ts"
import { parseInstallationName } from "../../model/installation-name.rules.ts"

export type DeviceAuthorizationRequest = {
  readonly installationName: string | null
  /** The names in `scope`. The value is null if it is omitted. */
  readonly scope: readonly string[] | null
  /** The values of `resource`. RFC 8707. */
  readonly resources: readonly string[]
}

/** Parses the form. Refuses: parameterMalformed, scopeMalformed, resourceMalformed. */
export function parseDeviceAuthorization(form: Form): Result<DeviceAuthorizationRequest, Refusal> {
  const installationName = parseInstallationName(form.values.get("installation_name"))
  if (!installationName.ok) return installationName
  const scope = parseScope(form.values.get("scope"))
  if (!scope.ok) return scope
  const resources = parseResources(form)
  if (!resources.ok) return resources
  const texts = [installationName.value ?? "", ...resources.value]
  if (texts.join("").length > DEVICE_TEXTS_LENGTH_AT_MOST) return err({ reason: "resourceMalformed" })
  return ok({ installationName: installationName.value, scope: scope.value, resources: resources.value })
}

/**
 * Decides on a device's request. `client` is the result of client authentication, which comes before every other check.
 * Refuses, in this order: every reason of client authentication, deviceFlowOff, scopeUnknown, scopeOverCeiling,
 * scopeEmpty, resourceUnknown.
 */
export function decideDeviceAuthorization(
  catalog: Catalog,
  client: Result<Client, Refusal>,
  { scope: names, installationName, resources: named }: DeviceAuthorizationRequest,
  spellingOf: ResourceSpelling = anyResource,
): Result<Pick<DeviceRequest, "clientId" | "purpose">, Refusal> {
  const allowed = withDeviceFlow(client)
  if (!allowed.ok) return allowed
  const { clientId, ceiling } = allowed.value
  const permissions = requestedPermissions(catalog, names, ceiling)
  if (!permissions.ok) return permissions
  const resources = spelledResources(named, spellingOf)
  if (!resources.ok) return resources
  return ok({
    clientId,
    purpose: { purpose: "access", asked: permissions.value, installationName, resources: resources.value },
  })
}

/** Whether the app may use the endpoint at all. Refuses: deviceFlowOff. DAUTH-4. */
export function withDeviceFlow(client: Result<Client, Refusal>): Result<Client, Refusal> {
  return client.ok && !client.value.deviceFlow ? err({ reason: "deviceFlowOff" }) : client
}
