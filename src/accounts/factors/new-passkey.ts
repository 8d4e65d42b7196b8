/** New passkeys: of an account that has signed in, and of one that an invitation will create. WebAuthn §7.1. */
import type { RegistrationResponseJSON } from "@simplewebauthn/server"
import type { Account } from "../../model/account.rules.ts"
import type { FactorId, InvitationId, UserId } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import { decideEnrolment, type FactorOutcome } from "./factor-change.rules.ts"
import {
  defaultFactorNames,
  type FactorNameProblem,
  parseFactorName,
  type Passkey,
} from "../../model/factor.rules.ts"
import { CHALLENGE_SECONDS } from "../../kernel/account-limits.ts"
import { newId } from "../../kernel/random.ts"
import { changeFactors, factorsOf } from "./factor.ts"
import { relyingPartyId } from "./offered.ts"
import type { Services } from "../../platform/services/services.ts"
import type { SignedIn } from "../sessions/session.ts"
import {
  newChallenge,
  openChallenge,
  orNull,
  parsedJson,
  type PasskeyAnswer,
  type PasskeyNeeds,
  type PasskeyQuestion,
  type PasskeyUse,
  userHandleOf,
  webauthn,
} from "./passkey-challenge.ts"

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812): every browser and authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257]

/** Asks the browser for a new passkey. Returns null on an IP address. */
export async function askNewPasskey(
  services: PasskeyNeeds & Pick<Services, "settings">,
  { account }: SignedIn,
  browserSecret: string,
): Promise<PasskeyQuestion | null> {
  const enrolled = (await factorsOf(services, account.userId)).filter((factor) => factor.kind === "passkey")
  return askEnrolment(services, "enrol", account, enrolled, browserSecret)
}

/** Asks for the passkey of an account that an invitation will create. It is the only way in, so it names the account. */
export function askInvitedPasskey(
  services: PasskeyNeeds & Pick<Services, "settings">,
  invitationId: InvitationId,
  username: string,
  browserSecret: string,
): Promise<PasskeyQuestion | null> {
  const userId = newId<UserId>(services.clock.now())
  return askEnrolment(services, `invited ${invitationId}`, { userId, username }, [], browserSecret)
}

async function askEnrolment(
  services: Omit<PasskeyNeeds, "store"> & Pick<Services, "settings">,
  use: PasskeyUse,
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
  services: PasskeyNeeds,
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
  services: PasskeyNeeds,
  invitationId: InvitationId,
  answer: PasskeyAnswer,
  browserSecret: string,
): Promise<Passkey | null> {
  const use = `invited ${invitationId}` as const
  return readEnrolment(services, use, answer, defaultFactorNames.passkey, browserSecret, "any")
}

async function readEnrolment(
  services: PasskeyNeeds,
  use: PasskeyUse,
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
