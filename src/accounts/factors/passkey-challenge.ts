/**
 * What a passkey signs, and what the uses of passkeys share: WebAuthn, with the checks of `@simplewebauthn/server`.
 *
 * The form contains the sealed challenge, so the database does not store it. The challenge is bound to the browser
 * cookie and to the account, if known. It is valid for five minutes and works once.
 */
import { createRequire } from "node:module"
import type * as simplewebauthn from "@simplewebauthn/server"
import type { Hash, TokenId, UserId } from "../../kernel/ids.ts"
import { CHALLENGE_SECONDS } from "../../kernel/account-limits.ts"
import { isWithin } from "../../kernel/time.ts"
import { digest } from "../../kernel/hash.ts"
import { newId, randomSecret } from "../../kernel/random.ts"
import type { Services } from "../../platform/services/services.ts"

/** `import()` would cache a failed load, for example for lack of file descriptors, for the life of the process. */
const load = createRequire(import.meta.url)
export const webauthn = () => load("@simplewebauthn/server") as typeof simplewebauthn

export type PasskeyNeeds = Pick<Services, "store" | "keys" | "clock" | "issuer">

/** A challenge for the passkey of a new account is bound to its invitation. */
export type PasskeyUse = "enrol" | "prove" | `invited ${string}`

type Challenge = {
  readonly id: TokenId
  readonly use: PasskeyUse
  readonly challenge: string
  readonly browserHash: Hash
  /** The value is null if the passkey itself names the account. */
  readonly userId: UserId | null
  readonly madeAt: number
}

/** The options for the browser as JSON, and the sealed challenge. */
export type PasskeyQuestion = { readonly options: string; readonly challenge: string }

/** The data that the form sends: the browser's response and the sealed challenge. */
export type PasskeyAnswer = { readonly response: string; readonly challenge: string }

export function newChallenge(
  { keys, clock }: Pick<Services, "keys" | "clock">,
  use: PasskeyUse,
  browserSecret: string,
  userId: UserId | null,
): { readonly challenge: string; readonly sealed: string } {
  const madeAt = clock.now()
  const challenge = randomSecret()
  const browserHash = digest(browserSecret)
  const content: Challenge = { id: newId<TokenId>(madeAt), use, challenge, browserHash, userId, madeAt }
  return { challenge, sealed: keys.seal("passkey", JSON.stringify(content)) }
}

export function openChallenge(
  { keys, clock }: Pick<Services, "keys" | "clock">,
  sealed: string,
  use: PasskeyUse,
  browserSecret: string,
  userId: UserId | null | "any",
): Challenge | null {
  const content = keys.open("passkey", sealed)
  const challenge = content === null ? null : (JSON.parse(content) as Challenge)
  if (challenge === null || challenge.use !== use) return null
  if (userId !== "any" && challenge.userId !== userId) return null
  const isTimely = isWithin(challenge.madeAt, clock.now(), CHALLENGE_SECONDS)
  return isTimely && challenge.browserHash === digest(browserSecret) ? challenge : null
}

/** WebAuthn §5.4.3: at most 64 bytes. Ids of another service can be longer (MOVE-2). */
export function userHandleOf(userId: UserId): Buffer {
  const id = Buffer.from(userId)
  return id.length <= 64 ? id : Buffer.from(digest(userId), "base64url")
}

export function parsedJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" ? value : null
  } catch {
    return null
  }
}

/** The library throws for an invalid response. Anyone can send one, so the result is null and not an error. */
export async function orNull<T>(check: () => Promise<T>): Promise<T | null> {
  try {
    return await check()
  } catch {
    return null
  }
}
