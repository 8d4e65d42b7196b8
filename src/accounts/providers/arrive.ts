/**
 * Signs in a person whom a provider has authenticated: to the linked account, or to a new one where the provider's
 * rules create it. A username never leads to an existing account, and an e-mail address only by the rule of
 * link-by-address.rules.ts.
 */
import { type Identity, identityText } from "../../model/sign-in/identity.rules.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import { parseNewUsername, type Username } from "../../model/username.rules.ts"
import { digest } from "../../kernel/hash.ts"
import type { UserId } from "../../kernel/ids.ts"
import { newId } from "../../kernel/random.ts"
import { ok, type Result } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import { needsNewProof } from "../sign-in/continuation.ts"
import type { SignInAttempt } from "../sessions/start-session.ts"
import type { Followed } from "../sign-in/followed.rules.ts"
import { ruledLoad } from "../sign-in/given.rules.ts"
import { arrivalOf, type Unnamed } from "./arrival.ts"
import { type ArrivalAnswer, decideArrival, decideNewcomer } from "./arrival.rules.ts"
import { addInvited } from "./invited.ts"
import type { Pending } from "./pending.ts"
import {
  claimOf,
  type Claims,
  confirmedAddress,
  holds,
  isSecondFactor,
  methodsIn,
  neededClaims,
  type NotCreated,
  notCreated,
  shownNameOf,
  suggestedUsername,
  trustedAddress,
  whyUnverified,
  withUserinfo,
} from "./upstream/claims.rules.ts"
import { existingGroups } from "./given-groups.ts"
import { type AddressAnswer, decideLinkByAddress } from "./link-by-address.rules.ts"
import { authTimeIn } from "./upstream/fresh-sign-in.rules.ts"
import type { Arrived } from "./upstream/upstream.ts"
import type { UpstreamFailure } from "./upstream/upstream-failure.ts"

type Needs = Pick<Services, "store" | "clock" | "log" | "outgoing" | "providers">

export type ArriveAnswer =
  | Exclude<AddressAnswer, { outcome: "taken" }>
  /** No account is linked, and the rules create none. */
  | {
      readonly outcome: "no-account"
      readonly why: NotCreated
      /** The reason for the log. */
      readonly detail: string
      readonly shownName: string | null
    }
  /** The person accepts an invitation and has an account already, which stays as it is. */
  | { readonly outcome: "of-another" }
  /** The first account of a service is made by its set-up link. */
  | { readonly outcome: "not-set-up" }
  | {
      readonly outcome: "choose-name"
      readonly unnamed: Unnamed
      readonly suggested: string
      readonly isTaken: boolean
    }

/**
 * Decides by the key of issuer and subject. `ticketId` makes the sign-in work once. An invitation creates an account
 * whatever the provider's rules say. Fails with the provider.
 */
export async function arrive(
  services: Needs,
  provider: SignInProvider,
  arrived: Arrived,
  { ticketId, invited, next }: Pick<Pending, "ticketId" | "invited" | "next">,
  visitor: SignInAttempt,
): Promise<Result<ArriveAnswer, UpstreamFailure>> {
  const key = { issuer: arrived.issuer, subject: arrived.subject }
  const identityHash = digest(identityText(key))
  const { identity } = await services.store.read({ identity: identityHash })
  const complete = await completeClaims(provider, arrived, identity !== null)
  if (!complete.ok) return complete
  const claims = complete.value
  const { administrators } = provider
  const mustSayWhen = provider.preset === "application" || needsNewProof(next)
  const facts = {
    provider: provider.name,
    key,
    shownName: shownNameOf(provider, claims),
    ticketId,
    isSecondFactor: isSecondFactor(provider, arrived.claims),
    isAdministrator: administrators === null ? null : holds(provider, claims, administrators),
    groups: await existingGroups(services, provider, claims),
    followed: await followedIn(services, provider, claims, identity),
    // An application can always say it. Others must if they were asked for a new proof: LOGIN-19, LOGIN-24.
    authTime: authTimeIn(arrived.claims, services.clock.now()) ?? (mustSayWhen ? 0 : null),
    ...methodsIn(arrived.claims),
  }
  if (invited !== undefined) {
    if (identity !== null) return ok({ outcome: "of-another" })
    const suggested = invited.username.trim() || (suggestedUsername(provider, claims) ?? "")
    return ok(await addNamed(services, suggested, { ...facts, link: invited.link }, visitor))
  }
  if (identity === null)
    return ok(
      (await byAddress(services, provider, claims, facts, visitor)) ??
        (await welcome(services, provider, claims, facts, visitor)),
    )
  const { userId } = identity
  const load = {
    account: userId,
    identity: identityHash,
    factors: userId,
    ...ruledLoad(facts, userId),
    spentTicket: ticketId,
    session: visitor.formerSecret === null ? null : digest(visitor.formerSecret),
  }
  // A new session tells an app that the person has signed in again.
  const arrival = arrivalOf(services, facts, visitor, !needsNewProof(next))
  const answer = await services.store.change(load, (found) => decideArrival(found, arrival))
  return ok(answer.outcome === "taken" ? { outcome: "stale" } : answer)
}

/** Returns what follows an application. An address that another account has is left out. */
async function followedIn(
  { store, log }: Needs,
  provider: SignInProvider,
  claims: Claims,
  identity: Identity | null,
): Promise<Followed | undefined> {
  if (provider.preset !== "application") return undefined
  const email = confirmedAddress(provider, claims)
  const { emailByKey: holder } = await store.read({ emailByKey: email?.addressKey ?? null })
  const isHeld = holder !== null && holder.userId !== identity?.userId
  if (isHeld)
    log.warn(
      { provider: provider.name, user_id: identity?.userId ?? null, holder: holder.userId },
      "an application names an e-mail address that another account has; it is left out",
    )
  return { shownName: shownNameOf(provider, claims), email: isHeld ? null : email }
}

/** Connects an account by its address. Returns null if the operator trusts no address here, or no account has it. */
async function byAddress(
  services: Needs,
  provider: SignInProvider,
  claims: Claims,
  facts: Unnamed,
  visitor: SignInAttempt,
): Promise<ArriveAnswer | null> {
  const emailByKey = trustedAddress(provider, claims)?.addressKey ?? null
  const { emailByKey: candidate } = await services.store.read({ emailByKey })
  if (candidate === null) return null
  const { userId } = candidate
  const { key, shownName, ticketId } = facts
  const identityHash = digest(identityText(key))
  const load = {
    account: userId,
    identity: identityHash,
    identities: userId,
    factors: userId,
    ...ruledLoad(facts, userId),
    emailByKey,
    spentTicket: ticketId,
  }
  const link = { identityHash, key, provider: provider.name, shownName }
  const arrival = arrivalOf(services, facts, visitor)
  const answer = await services.store.change(load, (found) => decideLinkByAddress(found, link, arrival))
  return answer.outcome === "taken" ? { outcome: "stale" } : answer
}

async function welcome(
  services: Needs,
  provider: SignInProvider,
  claims: Claims,
  facts: Unnamed,
  visitor: SignInAttempt,
): Promise<ArriveAnswer> {
  const { anyAccount } = await services.store.read({ anyAccount: true })
  if (anyAccount === null) return { outcome: "not-set-up" }
  const why = notCreated(provider, claims)
  if (why !== null) {
    const detail = why === "unverified" ? whyUnverified(provider, claims) : REASONS[why]
    return { outcome: "no-account", why, detail, shownName: facts.shownName }
  }
  return addNamed(services, suggestedUsername(provider, claims) ?? "", facts, visitor)
}

/** Creates the account, or asks for another name. */
async function addNamed(
  services: Needs,
  suggested: string,
  facts: Unnamed,
  visitor: SignInAttempt,
): Promise<ArriveAnswer> {
  const name = parseNewUsername(suggested)
  const answer = name.ok
    ? await addNewcomer(services, name.value, facts, visitor)
    : { outcome: "taken" as const }
  if (answer.outcome !== "taken") return answer
  return { outcome: "choose-name", unnamed: facts, suggested, isTaken: name.ok }
}

const REASONS: Readonly<Record<Exclude<NotCreated, "unverified">, string>> = {
  off: "create_accounts is off",
  domain: "create_accounts does not name the domain",
  claim: "the claim of create_accounts does not hold",
}

/** Creates the account of a person with this name. Refuses: `taken`. */
export function addNewcomer(
  services: Needs,
  name: Username,
  unnamed: Unnamed,
  visitor: SignInAttempt,
): Promise<ArrivalAnswer> {
  const { key, provider, shownName, ticketId, link, followed } = unnamed
  const identityHash = digest(identityText(key))
  const userId = newId<UserId>(services.clock.now())
  const identity = { identityHash, ...key, provider, shownName }
  const arrival = arrivalOf(services, unnamed, visitor)
  if (link !== undefined) return addInvited(services, link, { userId, name, identity }, arrival)
  return services.store.change(
    {
      accountByName: name.usernameKey,
      emailByKey: followed?.email?.addressKey ?? null,
      identity: identityHash,
      spentTicket: ticketId,
    },
    (found) => decideNewcomer(found, { userId, name, identity }, arrival),
  )
}

/** Asks for further claims only if a decision needs one that is missing. Claims of the ID token win. */
async function completeClaims(
  provider: SignInProvider,
  { claims, moreClaims }: Arrived,
  isKnown: boolean,
): Promise<Result<Claims, UpstreamFailure>> {
  if (provider.preset === "application") return ok(claims)
  const missing = neededClaims(provider, isKnown).filter((name) => claimOf(claims, name) === undefined)
  if (missing.length === 0) return ok(claims)
  const more = await moreClaims()
  return more.ok ? ok(withUserinfo(claims, more.value)) : more
}
