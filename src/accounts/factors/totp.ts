/** Time-based one-time passwords: RFC 6238. A secret is sealed at rest, and active only after its first valid code. */
import { createRequire } from "node:module"
import type * as otpauth from "otpauth"
import type { Account } from "../../model/account.rules.ts"
import type { FactorId, Hash, UserId } from "../../kernel/ids.ts"
import { decideEnrolment, type FactorOutcome } from "./factor-change.rules.ts"
import { sealedThings } from "../../model/sealed.rules.ts"
import {
  defaultFactorNames,
  type FactorNameProblem,
  parseFactorName,
  type Totp,
} from "../../model/factor.rules.ts"
import { ENROLMENT_SECONDS, FACTORS_AT_MOST, OTP_STEP_SECONDS } from "../../kernel/account-limits.ts"
import { rightSteps, type StepCode, stepsAround } from "./one-time-password.rules.ts"
import { parseTypedCode } from "./typed-code.rules.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { isWithin } from "../../kernel/time.ts"
import type { Keys } from "../../kernel/keys.ts"
import { newId, randomBytes } from "../../kernel/random.ts"
import { changeFactors } from "./factor.ts"
import type { Services } from "../../platform/services/services.ts"
import type { SignedIn } from "../sessions/session.ts"
import type { Actor } from "../../model/event.rules.ts"
import { findPerson } from "../find-account.ts"
import { readAppearance } from "../../model/appearance.rules.ts"

/** The library is loaded with the first code. */
const load = createRequire(import.meta.url)
const otp = () => load("otpauth") as typeof otpauth

const DIGITS = 6
const ALGORITHM = "SHA1"
/** RFC 4226 §4, R6: a secret of 160 bits. */
const SECRET_BYTES = 20

export function newTotpSecret(): string {
  const { Secret } = otp()
  return new Secret({ buffer: Uint8Array.from(randomBytes(SECRET_BYTES)).buffer }).base32
}

/**
 * The name of the service in authenticator apps. The host tells services of the same name apart. A colon would separate
 * the label from the account.
 */
function issuerLabel(service: string, baseUrl: string): string {
  return `${service} (${new URL(baseUrl).hostname})`.replaceAll(":", "")
}

export function otpauthUri(
  service: string,
  baseUrl: string,
  { username }: Pick<Account, "username">,
  secret: string,
): string {
  const label = { issuer: issuerLabel(service, baseUrl), label: username, issuerInLabel: true }
  const { TOTP } = otp()
  return new TOTP({
    ...label,
    secret,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: OTP_STEP_SECONDS,
  }).toString()
}

/** Computes the codes of time steps for a base32 secret. */
export function codesAt(secret: string, steps: readonly number[]): readonly StepCode[] {
  const { HOTP, Secret } = otp()
  const key = Secret.fromBase32(secret)
  return steps.map((step) => ({
    step,
    code: HOTP.generate({ secret: key, algorithm: ALGORITHM, digits: DIGITS, counter: step }),
  }))
}

/** Seals the secret for one factor. It cannot be opened for another factor. */
export function sealTotpSecret(keys: Keys, factorId: FactorId, secret: string): string {
  return keys.seal(sealedThings.totp.purpose(factorId), secret)
}

export function openTotpSecret(keys: Keys, { factorId, sealedSecret }: Totp): string {
  const secret = keys.openStored(sealedThings.totp.purpose(factorId), sealedSecret)
  if (secret === null)
    throw new Error(`the secret of factor ${factorId} was sealed under another service secret`)
  return secret
}

/** The sealed content of the page with a new secret. The database stores nothing before the first valid code. */
type TotpTicket = {
  readonly factorId: FactorId
  readonly userId: UserId
  readonly sessionHash: Hash
  readonly secret: string
  readonly shownAt: number
}

export type TotpQuestion = { readonly secret: string; readonly uri: string; readonly ticket: string }

/** Returns a new secret for the page, or the secret of the given ticket. Returns null for an expired ticket. */
export function askTotp(
  services: Pick<Services, "keys" | "clock" | "issuer" | "settings">,
  signedIn: SignedIn,
  former: string | null,
): TotpQuestion | null {
  const { keys, clock, issuer, settings } = services
  const { session, account } = signedIn
  const now = clock.now()
  const { userId } = account
  const { sessionHash } = session
  const fresh = { factorId: newId<FactorId>(now), userId, sessionHash, secret: newTotpSecret(), shownAt: now }
  const opened = former === null ? fresh : openTotpTicket(services, former, signedIn)
  if (opened === null) return null
  const uri = otpauthUri(settings.latest.appearance.name, issuer, account, opened.secret)
  return { secret: opened.secret, uri, ticket: keys.seal("totp enrolment", JSON.stringify(opened)) }
}

function openTotpTicket(
  { keys, clock }: Pick<Services, "keys" | "clock">,
  sealed: string,
  { session, account }: SignedIn,
): TotpTicket | null {
  const content = keys.open("totp enrolment", sealed)
  const ticket = content === null ? null : (JSON.parse(content) as TotpTicket)
  if (ticket === null || ticket.userId !== account.userId || ticket.sessionHash !== session.sessionHash)
    return null
  return isWithin(ticket.shownAt, clock.now(), ENROLMENT_SECONDS) ? ticket : null
}

export type TotpEnrolled =
  | { readonly outcome: FactorOutcome | "stale" | "wrong-code" }
  | { readonly outcome: "bad-name"; readonly problem: FactorNameProblem }

/** Enrolls the secret after its first valid code. */
export async function enrolTotp(
  services: Pick<Services, "store" | "keys" | "clock">,
  signedIn: SignedIn,
  typed: { readonly ticket: string; readonly code: string; readonly name: string },
  address: string,
): Promise<TotpEnrolled> {
  const { keys, clock } = services
  const ticket = openTotpTicket(services, typed.ticket, signedIn)
  if (ticket === null) return { outcome: "stale" }
  const name = parseFactorName(typed.name, defaultFactorNames.totp)
  if (!name.ok) return { outcome: "bad-name", problem: name.error }
  const code = parseTypedCode(typed.code)
  const now = clock.now()
  const right = code?.kind === "totp" ? rightSteps(codesAt(ticket.secret, stepsAround(now)), code.digits) : []
  const usedStep = right.at(-1)
  if (usedStep === undefined) return { outcome: "wrong-code" }
  const { factorId, userId } = ticket
  const sealedSecret = sealTotpSecret(keys, factorId, ticket.secret)
  const enrolled = { factorId, userId, name: name.value, addedAt: now, usedAt: now }
  const factor: Totp = { ...enrolled, kind: "totp", sealedSecret, usedStep }
  const { sessionHash } = signedIn.session
  const outcome = await changeFactors(services, { userId, sessionHash, address, holderOf: null }, (change) =>
    decideEnrolment(change, factor, null, sessionHash),
  )
  return { outcome }
}

/** Enrolls a one-time password on behalf of an administrator. It is active immediately. */
export async function addTotp(
  services: Pick<Services, "store" | "keys" | "clock" | "issuer">,
  username: string,
  { address }: Actor,
): Promise<Result<{ readonly secret: string; readonly uri: string }, Problem>> {
  const found = await findPerson(services, username)
  if (!found.ok) return found
  const account = found.value
  const { userId } = account
  const now = services.clock.now()
  const secret = newTotpSecret()
  const factorId = newId<FactorId>(now)
  const sealedSecret = sealTotpSecret(services.keys, factorId, secret)
  const enrolled = { factorId, userId, name: defaultFactorNames.totp, addedAt: now, usedAt: null }
  const factor: Totp = { ...enrolled, kind: "totp", sealedSecret, usedStep: 0 }
  const on = { userId, sessionHash: null, address, holderOf: null }
  const outcome = await changeFactors(services, on, (change) => decideEnrolment(change, factor, null, null))
  if (outcome !== "done") return err(`"${account.username}" has ${FACTORS_AT_MOST} factors already.`)
  const { name } = readAppearance(await services.store.settings())
  return ok({ secret, uri: otpauthUri(name, services.issuer, account, secret) })
}
