/** Draws the id and the secret of a new app, for every kind of registration. */
import type { ClientId } from "../kernel/ids.ts"
import { withoutSecret } from "../model/clients/chosen-client.rules.ts"
import type { Registration } from "../model/clients/registration.rules.ts"
import { clientFrom, type NewClient, type Registrar } from "./app-writes.rules.ts"
import { newId } from "../kernel/random.ts"
import { newClientSecret } from "../oauth/credential/token.ts"

/**
 * Builds an app. A confidential app without keys gets a new secret, unless its own was chosen. The database stores only
 * the digest of the secret.
 */
export function newClient(registration: Registration, by: Registrar, now: number): NewClient {
  const needsSecret = withoutSecret(registration) === null && (by.secretHash ?? null) === null
  const secret = needsSecret ? newClientSecret() : null
  const drawn = { clientId: newId<ClientId>(now), secretHash: secret?.hash ?? null }
  return { client: clientFrom(registration, { ...drawn, ...by }, now), secret: secret?.text ?? null }
}
