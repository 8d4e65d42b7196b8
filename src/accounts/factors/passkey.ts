/** Proofs by a passkey: the question for the browser, and its signed answer. WebAuthn §7.2. */
import type { AuthenticationResponseJSON } from "@simplewebauthn/server"
import type { Account } from "../../model/account.rules.ts"
import type { UserId } from "../../kernel/ids.ts"
import type { Assertion } from "./factor-proof.rules.ts"
import type { Factor, Passkey } from "../../model/factor.rules.ts"
import { CHALLENGE_SECONDS } from "../../kernel/account-limits.ts"
import { relyingPartyId } from "./offered.ts"
import {
  newChallenge,
  openChallenge,
  orNull,
  parsedJson,
  type PasskeyAnswer,
  type PasskeyNeeds,
  type PasskeyQuestion,
  userHandleOf,
  webauthn,
} from "./passkey-challenge.ts"

/**
 * Asks for a passkey of the account `of`. If `of` is null, a passkey of any account is accepted, and the authenticator
 * must verify its user. Returns null if passkeys do not work at this URL or the account has no passkey.
 */
export function askPasskey(
  services: Omit<PasskeyNeeds, "store">,
  browserSecret: string,
  of: { readonly userId: UserId; readonly factors: readonly Factor[] } | null,
): PasskeyQuestion | null {
  const rpId = relyingPartyId(services.issuer)
  const passkeys = (of?.factors ?? []).filter((factor) => factor.kind === "passkey")
  if (rpId === null || (of !== null && passkeys.length === 0)) return null
  const { challenge, sealed } = newChallenge(services, "prove", browserSecret, of?.userId ?? null)
  const options = {
    challenge,
    rpId,
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: of === null ? "required" : "preferred",
    allowCredentials: passkeys.map(({ credentialId: id, transports }) => ({
      type: "public-key",
      id,
      transports,
    })),
  }
  return { options: JSON.stringify(options), challenge: sealed }
}

/** Returns the passkey that signed this challenge with its authenticator data, or null for an unknown passkey. */
export async function readAssertion(
  services: PasskeyNeeds,
  { response: text, challenge: sealed }: PasskeyAnswer,
  browserSecret: string,
  account: Pick<Account, "userId"> | null,
): Promise<{ readonly passkey: Passkey; readonly asserted: Assertion } | null> {
  const { store, issuer } = services
  const rpId = relyingPartyId(issuer)
  const challenge = openChallenge(services, sealed, "prove", browserSecret, account?.userId ?? null)
  const response = parsedJson(text) as AuthenticationResponseJSON | null
  if (rpId === null || challenge === null || typeof response?.id !== "string") return null
  const { passkey } = await store.read({ passkey: response.id })
  if (passkey === null || !isOf(passkey, account, response)) return null
  const { verifyAuthenticationResponse } = webauthn()
  const { credentialId: id, publicKey } = passkey
  // The library must not check the counter. A rule checks it later, when it holds the lock of the stored counter.
  const credential = { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter: 0 }
  const verified = await orNull(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge.challenge,
      expectedOrigin: new URL(issuer).origin,
      expectedRPID: rpId,
      credential,
      requireUserVerification: account === null,
    }),
  )
  if (verified?.verified !== true) return null
  const { newCounter: counter, credentialBackedUp: isBackedUp } = verified.authenticationInfo
  return { passkey, asserted: { factorId: passkey.factorId, ticketId: challenge.id, counter, isBackedUp } }
}

/** WebAuthn §7.2, step 6: it belongs to the known account, or to the one that the authenticator names. */
function isOf(
  { userId }: Passkey,
  account: Pick<Account, "userId"> | null,
  { response }: AuthenticationResponseJSON,
): boolean {
  if (account !== null) return account.userId === userId
  const named = response?.userHandle
  return typeof named === "string" && Buffer.from(named, "base64url").equals(userHandleOf(userId))
}
