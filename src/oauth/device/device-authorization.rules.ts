/** POST /oauth/device-authorization, read: RFC 8628 §3.1; interface DAUTH-*. */
import type { Permission } from "../../kernel/ids.ts"
import type { Client } from "../../records/client.rules.ts"
import type { Form } from "../../kernel/form.ts"
import type { Catalogue } from "../../permissions/permission-catalogue.rules.ts"
import { type Result, ok } from "../../kernel/result.ts"
import type { Refusal } from "../refusal.rules.ts"
import { askedPermissions, parseScope } from "../../permissions/scope.rules.ts"
import { parseInstallationName } from "../../records/installation-name.rules.ts"

export type DeviceAuthorizationRequest = {
  readonly installationName: string | null
  /** The names in `scope`; null if it is omitted. */
  readonly asked: readonly string[] | null
}

/** Refuses: parameterMalformed, scopeMalformed. */
export function parseDeviceAuthorization(form: Form): Result<DeviceAuthorizationRequest, Refusal> {
  const installationName = parseInstallationName(form.values.get("installation_name"))
  if (!installationName.ok) return installationName
  const asked = parseScope(form.values.get("scope"))
  return asked.ok ? ok({ installationName: installationName.value, asked: asked.value }) : asked
}

/** The closed set that the account holder will be asked for. Refuses: scopeUnknown, scopeOverCeiling, scopeEmpty. */
export function askedByDevice(
  catalogue: Catalogue,
  { asked }: DeviceAuthorizationRequest,
  client: Client,
): Result<readonly Permission[], Refusal> {
  return askedPermissions(catalogue, asked, client.ceiling)
}
