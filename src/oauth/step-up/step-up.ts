/**
 * Step-up: POST /oauth/step-up, STEP-1. An app that may ask for a step-up opens one with a valid access token. The
 * account holder confirms it on the device page.
 */
import { acceptedProofs, type ProofKind } from "../../model/factor.rules.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { decideStepUpAnswer, decideStepUpRequest, type StepUpOutcome } from "./step-up.rules.ts"
import { readBearer, verifiedBearer } from "../credential/bearer.ts"
import type { JwtNeeds } from "../jwt/access-token.ts"
import { type DeviceAuthorization, openDeviceGrant } from "../device/device-codes.ts"
import { findStepUp } from "./find-step-up.ts"
import { factorsOf } from "../../accounts/factors/factor.ts"
import type { Services } from "../../platform/services/services.ts"
import { askPasskey } from "../../accounts/factors/passkey.ts"
import type { PasskeyQuestion } from "../../accounts/factors/passkey-challenge.ts"
import { type FactorProof, proveFactor } from "../../accounts/factors/prove-factor.ts"
import type { SignedIn } from "../../accounts/sessions/session.ts"
import { isAuthorized, ticketProblem } from "../authorize/consent.rules.ts"
import type { DeviceTicket } from "../authorize/ticket.ts"

/** Opens a step-up. Refuses: accessTokenInvalid, stepUpNotAllowed. */
export async function openStepUp(
  services: JwtNeeds & Pick<Services, "catalog" | "providers">,
  accessToken: string,
  reason: string | null,
  address: string,
): Promise<Result<DeviceAuthorization, Refusal>> {
  const read = await readBearer(services, accessToken)
  const token = read === null ? null : verifiedBearer(read)
  if (token === null) return err({ reason: "accessTokenInvalid" })
  const { tokenId, hash, jwt = null } = token
  const load = { credential: tokenId, appOf: tokenId, ownerOf: tokenId, serviceToken: hash }
  const { catalog, providers } = services
  return openDeviceGrant(services, load, address, ({ credential, appOf, ownerOf, serviceToken }, now) => {
    const facts = { credential, client: appOf, account: ownerOf, hash, serviceToken, jwt, providers }
    return decideStepUpRequest(catalog, facts, tokenId, reason, now)
  })
}

type StepUpQuestion = {
  readonly accepted: ReadonlySet<ProofKind>
  readonly passkey: PasskeyQuestion | null
}

/** Returns the factors that the account can prove. A password counts only without a second factor. STEP-2. */
export async function askStepUpProof(
  services: Pick<Services, "store" | "keys" | "clock" | "issuer">,
  { account }: SignedIn,
  browserSecret: string,
): Promise<StepUpQuestion> {
  const { userId } = account
  const factors = await factorsOf(services, userId)
  const accepted = acceptedProofs(factors, "step-up", account)
  return { accepted, passkey: askPasskey(services, browserSecret, { userId, factors }) }
}

type StepUpAnswered =
  | {
      readonly outcome:
        Exclude<StepUpOutcome, "too-late"> | "not-yours" | "stale" | "wrong" | "closed" | "leave"
    }
  | { readonly outcome: "wait"; readonly seconds: number }

/**
 * Decides on the account holder's answer. Blockers are checked before the factor. A blocked step-up therefore uses up
 * no code and counts no wrong code. After a wrong factor, the page asks again. With a chosen `provider`, the person
 * leaves for it.
 */
export async function answerStepUp(
  services: Pick<Services, "store" | "keys" | "clock" | "guesses" | "issuer" | "settings">,
  ticket: DeviceTicket,
  decisions: readonly string[],
  proof: FactorProof,
  { session, account }: SignedIn,
  from: { readonly browserSecret: string; readonly address: string },
  provider?: string,
): Promise<StepUpAnswered> {
  const { store, clock, settings } = services
  const problem = ticketProblem(ticket, session, clock.now())
  if (problem !== null) return { outcome: problem }
  const { deviceGrant: shown } = await store.read({ deviceGrant: ticket.grantId })
  const purpose = shown?.request.purpose
  if (purpose?.purpose !== "step-up" || purpose.userId !== account.userId) return { outcome: "not-yours" }

  const authorizes = isAuthorized(decisions)
  const found = authorizes ? (await findStepUp(services, ticket.grantId)).outcome : "found"
  if (authorizes && found === "found") {
    if (provider !== undefined) return { outcome: "leave" }
    const proven = await proveFactor(services, account, proof, { purpose: "step-up", ...from })
    if (proven.outcome !== "right") return proven
  }
  const windowSeconds = (await settings.current()).stepUpSeconds
  const { tokenId } = purpose
  const answer = {
    isProven: authorizes,
    blocked: found === "found" ? null : found,
    address: from.address,
    windowSeconds,
    now: clock.now(),
  }
  const load = { deviceGrant: ticket.grantId, credential: tokenId, appOf: tokenId, ownerOf: tokenId }
  const outcome = await store.change({ ...load, session: session.sessionHash }, (rows) =>
    decideStepUpAnswer(rows, answer),
  )
  return { outcome: outcome === "too-late" ? "stale" : outcome }
}
