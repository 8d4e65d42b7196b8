/** A credential with the name of its app, for console pages. */
import { type CredentialRecord, credentialRecord } from "../../oauth/credential/credential-record.rules.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { HeldCredential } from "../../store/store.ts"

/** The name of the app is null if the app was removed. */
export type CredentialView = CredentialRecord & { readonly appName: string | null }

export function credentialView(
  { services }: HttpContext,
  { credential, client, account }: HeldCredential,
): CredentialView {
  const record = credentialRecord(services.catalog, credential, client, account, services.clock.now())
  return { ...record, appName: client?.name ?? null }
}
