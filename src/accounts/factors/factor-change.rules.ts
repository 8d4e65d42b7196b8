/** Changes of the factors of an account: FACTOR-1, FACTOR-2, FACTOR-7…FACTOR-9. */
import type { Account } from "../../model/account.rules.ts"
import type { FactorId, Hash, UserId } from "../../kernel/ids.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import type { EventKind } from "../../model/event.rules.ts"
import {
  type Factor,
  isSecondFactor,
  methodsOf,
  needsSecondFactor,
  type Recovery,
  type SecondFactor,
} from "../../model/factor.rules.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import { FACTORS_AT_MOST } from "../../kernel/account-limits.ts"
import { hasLocalWayIn, hasWayIn, type Offered } from "../ways-in.rules.ts"

export type FactorChange = {
  readonly account: Account
  readonly factors: readonly Factor[]
  /** Whether the actor has recently proven the strongest factor of the account. */
  readonly isProven: boolean
  readonly identities: readonly Identity[]
  readonly now: number
  /** The IP address of the request. The value is null for the command line. */
  readonly address: string | null
  /** The acting account, if it is not the changed account. Undefined for the command line. */
  readonly actorId?: UserId | null | undefined
}

export type FactorOutcome =
  | "done"
  /** The actor must prove a factor first. */
  | "unproven"
  | "unknown"
  | "too-many"
  /** The passkey is already enrolled for this or another account. */
  | "taken"
  /** Recovery codes require a second factor, and the account has none. */
  | "no-factor"
  /** Without this passkey, the account could not sign in, or its administrator not without a provider. */
  | "last-way-in"

type Answer = Decided<FactorOutcome>

/** The first valid use counts as a proof for the session `sessionHash`. `holder` has the same passkey, or is null. */
export function decideEnrolment(
  change: FactorChange,
  factor: SecondFactor,
  holder: Factor | null,
  sessionHash: Hash | null,
): Answer {
  const { factors, now } = change
  if (!change.isProven) return decided("unproven")
  if (factors.some(({ factorId }) => factorId === factor.factorId)) return decided("done")
  if (holder !== null) return decided("taken")
  if (factors.filter(isSecondFactor).length >= FACTORS_AT_MOST) return decided("too-many")
  const proven: readonly Change[] =
    sessionHash === null
      ? []
      : [
          {
            change: "sessionProven",
            sessionHash,
            proof: { by: "second-factor", at: now, amr: methodsOf(factor.kind, [factor]) },
          },
        ]
  return decided(
    "done",
    { change: "factorAdded", factor },
    ...proven,
    recorded(change, "factor-added", nameOf(factor)),
  )
}

export function decideRecoveryCodes(change: FactorChange, codes: Recovery): Answer {
  if (!change.isProven) return decided("unproven")
  if (!needsSecondFactor(change.factors)) return decided("no-factor")
  return decided(
    "done",
    ...removals(change.factors.filter(({ kind }) => kind === "recovery")),
    { change: "factorAdded", factor: codes },
    recorded(change, "factor-added", nameOf(codes)),
  )
}

export function decideFactorName(change: FactorChange, factorId: FactorId, name: string): Answer {
  const factor = change.factors.find((one) => one.factorId === factorId)
  if (factor === undefined) return decided("unknown")
  return decided("done", { change: "factorChanged", factor: { ...factor, name } })
}

/** Removes a factor. Removing the last second factor removes the recovery codes too. */
export function decideFactorRemoval(change: FactorChange, factorId: FactorId, offered: Offered): Answer {
  const factor = change.factors.find((one) => one.factorId === factorId)
  if (factor === undefined) return decided("unknown")
  if (!change.isProven) return decided("unproven")
  const others = change.factors.filter((one) => one !== factor)
  if (factor.kind === "passkey" && isLastWayIn({ ...change, factors: others }, offered))
    return decided("last-way-in")
  const gone = needsSecondFactor(others) ? [factor] : [factor, ...others]
  return decided(
    "done",
    ...removals(gone),
    ...gone.map((one) => recorded(change, "factor-removed", nameOf(one))),
  )
}

/** Removes every one-time password, because the service secret is lost. Recovery codes alone are no second factor. */
export function decideLostTotp(change: FactorChange): Answer {
  const others = change.factors.filter(({ kind }) => kind !== "totp")
  const gone = needsSecondFactor(others)
    ? change.factors.filter(({ kind }) => kind === "totp")
    : change.factors
  return decided(
    "done",
    ...removals(gone),
    ...gone.map((one) => recorded(change, "factor-removed", nameOf(one))),
  )
}

function isLastWayIn(left: FactorChange, offered: Offered): boolean {
  return left.account.admin ? !hasLocalWayIn(left, offered) : !hasWayIn(left, offered)
}

/** Removes all factors of an account on behalf of an administrator, and signs out every browser. */
export function decideFactorsReset(change: FactorChange): Answer {
  const { userId } = change.account
  return decided(
    "done",
    { change: "factorsReset", userId },
    { change: "sessionsEnded", userId, except: null, at: change.now },
    recorded(change, "factors-reset", `${change.factors.length} removed`),
  )
}

function removals(factors: readonly Factor[]): readonly Change[] {
  return factors.map(({ factorId }) => ({ change: "factorRemoved", factorId }))
}

function nameOf({ kind, name }: Factor): string {
  return `${kind}: ${name}`
}

function recorded(
  { account: { userId }, now, address, actorId }: FactorChange,
  kind: EventKind,
  detail: string,
): Change {
  return eventRecorded(kind, now, { userId, address, actorId, detail })
}
