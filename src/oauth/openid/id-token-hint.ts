/**
 * Reads `id_token_hint`: an id_token that this service signed. OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2;
 * interface OIDC-9, OIDC-14.
 */
import type { ClientId, KeyId, UserId } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { JwtNeeds } from "../jwt/access-token.ts"
import { signingKeysOf } from "../keys/signing-keys.ts"
import type { IdTokenHint } from "./claims.rules.ts"

/**
 * Returns null for anything but an id_token of this service, and for one whose key is gone. An expired one is read all
 * the same. The algorithm is that of the key, and not what the hint says. The keys are those of the process, because an
 * anonymous request may have a hint.
 */
export async function openHint(services: JwtNeeds, hint: string): Promise<IdTokenHint | null> {
  const { compactVerify, decodeProtectedHeader, errors } = await import("jose")
  try {
    const { kid } = decodeProtectedHeader(hint)
    const verifier = kid === undefined ? null : await signingKeysOf(services).verifier(kid as KeyId)
    if (verifier === null) return null
    const { key, algorithm, isWithdrawn } = verifier
    const { payload, protectedHeader } = await compactVerify(hint, key, { algorithms: [algorithm] })
    const { iss, aud, sub, sid } = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>
    const isIdToken = protectedHeader.typ === "JWT" && iss === services.issuer
    if (!isIdToken || typeof sub !== "string" || typeof aud !== "string") return null
    const userId = isWithdrawn ? null : (sub as UserId)
    return { userId, clientId: aud as ClientId, sid: typeof sid === "string" ? sid : null }
  } catch (error) {
    // `decodeProtectedHeader` throws a TypeError.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}

/** Returns the account that the hint names. Returns null for anything but an id_token for this app by a good key. */
export async function hintedAccount(
  services: JwtNeeds,
  hint: string,
  { clientId }: Pick<Client, "clientId">,
): Promise<UserId | null> {
  const opened = await openHint(services, hint)
  return opened?.clientId === clientId ? opened.userId : null
}
