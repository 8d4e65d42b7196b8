/** A credential with the name of its app, for console pages. */
import { type CredentialRecord, credentialRecord } from "../../oauth/credential/credential-record.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { HeldCredential } from "../../store/list-shapes.ts"

/** The name of the app is null if the app was removed. */
export type CredentialView = CredentialRecord & { readonly appName: string | null }

export function credentialView(
  services: Pick<Services, "catalog" | "clock" | "providers">,
  held: HeldCredential,
): CredentialView {
  const record = credentialRecord(services, held, services.clock.now())
  return { ...record, appName: held.client?.name ?? null }
}
