/** Reads and changes factors for account holders, administrators and elevated credentials. */
import { asPerson } from "../../model/account.rules.ts"
import type { FactorId, Hash, UserId } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import {
  decideFactorName,
  decideFactorRemoval,
  decideFactorsReset,
  type FactorChange,
  type FactorOutcome,
} from "./factor-change.rules.ts"
import {
  type Factor,
  type FactorNameProblem,
  isFreshProof,
  parseFactorName,
  type Passkey,
} from "../../model/factor.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { type Result, ok } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import type { SignedIn } from "../sessions/session.ts"
import type { Actor } from "../../model/event.rules.ts"
import { offeredBy } from "./offered.ts"

type Needs = Pick<Services, "store" | "clock">

export async function factorsOf({ store }: Pick<Needs, "store">, userId: UserId): Promise<readonly Factor[]> {
  const { factors } = await store.read({ factors: userId })
  return factors ?? []
}

/** Whether the session has recently proven the strongest factor of its account. */
export async function hasRecentAuthentication(
  { store, clock }: Needs,
  { session }: SignedIn,
): Promise<boolean> {
  const { session: now, factors } = await store.read({
    session: session.sessionHash,
    factors: session.userId,
  })
  return now !== null && isFreshProof(now.proof, factors ?? [], clock.now())
}

type FactorsOf = Actor & {
  readonly userId: UserId
  /** The session, which needs a recent proof. The command line and elevated credentials have none. */
  readonly sessionHash: Hash | null
  /** The WebAuthn id of a new passkey. No account may have this passkey yet. */
  readonly holderOf: string | null
}

export function changeFactors(
  { store, clock }: Needs,
  { userId, sessionHash, address, actorId, holderOf }: FactorsOf,
  decide: (change: FactorChange, holder: Passkey | null) => Decided<FactorOutcome>,
): Promise<FactorOutcome> {
  const now = clock.now()
  return store.change(
    {
      account: userId,
      factors: userId,
      identities: userId,
      session: sessionHash,
      passkey: holderOf,
    },
    ({ account: found, factors, identities, session, passkey }): Decided<FactorOutcome> => {
      const account = asPerson(found)
      if (account === null) return decided("unknown")
      const all = factors ?? []
      const isProven =
        sessionHash === null || (session?.userId === userId && isFreshProof(session.proof, all, now))
      const change = { account, factors: all, identities: identities ?? [], isProven, now, address, actorId }
      return decide(change, passkey)
    },
  )
}

export async function renameFactor(
  services: Needs,
  userId: UserId,
  factorId: FactorId,
  typed: string,
  address: string,
): Promise<Result<FactorOutcome, FactorNameProblem>> {
  const { factor } = await services.store.read({ factor: factorId })
  const name = parseFactorName(typed, factor?.name ?? "")
  if (!name.ok) return name
  const on = { userId, sessionHash: null, address, holderOf: null }
  return ok(await changeFactors(services, on, (change) => decideFactorName(change, factorId, name.value)))
}

/** Refuses: `unproven` without a recent proof, `unknown` for an unknown factor, `last-way-in`. */
export function removeFactor(
  services: Needs & Pick<Services, "issuer" | "providers">,
  userId: UserId,
  factorId: FactorId,
  sessionHash: Hash | null,
  address: string | null,
): Promise<FactorOutcome> {
  const on = { userId, sessionHash, address, holderOf: null }
  const offered = offeredBy(services)
  return changeFactors(services, on, (change) => decideFactorRemoval(change, factorId, offered))
}

/** Removes every factor of an account and signs out its browsers. Returns false for an unknown account. */
export async function resetFactorsOf(
  services: Needs,
  id: string,
  { address, actorId }: Actor,
): Promise<boolean> {
  if (!isIdentifier(id)) return false
  const on = { userId: id as UserId, sessionHash: null, address, actorId, holderOf: null }
  return (await changeFactors(services, on, decideFactorsReset)) === "done"
}
