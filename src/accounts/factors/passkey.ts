/**
 * Passkeys: WebAuthn, with the checks of `@simplewebauthn/server`.
 *
 * The form contains the sealed challenge, so the database does not store it. The challenge is bound to the browser
 * cookie and to the account, if known. It is valid for five minutes and works once.
 */
import { createRequire } from "node:module"
import type * as simplewebauthn from "@simplewebauthn/server"
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server"
import type { Account } from "../../model/account.rules.ts"
import type { FactorId, Hash, InvitationId, TokenId, UserId } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import type { Assertion } from "./factor-proof.rules.ts"
import { decideEnrolment, type FactorOutcome } from "./factor-change.rules.ts"
import {
  defaultFactorNames,
  type Factor,
  type FactorNameProblem,
  parseFactorName,
  type Passkey,
} from "../../model/factor.rules.ts"
import { CHALLENGE_SECONDS } from "../../kernel/limits.ts"
import { isWithin } from "../../kernel/time.ts"
import { digest } from "../../kernel/hash.ts"
import { newId, randomSecret } from "../../kernel/random.ts"
import { changeFactors, factorsOf } from "./factor.ts"
import { relyingPartyId } from "./offered.ts"
import type { Services } from "../../platform/services/services.ts"
import type { SignedIn } from "../sessions/session.ts"

/** `import()` would cache a failed load, for example for lack of file descriptors, for the life of the process. */
const load = createRequire(import.meta.url)
const webauthn = () => load("@simplewebauthn/server") as typeof simplewebauthn

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812): every browser and authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257]

type Needs = Pick<Services, "store" | "keys" | "clock" | "issuer">

/** A challenge for the passkey of a new account is bound to its invitation. */
type Use = "enrol" | "prove" | `invited ${string}`

type Challenge = {
  readonly id: TokenId
  readonly use: Use
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

/**
 * Asks for a passkey of the account `of`. If `of` is null, a passkey of any account is accepted, and the authenticator
 * must verify its user. Returns null if passkeys do not work at this URL or the account has no passkey.
 */
export function askPasskey(
  services: Omit<Needs, "store">,
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

function newChallenge(
  { keys, clock }: Pick<Services, "keys" | "clock">,
  use: Use,
  browserSecret: string,
  userId: UserId | null,
): { readonly challenge: string; readonly sealed: string } {
  const madeAt = clock.now()
  const challenge = randomSecret()
  const browserHash = digest(browserSecret)
  const content: Challenge = { id: newId<TokenId>(madeAt), use, challenge, browserHash, userId, madeAt }
  return { challenge, sealed: keys.seal("passkey", JSON.stringify(content)) }
}

function openChallenge(
  { keys, clock }: Pick<Services, "keys" | "clock">,
  sealed: string,
  use: Use,
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

/** Returns the passkey that signed this challenge with its authenticator data, or null for an unknown passkey. */
export async function readAssertion(
  services: Needs,
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

/** WebAuthn §5.4.3: at most 64 bytes. Ids of another service can be longer (MOVE-2). */
function userHandleOf(userId: UserId): Buffer {
  const id = Buffer.from(userId)
  return id.length <= 64 ? id : Buffer.from(digest(userId), "base64url")
}

/** Asks the browser for a new passkey. Returns null on an IP address. */
export async function askNewPasskey(
  services: Needs & Pick<Services, "settings">,
  { account }: SignedIn,
  browserSecret: string,
): Promise<PasskeyQuestion | null> {
  const enrolled = (await factorsOf(services, account.userId)).filter((factor) => factor.kind === "passkey")
  return askEnrolment(services, "enrol", account, enrolled, browserSecret)
}

/** Asks for the passkey of an account that an invitation will create. It is the only way in, so it names the account. */
export function askInvitedPasskey(
  services: Needs & Pick<Services, "settings">,
  invitationId: InvitationId,
  username: string,
  browserSecret: string,
): Promise<PasskeyQuestion | null> {
  const userId = newId<UserId>(services.clock.now())
  return askEnrolment(services, `invited ${invitationId}`, { userId, username }, [], browserSecret)
}

async function askEnrolment(
  services: Omit<Needs, "store"> & Pick<Services, "settings">,
  use: Use,
  { userId, username }: Pick<Account, "userId" | "username">,
  enrolled: readonly Passkey[],
  browserSecret: string,
): Promise<PasskeyQuestion | null> {
  const rpID = relyingPartyId(services.issuer)
  if (rpID === null) return null
  const { generateRegistrationOptions } = webauthn()
  const { challenge, sealed } = newChallenge(services, use, browserSecret, userId)
  const need = use === "enrol" ? "preferred" : "required"
  const options = await generateRegistrationOptions({
    rpID,
    rpName: services.settings.latest.appearance.name,
    userName: username,
    userDisplayName: username,
    userID: new Uint8Array(userHandleOf(userId)),
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: "none",
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: enrolled.map(({ credentialId: id }) => ({ id })),
    authenticatorSelection: { residentKey: need, userVerification: need },
  })
  return { options: JSON.stringify(options), challenge: sealed }
}

export type PasskeyEnrolled =
  | { readonly outcome: FactorOutcome | "refused" }
  | { readonly outcome: "bad-name"; readonly problem: FactorNameProblem }

export async function enrolPasskey(
  services: Needs,
  { session, account }: SignedIn,
  answer: PasskeyAnswer & { readonly name: string },
  browserSecret: string,
  address: string,
): Promise<PasskeyEnrolled> {
  const { userId } = account
  const name = parseFactorName(answer.name, defaultFactorNames.passkey)
  if (!name.ok) return { outcome: "bad-name", problem: name.error }
  const factor = await readEnrolment(services, "enrol", answer, name.value, browserSecret, userId)
  if (factor === null) return { outcome: "refused" }
  const { factorId } = factor
  const { sessionHash } = session
  const on = { userId, sessionHash, address, holderOf: factor.credentialId }
  const outcome = await changeFactors(services, on, (change, holder) => {
    const isSame = holder?.factorId === factorId
    return isSame ? decided("done") : decideEnrolment(change, factor, holder, sessionHash)
  })
  return { outcome }
}

/** Returns the passkey of an account that the invitation creates. The challenge has the id of the account. */
export function readInvitedPasskey(
  services: Needs,
  invitationId: InvitationId,
  answer: PasskeyAnswer,
  browserSecret: string,
): Promise<Passkey | null> {
  const use = `invited ${invitationId}` as const
  return readEnrolment(services, use, answer, defaultFactorNames.passkey, browserSecret, "any")
}

async function readEnrolment(
  services: Needs,
  use: Use,
  answer: PasskeyAnswer,
  name: string,
  browserSecret: string,
  userId: UserId | "any",
): Promise<Passkey | null> {
  const challenge = openChallenge(services, answer.challenge, use, browserSecret, userId)
  if (challenge === null || challenge.userId === null) return null
  const made = await readAttestation(services, answer.response, challenge.challenge, use !== "enrol")
  if (made === null) return null
  const now = services.clock.now()
  const factorId = challenge.id as string as FactorId
  return { factorId, userId: challenge.userId, name, addedAt: now, usedAt: now, kind: "passkey", ...made }
}

type Made = Pick<Passkey, "credentialId" | "publicKey" | "counter" | "transports" | "isBackedUp">

async function readAttestation(
  { issuer }: Pick<Services, "issuer">,
  text: string,
  expectedChallenge: string,
  requireUserVerification: boolean,
): Promise<Made | null> {
  const rpId = relyingPartyId(issuer)
  const response = parsedJson(text) as RegistrationResponseJSON | null
  if (rpId === null || response === null) return null
  const { verifyRegistrationResponse } = webauthn()
  const verified = await orNull(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: new URL(issuer).origin,
      expectedRPID: rpId,
      requireUserVerification,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (verified?.verified !== true) return null
  const { credential, credentialBackedUp: isBackedUp } = verified.registrationInfo
  const { id: credentialId, publicKey, counter, transports = [] } = credential
  return {
    credentialId,
    publicKey: Buffer.from(publicKey).toString("base64url"),
    counter,
    transports: [...new Set(transports)].filter((name) => /^[a-z-]{1,32}$/.test(name)).slice(0, 8),
    isBackedUp,
  }
}

function parsedJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" ? value : null
  } catch {
    return null
  }
}

/** The library throws for an invalid response. Anyone can send one, so the result is null and not an error. */
async function orNull<T>(check: () => Promise<T>): Promise<T | null> {
  try {
    return await check()
  } catch {
    return null
  }
}
