/**
 * Reads `id_token_hint`: an id_token that this service signed. OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2;
 * interface OIDC-9, OIDC-14.
 */
import type { ClientId, UserId } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { IdTokenHint } from "./claims.rules.ts"

type Needs = Pick<Services, "store" | "issuer">

/**
 * Returns null for anything but an id_token of this service, and for one whose key is gone. An expired one is read all
 * the same. The algorithm is that of the key, and not what the hint says.
 */
export async function openHint({ store, issuer }: Needs, hint: string): Promise<IdTokenHint | null> {
  const { signingKeys } = await store.read({ signingKeys: true })
  const { compactVerify, decodeProtectedHeader, errors, importJWK } = await import("jose")
  try {
    const { kid } = decodeProtectedHeader(hint)
    const key = signingKeys?.find((one) => one.kid === kid)
    if (key === undefined) return null
    const { algorithm } = key
    const publicKey = await importJWK(JSON.parse(key.publicJwk) as object, algorithm)
    const { payload, protectedHeader } = await compactVerify(hint, publicKey, { algorithms: [algorithm] })
    const { iss, aud, sub, sid } = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>
    if (protectedHeader.typ !== "JWT" || iss !== issuer || typeof sub !== "string" || typeof aud !== "string")
      return null
    return { userId: sub as UserId, clientId: aud as ClientId, sid: typeof sid === "string" ? sid : null }
  } catch (error) {
    // `decodeProtectedHeader` throws a TypeError.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}

/** Returns the account that the hint names. Returns null for anything but an id_token for this app. */
export async function hintedAccount(
  services: Needs,
  hint: string,
  { clientId }: Pick<Client, "clientId">,
): Promise<UserId | null> {
  const opened = await openHint(services, hint)
  return opened?.clientId === clientId ? opened.userId : null
}
