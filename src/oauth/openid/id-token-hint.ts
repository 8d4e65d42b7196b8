/** Reads `id_token_hint`: an id_token that this service signed for the app. OpenID Connect Core §3.1.2.1; interface OIDC-9. */
import type { UserId } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Services } from "../../platform/services/services.ts"

/**
 * Returns the account that the hint names. Returns null for anything but an id_token for this app, and for one whose
 * key is gone. An expired one still names its account. The algorithm is that of the key, and not what the hint says.
 */
export async function hintedAccount(
  { store, issuer }: Pick<Services, "store" | "issuer">,
  hint: string,
  { clientId }: Pick<Client, "clientId">,
): Promise<UserId | null> {
  const { signingKeys } = await store.read({ signingKeys: true })
  const { compactVerify, decodeProtectedHeader, errors, importJWK } = await import("jose")
  try {
    const { kid } = decodeProtectedHeader(hint)
    const key = signingKeys?.find((one) => one.kid === kid)
    if (key === undefined) return null
    const { algorithm } = key
    const publicKey = await importJWK(JSON.parse(key.publicJwk) as object, algorithm)
    const { payload, protectedHeader } = await compactVerify(hint, publicKey, { algorithms: [algorithm] })
    const { iss, aud, sub } = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>
    const isOurs = protectedHeader.typ === "JWT" && iss === issuer && aud === clientId
    return isOurs && typeof sub === "string" ? (sub as UserId) : null
  } catch (error) {
    // `decodeProtectedHeader` throws a TypeError.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
